// SPDX-License-Identifier: GPL-3.0-or-later
//
// The problems whose kernels the build instantiates with g++ for the host engine.

#ifndef INCLUDED_GPUFFT_HOST_PROBLEMS_H
#define INCLUDED_GPUFFT_HOST_PROBLEMS_H

#include "planner/recipe.h"
#include <gnuradio/gpufft/problem.h>
#include <utility>
#include <vector>

namespace gr {
namespace gpufft {

// Plain complex forward transforms: every length up to 512 that the kernels have, then a
// list up to 8192 with all prime factors and the planner's boundaries.
std::vector<std::size_t> host_lengths();

// All load and store steps, on lengths with different shapes: one thread, one warp, a
// block, staged and direct, odd and even.
std::vector<problem> host_step_problems();

// Problems that name their algorithm.
std::vector<problem> host_algorithm_problems();

// Rader's and Bluestein's algorithms: all numbers of axes, frames a block, load and store
// steps.
std::vector<problem> host_prime_problems();

// The same algorithms in the ways that the planner may not choose.
std::vector<std::pair<problem, recipe>> host_prime_cases();

// Bluestein's algorithm with two column levels, which the planner takes for lengths that
// are too long for the host engine: a problem of 10007 points, and how.
problem three_level_problem();
recipe three_level_recipe();

} // namespace gpufft
} // namespace gr

#endif
