// SPDX-License-Identifier: GPL-3.0-or-later
//
// What real rows cost at the ends of a complex transform in one block.

#ifndef INCLUDED_GPUFFT_REAL_COST_H
#define INCLUDED_GPUFFT_REAL_COST_H

#include "planner/algorithm.h"
#include "real_kernels.h"

namespace gr {
namespace gpufft {

// Cost of round trips through shared memory: of staged points or rows, and of partners
// unless a thread has both. Teams that are neither part of a warp nor whole warps wait
// for the block.
double cost_of_ends(const problem& what,
                    const stockham_shape& shape,
                    const real_ends& ends,
                    const device_traits& card);

// The same for Rader's, Bluestein's and the mixed algorithm.
double cost_of_convolution_ends(const problem& what,
                                const recipe& inside,
                                const device_traits& card);

} // namespace gpufft
} // namespace gr

#endif
