// SPDX-License-Identifier: GPL-3.0-or-later
//
// Problems of every family, drawn at random, each with a recipe for a card drawn at
// random.

#ifndef INCLUDED_GPUFFT_HOST_RANDOM_CASES_H
#define INCLUDED_GPUFFT_HOST_RANDOM_CASES_H

#include "recipe_case.h"
#include <vector>

namespace gr {
namespace gpufft {

// GPUFFT_TEST_KERNELS=SEED/COUNT in the environment asks for other cases, and for more.
// The generator of the kernels and the test have to see the same.
std::vector<recipe_case> host_random_cases();

} // namespace gpufft
} // namespace gr

#endif
