// SPDX-License-Identifier: GPL-3.0-or-later
//
// Cuts the axes into steps of the tensor algorithm, so that the data passes through
// memory as few times as possible.

#ifndef INCLUDED_GPUFFT_TENSOR_CUTS_H
#define INCLUDED_GPUFFT_TENSOR_CUTS_H

#include "planner/algorithm.h"

namespace gr {
namespace gpufft {

constexpr int MOST_TENSOR_STEPS = 8;

// Columns that fill a sector of memory.
std::size_t fewest_columns(const problem& what);

// Lengths of the axes, without those of one point, which need no transform.
std::vector<std::size_t> long_axes(const problem& what);

// The ways to cut with the fewest steps, most even tiles first. A way lists the lengths
// along the axes of each step.
std::vector<std::vector<std::vector<int>>> fewest_tensor_steps(const problem& what,
                                                               const device_traits& card);

} // namespace gpufft
} // namespace gr

#endif
