// SPDX-License-Identifier: GPL-3.0-or-later
//
// The levels of a hierarchical transform: their lengths, the tiles that their kernels may
// have, and what these cost.

#ifndef INCLUDED_GPUFFT_LEVEL_SHAPES_H
#define INCLUDED_GPUFFT_LEVEL_SHAPES_H

#include "algorithm.h"
#include <string>
#include <utility>
#include <vector>

namespace gr {
namespace gpufft {

constexpr int LINE_BYTES = 128;    // of the L2 cache
constexpr int MAX_COLUMNS = 64;    // of a tile
constexpr int MIN_TILE = 8 * 1024; // bytes

// Points of a tile on this card: in shared memory, a little of it for padding.
std::size_t longest_tile(const problem& what, const device_traits& card);

// Columns of a tile at least: a sector of memory side by side.
int least_columns(const problem& what);

// Which lengths the levels may have, as few levels as it takes and `more`, the most even
// ones first; "" or why there are none.
std::vector<std::vector<std::size_t>>
level_lengths(const problem& what, const device_traits& card, int more = 0);
std::string level_obstacle(const problem& what, const device_traits& card);

// Tiles of so many columns beside each other.
std::size_t groups(std::size_t neighbours, int columns);

// What a level's tiles have: columns that are neighbours, or these and their partners
// (kernels/mirrored_tiles.cuh), whose values are stored in runs that begin anywhere in a
// sector: such tiles may share columns (kernels/sector_tiles.cuh).
enum class tile_kind { neighbours, partners, runs };

bool shares_columns(const stockham_shape& shape);

// One of the levels of these lengths.
struct level_place {
    const std::vector<std::size_t>& lengths;
    std::size_t number;
    tile_kind kind = tile_kind::neighbours;

    bool is_row() const { return number + 1 == lengths.size(); } // the last one
    bool is_mirrored() const { return kind != tile_kind::neighbours; }

    // Of its tile in memory: the points between a column's elements, or the rows of the
    // first level's length.
    std::size_t neighbours() const;
};

// The time that it takes, over that of a copy of the data.
double level_cost(const problem& what,
                  const stockham_shape& shape,
                  const level_place& level,
                  const device_traits& card);

// Shapes for it with any number of columns, estimated best first.
std::vector<std::pair<double, stockham_shape>>
level_shapes(const problem& what, const level_place& level, const device_traits& card);

} // namespace gpufft
} // namespace gr

#endif
