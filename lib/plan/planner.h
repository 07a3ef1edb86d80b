// SPDX-License-Identifier: GPL-3.0-or-later
//
// The planner chooses a recipe for a problem on the GPU kernels.

#ifndef INCLUDED_GPUFFT_PLANNER_H
#define INCLUDED_GPUFFT_PLANNER_H

#include "recipe.h"
#include <gnuradio/gpufft/problem.h>

namespace gr {
namespace gpufft {

// Longest transform of the single-pass Stockham kernel.
constexpr std::size_t MAX_STOCKHAM_SIZE = 8192;

// True if n = 2^a 3^b 5^c 7^d 11^e 13^f, n <= 8192.
bool is_stockham_size(std::size_t n);

// The recipe for the GPU kernels. Throws std::invalid_argument that names the length and
// the lengths there are if the kernels do not have it.
recipe make_recipe(const problem& what);

// The `limit` shapes with the best estimates for a length, best first. sums_powers: for
// problems whose powers may be averaged.
std::vector<stockham_shape>
stockham_candidates(int n, std::size_t limit = 6, bool sums_powers = false);

} // namespace gpufft
} // namespace gr

#endif
