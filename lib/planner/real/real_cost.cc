// SPDX-License-Identifier: GPL-3.0-or-later

#include "real_cost.h"
#include "planner/cost.h"
#include "planner/cost_constants.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gr {
namespace gpufft {

namespace {

using namespace fitted::real;

// Threads without a butterfly in the first or the last pass, divided by those with one:
// idle threads do not help to read and store the rows.
double idle_at_ends(const stockham_shape& shape)
{
    double idle = 0;
    for (int radix : { shape.radices.front(), shape.radices.back() }) {
        const double butterflies = double(shape.n) / radix;
        idle += std::ceil(butterflies / shape.threads) * shape.threads / butterflies - 1;
    }
    return idle;
}

// Blocks of rows that move as tiles, on a multiprocessor.
int resident_tiles(const problem& what,
                   const stockham_shape& shape,
                   const real_ends& ends,
                   const device_traits& card)
{
    const int blocks = std::min(
        blocks_without_registers(
            shape.block_threads(), real_kernel(what, ends, shape).shared_bytes, card),
        blocks_with_registers(register_target(shape), shape.block_threads(), card));
    return shape.blocks > 0 ? std::min(blocks, shape.blocks) : blocks;
}

// Cycles in which lanes that store numbers of different rows side by side do so.
double cycles_of_stores(const problem& what, const stockham_shape& shape, int rows)
{
    const std::size_t banks = 128 / what.output_item_bytes();
    return std::max(1.0, double(std::gcd(rows * what.row_bins(), banks)) / shape.threads);
}

// Of threads that store numbers which are no neighbours.
double cost_of_stores_apart(const problem& what)
{
    if (what.kind == transform_kind::c2r)
        return what.n % 2 != 0 ? COST_ROWS_STORED : 0; // two rows at a time
    return properties_of(what.kind).type == 3 ? COST_STORED_APART : 0;
}

// As in kernels/real/real.cuh: whether the threads of the first pass make pairs of
// points.
bool keeps_pairs(const stockham_shape& shape)
{
    constexpr int NEIGHBOURS = 16;
    const int radix = shape.radices.front();
    return radix % 2 == 0 && shape.threads >= NEIGHBOURS && shape.n / radix >= NEIGHBOURS;
}

// As cost_of_ends(), on an H100.
double time_of_ends(const problem& what,
                    const stockham_shape& shape,
                    const real_ends& ends,
                    const device_traits& card)
{
    const int type = properties_of(what.kind).type;
    const double pairs = (type == 1   ? COST_THREADS_OF_I
                          : type == 4 ? COST_THREADS_OF_IV
                                      : 0) *
                         shape.threads / shape.n;
    if (shape.tiled)
        return pairs + COST_TILE_PHASES / resident_tiles(what, shape, ends, card) +
               COST_TILE_STORES * (cycles_of_stores(what, shape, ends.rows) - 1) +
               (shape.threads > WARP && !shape.is_double ? COST_TILE_TEAM : 0);
    const double team = COST_TEAM * splits_warps(shape.threads);
    if (!shape.mirrored)
        return pairs + team + COST_IDLE * idle_at_ends(shape) +
               (ends.stages_load ? COST_PAIRS_APART * !keeps_pairs(shape)
                                 : COST_LOADED_ALONE) +
               (ends.stages_store ? 0 : cost_of_stores_apart(what));
    const bool on_sectors = // or a block's threads move all their rows together
        what.n * what.input_item_bytes() % SECTOR_BYTES == 0 ||
        (shape.radices.size() == 1 && shape.staged_load && shape.staged_store);
    return team + COST_ROWS_OFF_SECTORS * !on_sectors + (type == 1 ? pairs : 0);
}

} // namespace

double cost_of_ends(const problem& what,
                    const stockham_shape& shape,
                    const real_ends& ends,
                    const device_traits& card)
{
    return relative_time_of_instructions(card) * time_of_ends(what, shape, ends, card);
}

double cost_of_convolution_ends(const problem& what,
                                const recipe& inside,
                                const device_traits& card)
{
    if (inside.shapes.size() > 1)
        return cost_of_stores_apart(what) > 0 ? COST_STORED_BY_LEVELS : 0;
    const stockham_shape& shape = inside.shape();
    const double threads = double(std::max(1, shape.blocks)) * shape.block_threads();
    const double frames = double(shape.transforms) / shape.columns;
    return relative_time_of_instructions(card) *
           (COST_THREADS_OF_CONVOLUTION / threads - SAVED_BY_FRAMES * std::log2(frames));
}

} // namespace gpufft
} // namespace gr
