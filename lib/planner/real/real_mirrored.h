// SPDX-License-Identifier: GPL-3.0-or-later
//
// Real transforms in one block whose threads hold both points of each pair
// (kernels/real/real_mirrored.cuh): which shapes allow it, and their kernel.

#ifndef INCLUDED_GPUFFT_REAL_MIRRORED_H
#define INCLUDED_GPUFFT_REAL_MIRRORED_H

#include "planner/algorithm.h"
#include "real_kernels.h"

namespace gr {
namespace gpufft {

// Whether a shape allows it: a last pass that needs pairs gives every thread whole pairs
// of butterflies.
bool can_mirror(const real_ends& ends, const stockham_shape& shape);

// The shapes of ends.points points that are worth trying in calls that fill the card.
std::vector<stockham_shape>
mirrored_shapes(const problem& what, const real_ends& ends, const device_traits& card);

// The kernel for a mirrored shape; its ends are those of real_kernel().
kernel_instance
mirrored_kernel(const problem& what, const real_ends& ends, const stockham_shape& shape);

} // namespace gpufft
} // namespace gr

#endif
