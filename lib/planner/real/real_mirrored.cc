// SPDX-License-Identifier: GPL-3.0-or-later
//
// Pairs of butterflies, and the distance of rows in shared memory.

#include "real_mirrored.h"
#include "planner/cost.h"
#include "planner/cost_constants.h"
#include "planner/stockham/stockham_shapes.h"

#include <algorithm>
#include <stdexcept>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t BANKS_BYTES = 128; // bytes that shared memory serves at once
constexpr std::size_t VECTOR_BYTES = 16; // bytes that a thread moves at once

// Whether each thread has whole pairs of butterflies of this radix, or there is only one
// butterfly.
bool has_whole_pairs(const stockham_shape& shape, int radix)
{
    const int butterflies = shape.n / radix;
    return radix % 2 == 0 && (butterflies == 1 || butterflies % (2 * shape.threads) == 0);
}

// Items from row to row in shared memory for which teams of threads access different
// banks: each team its own row, each thread `bytes` neighbouring bytes.
std::size_t
row_stride(std::size_t items, std::size_t item_bytes, int threads, std::size_t bytes)
{
    const bool is_moved_whole = items * item_bytes % VECTOR_BYTES == 0;
    const std::size_t granule = is_moved_whole ? VECTOR_BYTES : item_bytes;
    const std::size_t team = std::max(threads * bytes, granule);
    if (team >= BANKS_BYTES)
        return items;
    std::size_t stride = items * item_bytes;
    while (stride % BANKS_BYTES != team / granule * granule)
        stride += granule;
    return stride / item_bytes;
}

// Numbers that a thread reads at once.
int numbers_read(const real_ends& ends) { return ends.stages_load ? 4 : 2; }

// Blocks that fit a multiprocessor if a thread has `of_point` registers for each point
// and `beside` others.
int blocks_with(int of_point,
                int beside,
                const stockham_shape& shape,
                const device_traits& card)
{
    const int points = std::max(shape.points(), shape.results());
    const int registers =
        std::min(points * of_point + beside, fitted::real::MIRRORED_MOST_REGISTERS) *
        shape.point_bytes() / 8;
    return blocks_with_registers(
        std::min(registers, MOST_REGISTERS), whole_warps(shape.block_threads()), card);
}

// Sets the shape's ends and a bound on blocks: few enough to leave the compiler
// registers, but two if these do not spill.
void set_ends(stockham_shape& shape,
              const problem& what,
              const real_ends& ends,
              const device_traits& card)
{
    using namespace fitted::real;
    constexpr std::size_t LEAST_READ = 256, LEAST_STORED = 128; // bytes side by side
    constexpr int OTHER_BLOCKS = 3;
    shape.mirrored = true;
    shape.blocks = std::max(
        { 1,
          blocks_with(MIRRORED_OF_POINT, MIRRORED_BESIDE_POINTS, shape, card),
          std::min(
              2,
              blocks_with(
                  MIRRORED_LEAST_OF_POINT, MIRRORED_LEAST_BESIDE_POINTS, shape, card)) });
    shape.staged_load =
        shape.threads * numbers_read(ends) * what.input_item_bytes() < LEAST_READ;
    const bool is_padded = shape.threads * what.output_item_bytes() < LEAST_STORED;
    shape.staged_store = is_padded || shape.blocks >= OTHER_BLOCKS;
}

} // namespace

bool can_mirror(const real_ends& ends, const stockham_shape& shape)
{
    const bool is_shared = shape.radices.size() > 1; // uses shared memory
    return !ends.is_odd && shape.columns == 1 &&
           (!ends.stages_load || is_shared || has_whole_pairs(shape, shape.n)) &&
           (!ends.stages_store || has_whole_pairs(shape, shape.radices.back()));
}

std::vector<stockham_shape>
mirrored_shapes(const problem& what, const real_ends& ends, const device_traits& card)
{
    constexpr std::size_t SHAPES = 12;
    constexpr int MOST_HELD = 32; // points of a thread
    constexpr double REFUSED = 1e9;
    stockham_shape like;
    like.n = int(ends.points);
    like.is_double = what.is_double();
    const auto rank = [&](stockham_shape& shape) {
        set_ends(shape, what, ends, card);
        if (!can_mirror(ends, shape) || shape.results() > MOST_HELD)
            return REFUSED;
        return estimated_cost(shape, card);
    };
    std::vector<stockham_shape> found;
    for (stockham_shape& shape : best_shapes(like, SHAPES, card, rank))
        if (rank(shape) < REFUSED &&
            mirrored_kernel(what, ends, shape).shared_bytes <= card.shared_bytes)
            found.push_back(shape);
    return found;
}

kernel_instance
mirrored_kernel(const problem& what, const real_ends& ends, const stockham_shape& shape)
{
    if (!can_mirror(ends, shape))
        throw std::invalid_argument(
            "a mirrored shape of " + std::to_string(shape.n) + " points needs an even " +
            "last radix whose butterflies are a multiple of 2 threads = " +
            std::to_string(2 * shape.threads));
    const std::size_t input_bytes = what.input_item_bytes(),
                      output_bytes = what.output_item_bytes();
    // a thread reads two or four numbers, and stores one number or bin
    const bool shares_points = // instead of its own row
        ends.stages_load && !has_whole_pairs(shape, shape.radices.front());
    const std::size_t input_stride = shape.staged_load && !shares_points
                                         ? row_stride(what.frame_samples(),
                                                      input_bytes,
                                                      shape.threads,
                                                      input_bytes * numbers_read(ends))
                                         : 0;
    const std::size_t output_stride =
        shape.staged_store
            ? row_stride(what.row_bins(), output_bytes, shape.threads, output_bytes)
            : 0;
    const std::size_t of_row = std::max({ std::size_t(shape.stride) * shape.point_bytes(),
                                          input_stride * input_bytes,
                                          output_stride * output_bytes });
    kernel_instance kernel = block_kernel(
        shape,
        shape_text(shape),
        shape.transforms * ((of_row + VECTOR_BYTES - 1) / VECTOR_BYTES * VECTOR_BYTES) +
            VECTOR_BYTES,
        "real/real_mirrored.cuh",
        "real_mirrored_kernel",
        ends.pack,
        ends.split);
    kernel.further = list_of(input_stride, output_stride);
    return kernel;
}

} // namespace gpufft
} // namespace gr
