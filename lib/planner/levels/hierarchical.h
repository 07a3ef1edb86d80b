// SPDX-License-Identifier: GPL-3.0-or-later
//
// The hierarchical transform: column levels and a row level through global memory.

#ifndef INCLUDED_GPUFFT_HIERARCHICAL_H
#define INCLUDED_GPUFFT_HIERARCHICAL_H

#include "planner/algorithm.h"
#include "level_shapes.h"

namespace gr {
namespace gpufft {

algorithm hierarchical_algorithm();

// The tiles of the first and the last level. The functions below are the algorithm's for
// such tiles.
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

// The launches of a recipe for a problem, with these steps at its ends.
program
levels_program(const problem& what, const recipe& how, const end_steps& ends = {});

} // namespace gpufft
} // namespace gr

#endif
