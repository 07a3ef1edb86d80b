// SPDX-License-Identifier: GPL-3.0-or-later
//
// The first tile transforms along all axes but the first, whose points lie side by side;
// the second tile along the first axis: kernels/cluster/cluster_axes.cuh.

#include "tensor_cluster.h"
#include "planner/cluster/cluster.h"
#include "planner/cluster/cluster_tiles.h"
#include "planner/cost_constants.h"
#include "tensor_cuts.h"

#include <algorithm>
#include <cmath>

namespace gr {
namespace gpufft {

namespace {

constexpr int CLUSTERS[] = { 2, 4, 8, 16 };

using namespace fitted::tensor_cluster;

constexpr std::size_t LEAST_POINTS = 1 << 13, MOST_POINTS = 1 << 18;
constexpr int LEAST_SEGMENT = 4;   // points that a block stores side by side: a sector
constexpr std::size_t SHAPES = 6;  // shapes for which cluster_ways() lists exchanges
constexpr std::size_t OF_EACH = 2; // shapes for each number of blocks

std::vector<std::size_t> long_lengths(const std::vector<std::size_t>& lengths)
{
    problem axes;
    axes.lengths = lengths;
    return long_axes(axes);
}

// Points of all axes but the first.
std::size_t points_of_rest(const std::vector<std::size_t>& lengths)
{
    std::size_t points = 1;
    for (std::size_t axis = 1; axis < lengths.size(); ++axis)
        points *= lengths[axis];
    return points;
}

// A tile of `columns` columns, its radices along one axis after the other.
std::optional<stockham_shape> tile_of_axes(const std::vector<std::size_t>& axes,
                                           int columns,
                                           int threads,
                                           bool is_double)
{
    int points = 1;
    for (std::size_t length : axes)
        points *= int(length);
    std::optional<stockham_shape> tile;
    for (std::size_t length : axes) {
        const std::optional<stockham_shape> along =
            cluster_tile(int(length), points / int(length) * columns, threads, is_double);
        if (!along)
            return {};
        if (!tile)
            tile = along;
        else
            tile->radices.insert(
                tile->radices.end(), along->radices.begin(), along->radices.end());
    }
    tile->n = points;
    tile->columns = columns;
    return tile;
}

// The twiddles of all axes, one axis after the other.
std::vector<std::complex<long double>>
twiddles_along(const stockham_shape& tile, const std::vector<std::size_t>& axes)
{
    std::vector<std::complex<long double>> twiddles;
    auto radix = tile.radices.begin();
    for (std::size_t length : axes) {
        stockham_shape along;
        for (std::size_t points = 1; points < length; points *= *radix++)
            along.radices.push_back(*radix);
        const auto own = stockham_twiddles(along);
        twiddles.insert(twiddles.end(), own.begin(), own.end());
    }
    return twiddles;
}

// Whether no thread is idle in any pass.
bool is_even(const stockham_shape& tile)
{
    return std::all_of(tile.radices.begin(), tile.radices.end(), [&](int radix) {
        return tile.elements() % (radix * tile.threads) == 0;
    });
}

int passes_of(const recipe& how)
{
    return int(how.shapes[0].radices.size() + how.shapes[1].radices.size());
}

// Lowers the bound on blocks per multiprocessor so that no thread spills: a thread holds
// the addresses of both ends besides its points. False if even one block would spill.
bool bound_blocks(recipe& how, const problem& what, const device_traits& card)
{
    constexpr int MOST_PLAIN = 16;
    const cluster_fields& way = how.of<cluster_fields>();
    const int points = std::max(points_held(how.shapes[0]), points_held(how.shapes[1]));
    const bool is_plain = !what.window && !what.shift_input && !what.shift_output &&
                          what.input_item_bytes() == point_bytes(what) &&
                          what.output_item_bytes() == point_bytes(what);
    if (is_plain && points <= MOST_PLAIN)
        return true;
    const int registers = points * how.shape().point_bytes() / 4 +
                          (!is_plain                          ? REGISTERS_BESIDE_OTHERS
                           : way.by_messages || way.two_areas ? REGISTERS_BESIDE_POINTS
                                                              : REGISTERS_BESIDE_STORES);
    const int fitting =
        blocks_with_registers(registers, whole_warps(how.shape().threads), card);
    for (stockham_shape& tile : how.shapes)
        tile.blocks = std::max(1, std::min(tile.blocks, fitting));
    return fitting > 0;
}

} // namespace

double
tensor_cluster_cost(const problem& what, const recipe& how, const device_traits& card)
{
    constexpr int MANY_POINTS = 32, MOST_THREADS = 512, FEW_PASSES = 3;
    const cluster_fields& way = how.of<cluster_fields>();
    const stockham_shape& columns = how.shapes[0];
    const int held = std::max(points_held(columns), points_held(how.shapes[1]));
    const bool is_alone = // its points fill the registers
        columns.threads * held * (columns.point_bytes() / 8) >=
        MOST_THREADS * MANY_POINTS;
    const double full =
        COST_FRAME + COST_PASS * passes_of(how) + COST_RUN / columns.columns +
        COST_DOUBLING * std::log2(how.cluster()) + COST_LARGEST * (how.cluster() == 16) +
        COST_ALONE * (is_alone && passes_of(how) > FEW_PASSES) +
        COST_LONG * (how.n > LONG) + COST_SHORT * (held < MANY_POINTS) +
        COST_RADIX_2 * (how.shapes[1].radices.back() == 2) +
        COST_OTHER_WAY * (way.by_messages || way.two_areas);
    return cluster_call_cost(full, what, how, card);
}

std::optional<recipe> tensor_cluster_recipe(const cluster_fields& way,
                                            const std::vector<std::size_t>& lengths,
                                            int threads,
                                            const device_traits& card,
                                            bool is_double)
{
    const std::vector<std::size_t> axes = long_lengths(lengths);
    const int first = int(axes.front()), rest = int(points_of_rest(axes));
    const auto planes = tile_of_axes({ axes.begin() + 1, axes.end() },
                                     divide_up(first, way.cluster),
                                     threads,
                                     is_double);
    const auto rows =
        tile_of_axes({ axes.front() }, divide_up(rest, way.cluster), threads, is_double);
    if (!planes || !rows)
        return {};
    recipe how = {
        "tensor", std::size_t(first) * rest, { *planes, *rows }, way, lengths
    };
    how.shapes[0].load_by_rows = true;
    return with_paddings(how, card);
}

std::vector<recipe> tensor_cluster_candidates(const problem& what,
                                              const device_traits& card)
{
    const std::vector<std::size_t> axes = long_axes(what);
    std::vector<std::pair<double, recipe>> all;
    if (!card.has_clusters() || axes.size() < 2 || what.n < LEAST_POINTS ||
        what.n > MOST_POINTS)
        return {};
    const int first = int(axes.front()), rest = int(points_of_rest(axes));
    for (int cluster : CLUSTERS) {
        if (first % cluster != 0 || rest % cluster != 0 || rest / cluster < LEAST_SEGMENT)
            continue;
        std::vector<std::pair<double, recipe>> found;
        for (int threads : cluster_thread_counts(first * (rest / cluster), first)) {
            const auto how = tensor_cluster_recipe(
                { cluster }, what.axes(), threads, card, what.is_double());
            if (how && fits_cluster(*how, card) && is_even(how->shapes[0]) &&
                is_even(how->shapes[1]))
                found.emplace_back(tensor_cluster_cost(what, *how, card), *how);
        }
        keep_best(found, OF_EACH);
        all.insert(all.end(), found.begin(), found.end());
    }
    std::vector<recipe> candidates;
    for (const recipe& tiles : best_recipes(std::move(all), SHAPES))
        for (recipe how : cluster_ways(tiles, what, card)) {
            if (how.prefetched() && what.shift_input)
                continue;
            if (bound_blocks(how, what, card))
                candidates.push_back(how);
        }
    return candidates;
}

program tensor_cluster_program(const problem& what,
                               const recipe& how,
                               const step_text& load,
                               const step_text& store)
{
    const std::vector<std::size_t> axes = long_axes(what);
    const std::vector<std::size_t> rest(axes.begin() + 1, axes.end());
    return cluster_program(how,
                           { "axes/tensor_cluster.cuh",
                             text_of("axes_tile", shape_text(how.shapes[0]), rest),
                             load,
                             store,
                             twiddles_along(how.shapes[0], rest) });
}

} // namespace gpufft
} // namespace gr
