// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rader's algorithm for prime lengths N with N - 1 a product of small primes.

#ifndef INCLUDED_GPUFFT_RADER_H
#define INCLUDED_GPUFFT_RADER_H

#include "planner/algorithm.h"

namespace gr {
namespace gpufft {

algorithm rader_algorithm();

// The best recipes in a block that do not read ahead: for rows behind other kernels.
std::vector<recipe>
rader_rows(const problem& what, const device_traits& card, std::size_t limit);

// Transforms of R M points in one block, M prime: a column pass of radix R before Rader's
// algorithm (mixed_kernel in kernels/convolution/mixed.cuh). The only shape of a recipe
// has n = M - 1 and columns = R; rader_algorithm() estimates and builds it, too.
bool has_rader_columns(const problem& what, const device_traits& card);
std::vector<recipe> rader_candidates_with_columns(const problem& what,
                                                  const device_traits& card);

} // namespace gpufft
} // namespace gr

#endif
