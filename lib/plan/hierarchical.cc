// SPDX-License-Identifier: GPL-3.0-or-later
//
// The hierarchical transform of kernels/hierarchical.cuh: the levels together, and their
// launches.

#include "hierarchical.h"
#include "filter_bank.h"
#include "level_shapes.h"
#include "stockham.h"
#include "stockham_shapes.h"

#include <algorithm>

namespace gr {
namespace gpufft {

namespace {

constexpr int CHAINED_TILES = 132;    // of columns, ahead of the rows
constexpr double COST_CHAINED = 1.05; // over that of two launches, on an H200

// Frames of a chained launch that live in the scratch at once.
std::size_t ring_frames(const recipe& how)
{
    return how.frames_ahead + how.frames_ahead / 2 + 2;
}

// Both levels in one launch: they need as many threads, and the ring must fit the cache.
std::vector<recipe> chained(const recipe& apart, const device_traits& card)
{
    std::vector<recipe> found;
    if (apart.shapes.size() != 2 || apart.shapes[0].threads != apart.shapes[1].threads)
        return found;
    const std::size_t tiles = apart.n / apart.shapes[0].elements() + 1;
    for (int ahead : { CHAINED_TILES, 2 * CHAINED_TILES }) {
        recipe how = apart;
        how.algorithm = "chained";
        how.frames_ahead = (ahead + tiles - 1) / tiles;
        if (ring_frames(how) * how.n * how.shape().point_bytes() <= card.l2_bytes &&
            (found.empty() || found.back().frames_ahead != how.frames_ahead))
            found.push_back(how);
    }
    return found;
}

// Extends the recipes by every shape of the next level.
std::vector<std::pair<double, recipe>>
with_level(const std::vector<std::pair<double, recipe>>& recipes,
           const std::vector<std::pair<double, stockham_shape>>& shapes)
{
    std::vector<std::pair<double, recipe>> longer;
    for (const auto& [cost, how] : recipes)
        for (const auto& [more, shape] : shapes) {
            longer.emplace_back(cost + more, how);
            longer.back().second.shapes.push_back(shape);
        }
    return longer;
}

// Of a recipe's level.
level_place place_of(const std::vector<std::size_t>& lengths,
                     std::size_t level,
                     const mirrored_levels& mirrored)
{
    if (level == 0)
        return { lengths, level, mirrored.first };
    return { lengths,
             level,
             level + 1 == lengths.size() ? mirrored.last : tile_kind::neighbours };
}

std::vector<recipe> candidates(const problem& what, const device_traits& card)
{
    return mirrored_candidates(what, {}, card);
}

// Levels whose tiles have as many columns each, for the chained launch.
std::vector<recipe> even_tiles(const problem& what, const device_traits& card)
{
    constexpr std::size_t SPLITS = 3;
    const std::size_t least_tile = MIN_TILE / point_bytes(what);
    std::vector<recipe> found;
    const std::vector<std::vector<std::size_t>> all = level_lengths(what, card);
    for (std::size_t i = 0; i < std::min(all.size(), SPLITS); ++i) {
        const std::vector<std::size_t>& lengths = all[i];
        const std::size_t largest = *std::max_element(lengths.begin(), lengths.end());
        const int fewest = least_columns(what);
        for (int columns = fewest; columns <= MAX_COLUMNS; columns *= 2) {
            recipe how;
            how.algorithm = "hierarchical";
            how.n = what.n;
            for (std::size_t level = 0; level < lengths.size(); ++level) {
                const std::size_t n = lengths[level];
                const bool is_row = level + 1 == lengths.size();
                if (n * columns <= longest_tile(what, card))
                    for (const auto& shape : tile_candidates(
                             int(n), columns, is_row, 1, full_estimate, what.is_double()))
                        how.shapes.push_back(shape);
            }
            if (how.shapes.size() != lengths.size() ||
                (largest * columns < least_tile && columns > fewest))
                continue;
            found.push_back(how);
        }
    }
    return found;
}

std::vector<recipe> chained_candidates(const problem& what, const device_traits& card)
{
    std::vector<recipe> found;
    for (const recipe& apart : even_tiles(what, card))
        for (const recipe& how : chained(apart, card))
            found.push_back(how);
    return found;
}

std::string chained_obstacle(const problem& what, const device_traits& card)
{
    const std::string reason = level_obstacle(what, card);
    if (!reason.empty())
        return reason;
    return chained_candidates(what, card).empty()
               ? "FFT size " + std::to_string(what.n) +
                     " has no two levels of as many threads whose ring fits the " +
                     std::to_string(card.l2_bytes) + " bytes of the L2 cache"
               : "";
}

double cost(const problem& what, const recipe& how, const device_traits& card)
{
    const double sum = mirrored_cost(what, how, {}, card);
    return (how.frames_ahead > 0 ? COST_CHAINED * sum : sum) + bank_cost(what);
}

kernel_instance
level_kernel(const stockham_shape& shape, const std::string& level, std::size_t tiles)
{
    kernel_instance kernel;
    kernel.header = "hierarchical.cuh";
    kernel.expression = "hierarchical_kernel<" + shape_text(shape) + ", " + level + ">";
    kernel.block_threads = shape.threads;
    kernel.blocks_per_frame = int(tiles);
    kernel.shared_bytes = shape.shared_bytes();
    return kernel;
}

// Joins the two launches of a program of two levels.
program
chain(const program& apart, const std::vector<std::string>& levels, const recipe& how)
{
    const kernel_instance& columns = apart.steps[0].kernel;
    const kernel_instance& rows = apart.steps[1].kernel;
    program made;
    made.tables = apart.tables;
    made.ring_points = ring_frames(how) * how.n;
    made.counters = 2;
    made.more_counters = 2;
    launch_step step = apart.steps[0];
    step.to = place::output;
    step.more_twiddles = apart.steps[1].twiddles;
    step.kernel.header = "chained.cuh";
    step.kernel.shared_bytes = std::max(columns.shared_bytes, rows.shared_bytes);
    step.kernel.blocks_per_frame = columns.blocks_per_frame + rows.blocks_per_frame;
    step.kernel.expression =
        "chained_kernel<" + levels[0] + ", " + levels[1] + ", " +
        std::to_string(how.shapes[0].threads) + ", " +
        std::to_string(std::min(how.shapes[0].blocks, how.shapes[1].blocks)) + ", " +
        std::to_string(how.frames_ahead) + ", " + std::to_string(ring_frames(how)) + ">";
    made.steps.push_back(step);
    return made;
}

// The same, and what each level is in its kernel.
program levels_program(const recipe& how,
                       const std::function<std::string(bool lines)>& load_end,
                       const std::string& store_end,
                       std::vector<std::string>& levels)
{
    program made;
    made.scratch_points[0] = how.n;
    std::size_t left = how.n, outer = 1; // points of a vector here, vectors of a frame
    std::string lengths;
    for (std::size_t level = 0; level < how.shapes.size(); ++level) {
        const stockham_shape& shape = how.shapes[level];
        const bool is_first = level == 0, is_last = level + 1 == how.shapes.size();
        const bool lines = shape.columns * shape.point_bytes() < LINE_BYTES && !is_last;
        const std::string load = is_first ? load_end(lines)
                                 : lines  ? "load_scratch_of<true>"
                                          : "load_scratch";
        launch_step step;
        step.from = is_first ? place::input : place::scratch_0;
        step.to = is_last ? place::output : place::scratch_0;
        step.twiddles = made.add(stockham_twiddles(shape));
        const std::string shape_and_load = shape_text(shape) + ", " + load + ", ";
        levels.push_back(is_last ? "row_level<" + shape_and_load + store_end +
                                       ", level_list<" + lengths + ">>"
                                 : "column_level<" + shape_and_load + "store_scratch, " +
                                       std::to_string(left) + ", " +
                                       std::to_string(outer) + ">");
        const std::size_t tiles =
            is_last ? groups(how.shapes[0].n, shape.columns) * (outer / how.shapes[0].n)
                    : outer * groups(left / shape.n, shape.columns);
        step.kernel = level_kernel(shape, levels.back(), tiles);
        made.steps.push_back(step);
        lengths += (is_first ? "" : ", ") + std::to_string(shape.n);
        left /= shape.n;
        outer *= shape.n;
    }
    return made;
}

program build(const problem& what, const recipe& how)
{
    std::vector<std::string> levels;
    const program apart = levels_program(
        how,
        [&](bool lines) { return load_text(what, lines); },
        store_text(what),
        levels);
    return how.frames_ahead > 0 ? chain(apart, levels, how) : apart;
}

} // namespace

program levels_program(const recipe& how,
                       const std::function<std::string(bool lines)>& load,
                       const std::string& store)
{
    std::vector<std::string> levels;
    return levels_program(how, load, store, levels);
}

// One launch a level. With partners one more level may be better than short rows.
std::vector<recipe> mirrored_candidates(const problem& what,
                                        const mirrored_levels& mirrored,
                                        const device_traits& card)
{
    constexpr std::size_t SPLITS = 5, KEPT = 40;
    const bool is_any =
        mirrored.first != tile_kind::neighbours || mirrored.last != tile_kind::neighbours;
    std::vector<std::pair<double, recipe>> all;
    const std::vector<std::vector<std::size_t>> splits =
        level_lengths(what, card, is_any ? 1 : 0);
    for (std::size_t i = 0; i < std::min(splits.size(), is_any ? 2 * SPLITS : SPLITS);
         ++i) {
        recipe how;
        how.algorithm = "hierarchical";
        how.n = what.n;
        std::vector<std::pair<double, recipe>> recipes = { { 0.0, how } };
        for (std::size_t level = 0; level < splits[i].size(); ++level)
            recipes = with_level(
                recipes, level_shapes(what, place_of(splits[i], level, mirrored), card));
        all.insert(all.end(), recipes.begin(), recipes.end());
    }
    return best_recipes(std::move(all), KEPT);
}

double mirrored_cost(const problem& what,
                     const recipe& how,
                     const mirrored_levels& mirrored,
                     const device_traits& card)
{
    double sum = 0;
    std::vector<std::size_t> lengths;
    for (const stockham_shape& shape : how.shapes)
        lengths.push_back(shape.n);
    for (std::size_t level = 0; level < lengths.size(); ++level)
        sum +=
            level_cost(what, how.shapes[level], place_of(lengths, level, mirrored), card);
    return sum;
}

algorithm hierarchical_algorithm()
{
    algorithm hierarchical = { "hierarchical", level_obstacle, candidates, cost,
                               build,          true,           2.0 };
    hierarchical.takes = is_c2c_or_bank;
    return hierarchical;
}

algorithm chained_algorithm()
{
    return { "chained", chained_obstacle, chained_candidates, cost, build, true, 2.0 };
}

} // namespace gpufft
} // namespace gr
