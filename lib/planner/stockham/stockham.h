// SPDX-License-Identifier: GPL-3.0-or-later
//
// The single-pass Stockham transform of vectors that fit one block.

#ifndef INCLUDED_GPUFFT_STOCKHAM_H
#define INCLUDED_GPUFFT_STOCKHAM_H

#include "planner/algorithm.h"
#include "stockham_shapes.h"

namespace gr {
namespace gpufft {

algorithm stockham_algorithm();

// True if one block of the card can transform n points.
bool is_stockham_size(std::size_t n,
                      const device_traits& card = device_traits(),
                      bool is_double = false);

// True if threads that read and write vectors (or frames) themselves may touch sectors
// twice: vectors begin within sectors, or have too few points for rows of lanes.
bool is_for_tiles(const problem& what);

// Time of a shape whose blocks move their vectors as tiles, relative to a copy of the
// data, in calls that fill the card.
double cost_in_tiles(const stockham_shape& shape, const device_traits& card);

// Longest vector that one block of the card transforms.
std::size_t longest_stockham(const device_traits& card, bool is_double = false);

} // namespace gpufft
} // namespace gr

#endif
