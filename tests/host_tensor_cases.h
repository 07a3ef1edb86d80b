// SPDX-License-Identifier: GPL-3.0-or-later
//
// Transforms of several axes whose kernels the build instantiates with g++ for the host
// engine.

#ifndef INCLUDED_GPUFFT_HOST_TENSOR_CASES_H
#define INCLUDED_GPUFFT_HOST_TENSOR_CASES_H

#include "recipe_case.h"
#include <vector>

namespace gr {
namespace gpufft {

// One, two and three steps; axes that are cut, and cut twice; passes in several orders;
// all steps of load and store.
std::vector<recipe_case> host_tensor_cases();

} // namespace gpufft
} // namespace gr

#endif
