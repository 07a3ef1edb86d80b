// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which problems of double precision the host engine can run.

#ifndef INCLUDED_GPUFFT_HOST_DOUBLE_PROBLEMS_H
#define INCLUDED_GPUFFT_HOST_DOUBLE_PROBLEMS_H

#include "recipe_case.h"
#include <vector>

namespace gr {
namespace gpufft {

// Every algorithm, with the recipe that the planner takes, in small and in full calls.
std::vector<problem> host_double_problems();

// Ways that it may not take for these lengths: stockham's tiles, its pipeline, clusters.
std::vector<recipe_case> host_double_cases();

} // namespace gpufft
} // namespace gr

#endif
