// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rader's algorithm for frames that fit no block: one column level, then rows.

#ifndef INCLUDED_GPUFFT_RADER_LEVELS_H
#define INCLUDED_GPUFFT_RADER_LEVELS_H

#include "planner/algorithm.h"
#include <complex>
#include <cstdint>

namespace gr {
namespace gpufft {

// True if N - 1 is a product of a column's and a row's length.
bool has_rader_levels(std::uint64_t n);

// The best estimate first.
std::vector<recipe> rader_levels_candidates(const problem& what,
                                            const device_traits& card);

double
rader_levels_cost(const problem& what, const recipe& how, const device_traits& card);

// what: the forward problem; order: the sample, then the bin of every point, in the order
// of time; filter: the filter of the convolution.
template <class T>
program rader_levels_program(const problem& what,
                             const recipe& how,
                             std::vector<int> order,
                             std::vector<std::complex<T>> filter);

} // namespace gpufft
} // namespace gr

#endif
