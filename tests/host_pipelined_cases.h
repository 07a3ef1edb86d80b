// SPDX-License-Identifier: GPL-3.0-or-later
//
// Problems with recipes of pipelined kernels, which the planner takes on some cards only.

#ifndef INCLUDED_GPUFFT_HOST_PIPELINED_CASES_H
#define INCLUDED_GPUFFT_HOST_PIPELINED_CASES_H

#include "recipe_case.h"
#include <vector>

namespace gr {
namespace gpufft {

// Both ways of copying, on two and three passes; frames at any alignment; samples of 8, 4
// and 2 bytes, shifted, in any order.
std::vector<recipe_case> host_pipelined_cases();

} // namespace gpufft
} // namespace gr

#endif
