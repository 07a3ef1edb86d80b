// SPDX-License-Identifier: GPL-3.0-or-later
//
// Shapes of the Stockham kernel for a length, ranked by an estimate.

#ifndef INCLUDED_GPUFFT_STOCKHAM_SHAPES_H
#define INCLUDED_GPUFFT_STOCKHAM_SHAPES_H

#include "planner/algorithm.h"
#include "planner/radices.h"
#include <functional>

namespace gr {
namespace gpufft {

// Radices of the passes of a length: the fewest passes and one more, in falling order.
std::vector<std::vector<int>> radix_splits(int n);

// Transforms per block for such a shape: close to the target number of threads, with few
// idle lanes in the last warp.
int transforms_of_block(const stockham_shape& shape);

// Estimates a shape, and may first adapt it to a call. full_estimate() is
// estimated_cost(), and the default where an estimate is null.
typedef std::function<double(stockham_shape&)> shape_estimate;
shape_estimate full_estimate(const device_traits& card);

// The `limit` shapes with the lowest estimates, lowest first. least: a lower bound that
// is faster to compute.
std::vector<stockham_shape> ranked(std::vector<stockham_shape> shapes,
                                   std::size_t limit,
                                   const shape_estimate& rank,
                                   const shape_estimate& least = nullptr);

// The best of all shapes of a length, with their paddings. `like` holds the length and
// all else that the caller fixes.
std::vector<stockham_shape> best_shapes(const stockham_shape& like,
                                        std::size_t limit,
                                        const device_traits& card,
                                        const shape_estimate& rank = nullptr);

// The `limit` shapes with the best estimates for a smooth length, best first.
// sums_powers: for problems whose powers may be averaged.
std::vector<stockham_shape> stockham_candidates(int n,
                                                const device_traits& card,
                                                std::size_t limit = 6,
                                                bool sums_powers = false,
                                                bool is_double = false);

// The same for a tile of columns. by_rows: each column is contiguous where it is read.
std::vector<stockham_shape> tile_candidates(int n,
                                            int columns,
                                            bool by_rows,
                                            std::size_t limit,
                                            const device_traits& card,
                                            const shape_estimate& rank = nullptr,
                                            bool is_double = false);

// The same without paddings, which is fast: the caller chooses paddings for the shapes
// that it keeps.
std::vector<stockham_shape> bare_tiles(int n,
                                       int columns,
                                       bool by_rows,
                                       std::size_t limit,
                                       const device_traits& card,
                                       const shape_estimate& rank = nullptr,
                                       bool is_double = false);

// Estimates tiles for a call with a launch of `tiles` tiles.
shape_estimate
tile_estimate(const problem& what, const device_traits& card, double tiles);

} // namespace gpufft
} // namespace gr

#endif
