// SPDX-License-Identifier: GPL-3.0-or-later
//
// The hierarchical transform: column levels and a row level through global memory.

#ifndef INCLUDED_GPUFFT_HIERARCHICAL_H
#define INCLUDED_GPUFFT_HIERARCHICAL_H

#include "level_shapes.h"
#include "planner/algorithm.h"

namespace gr {
namespace gpufft {

algorithm hierarchical_algorithm();

// The kinds of tiles of the first and the last level. The functions below are
// candidates() and cost() for these kinds.
struct mirrored_levels {
    tile_kind first = tile_kind::neighbours, last = tile_kind::neighbours;
};

std::vector<recipe> mirrored_candidates(const problem& what,
                                        const mirrored_levels& mirrored,
                                        const device_traits& card);
double mirrored_cost(const problem& what,
                     const recipe& how,
                     const mirrored_levels& mirrored,
                     const device_traits& card);

// The launch of a column level from scratch to scratch, for `outer` vectors of `left`
// points in a frame.
launch_step column_step(const stockham_shape& shape, std::size_t left, std::size_t outer);

} // namespace gpufft
} // namespace gr

#endif
