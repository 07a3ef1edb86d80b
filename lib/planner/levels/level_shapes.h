// SPDX-License-Identifier: GPL-3.0-or-later
//
// The levels of a hierarchical transform: their lengths, the tiles of their kernels, and
// the cost of each tile.

#ifndef INCLUDED_GPUFFT_LEVEL_SHAPES_H
#define INCLUDED_GPUFFT_LEVEL_SHAPES_H

#include "planner/algorithm.h"
#include <string>
#include <utility>
#include <vector>

namespace gr {
namespace gpufft {

constexpr int MAX_COLUMNS = 64;    // columns of a tile
constexpr int MIN_TILE = 8 * 1024; // bytes

// The fewest columns of a tile: they fill a sector of memory.
int least_columns(const problem& what);

// The lengths that the levels may have, most even first, for the fewest levels possible
// and up to `more` more. level_obstacle(): why there are none, or "".
std::vector<std::vector<std::size_t>>
level_lengths(const problem& what, const device_traits& card, int more = 0);
std::string level_obstacle(const problem& what, const device_traits& card);

// Number of tiles of `columns` columns that cover `neighbours` columns side by side.
std::size_t tiles_across(std::size_t neighbours, int columns);

// What a level's tiles hold. `neighbours`: neighbouring columns. `partners`: these and
// their partners (kernels/real/mirrored_tiles.cuh). `runs`: the same, but stored in runs
// that begin anywhere in a sector, so that tiles may share columns
// (kernels/real/sector_tiles.cuh).
enum class tile_kind { neighbours, partners, runs };

bool shares_columns(const stockham_shape& shape);

// One level of a transform with levels of these lengths.
struct level_place {
    const std::vector<std::size_t>& lengths;
    std::size_t number;
    tile_kind kind = tile_kind::neighbours;

    bool is_row() const { return number + 1 == lengths.size(); } // the last one
    bool is_mirrored() const { return kind != tile_kind::neighbours; }

    // The number of columns that the level's tiles share: the points between a column's
    // elements, or the rows of the first level's length.
    std::size_t neighbours() const;
};

// Time of a level, relative to a copy of the data.
double level_cost(const problem& what,
                  const stockham_shape& shape,
                  const level_place& level,
                  const device_traits& card);

// Shapes for a level with any number of columns, lowest estimate first.
std::vector<std::pair<double, stockham_shape>>
level_shapes(const problem& what, const level_place& level, const device_traits& card);

} // namespace gpufft
} // namespace gr

#endif
