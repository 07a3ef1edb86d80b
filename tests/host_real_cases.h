// SPDX-License-Identifier: GPL-3.0-or-later
//
// The real transforms that the host engine is built for.

#ifndef INCLUDED_GPUFFT_HOST_REAL_CASES_H
#define INCLUDED_GPUFFT_HOST_REAL_CASES_H

#include "recipe_case.h"
#include <vector>

namespace gr {
namespace gpufft {

// Every kind at even, odd and prime lengths and in one block, around another transform,
// and with every step of load and store.
std::vector<recipe_case> host_real_cases();

} // namespace gpufft
} // namespace gr

#endif
