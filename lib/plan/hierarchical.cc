// SPDX-License-Identifier: GPL-3.0-or-later
//
// The hierarchical transform of kernels/hierarchical.cuh: which lengths the levels have,
// how many columns a tile has, and the launches.

#include "hierarchical.h"
#include "cost_model.h"
#include "exchange.h"
#include "small_calls.h"
#include "stockham.h"

#include <algorithm>
#include <cmath>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t MIN_LEVEL = 8;
constexpr int SECTOR_BYTES = 32, LINE_BYTES = 128; // of global memory, of the L2 cache
constexpr int MAX_COLUMNS = 64;
constexpr int MIN_TILE = 8 * 1024, MIN_SMALL_TILE = 4 * 1024,
              MAX_TILE = 128 * 1024; // bytes

constexpr int CHAINED_TILES = 132;    // of columns, ahead of the rows
constexpr double COST_CHAINED = 1.05; // over that of two launches, on an H200

// Points of a tile on this card: in shared memory, a little of it for padding.
std::size_t longest_tile(const problem& what, const device_traits& card)
{
    return std::min<std::size_t>(MAX_TILE, card.shared_bytes / 9 * 8) / point_bytes(what);
}

int least_columns(const problem& what) { return SECTOR_BYTES / int(point_bytes(what)); }

// Points of a column at most.
std::size_t longest_level(const problem& what, const device_traits& card)
{
    return longest_tile(what, card) / least_columns(what);
}

// Lengths of `levels` levels with product n, near the n^(1/levels) first.
void split_levels(std::size_t n,
                  int levels,
                  std::size_t longest,
                  std::vector<std::size_t>& so_far,
                  std::vector<std::vector<std::size_t>>& found)
{
    if (levels == 1) {
        if (n >= MIN_LEVEL && n <= longest) {
            found.push_back(so_far);
            found.back().push_back(n);
        }
        return;
    }
    for (std::size_t first = MIN_LEVEL; first <= std::min(n, longest); ++first) {
        if (n % first != 0)
            continue;
        so_far.push_back(first);
        split_levels(n / first, levels - 1, longest, so_far, found);
        so_far.pop_back();
    }
}

// How uneven the levels are: 0 if all are equal.
double unevenness(const std::vector<std::size_t>& levels)
{
    const auto ends = std::minmax_element(levels.begin(), levels.end());
    return std::log2(double(*ends.second) / double(*ends.first));
}

std::vector<std::vector<std::size_t>> level_lengths(const problem& what,
                                                    const device_traits& card)
{
    std::vector<std::vector<std::size_t>> found;
    for (int levels = 2; levels <= 4 && found.empty(); ++levels) {
        std::vector<std::size_t> so_far;
        split_levels(what.n, levels, longest_level(what, card), so_far, found);
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
        return unevenness(a) < unevenness(b);
    });
    return found;
}

std::string obstacle(const problem& what, const device_traits& card)
{
    if (!is_smooth(what.n))
        return "FFT size " + std::to_string(what.n) +
               " has a prime factor above 13, which no radix has";
    if (level_lengths(what, card).empty())
        return "FFT size " + std::to_string(what.n) + " is not a product of levels of " +
               std::to_string(MIN_LEVEL) + " ... " +
               std::to_string(longest_level(what, card)) + " points";
    return "";
}

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

std::size_t groups(std::size_t neighbours, int columns)
{
    return (neighbours + columns - 1) / columns;
}

// Tiles beyond the level's columns, over those that it has.
double idle_columns(std::size_t neighbours, int columns)
{
    return double(groups(neighbours, columns) * columns) / neighbours;
}

// Neighbours of a level's tile in memory: the points between a column's elements, or the
// rows of the first level's length.
std::size_t neighbours_of(const std::vector<std::size_t>& lengths, std::size_t level)
{
    if (level + 1 == lengths.size())
        return lengths.front();
    std::size_t left = 1;
    for (std::size_t l = level + 1; l < lengths.size(); ++l)
        left *= lengths[l];
    return left;
}

// Measured on an H200, over a copy of the data: tiles hide half of what the model of the
// single pass says, and rows of few columns leave parts of what memory moves unused, more
// so where they are read.
constexpr double TILE_SHARE = 0.5;

double segment_cost(int bytes, bool is_row)
{
    if (bytes >= 2 * LINE_BYTES)
        return 0;
    if (bytes >= LINE_BYTES)
        return is_row ? 0.02 : 0.03;
    if (bytes >= LINE_BYTES / 2)
        return is_row ? 0.05 : 0.1;
    return is_row ? 0.2 : 0.45;
}

double tiles_of(const problem& what, std::size_t n, int columns, std::size_t neighbours)
{
    return double(what.batch) * double(what.n) / double(neighbours * n) *
           double(groups(neighbours, columns));
}

double level_cost(const problem& what,
                  const stockham_shape& shape,
                  std::size_t neighbours,
                  bool is_row,
                  const device_traits& card)
{
    const double alone = estimated_cost(shape, shape.conflicts);
    const int segment = shape.columns * shape.point_bytes(); // side by side in memory
    const double full = (1 + TILE_SHARE * (alone - 1) + segment_cost(segment, is_row)) *
                        idle_columns(neighbours, shape.columns);
    if (!is_small_call(what))
        return full;
    launch_work work =
        work_of_tile(shape, tiles_of(what, shape.n, shape.columns, neighbours));
    work.segments = !is_row && segment < LINE_BYTES;
    return launch_cost(full, work, what, card);
}

typedef std::pair<double, stockham_shape> estimated_shape;

// Shapes for one level with any number of columns, estimated best first.
std::vector<estimated_shape> level_shapes(const problem& what,
                                          const std::vector<std::size_t>& lengths,
                                          std::size_t level,
                                          const device_traits& card)
{
    constexpr std::size_t KEPT = 4, OF_EACH = 2;
    const std::size_t n = lengths[level], neighbours = neighbours_of(lengths, level);
    const bool is_row = level + 1 == lengths.size();
    const std::size_t least_tile =
        (is_small_call(what) ? MIN_SMALL_TILE : MIN_TILE) / point_bytes(what);
    const std::size_t longest = longest_tile(what, card);
    std::vector<estimated_shape> found;
    const auto add = [&](int columns, std::size_t limit) {
        const shape_estimate rank =
            tile_estimate(what, card, tiles_of(what, n, columns, neighbours));
        for (const stockham_shape& shape :
             bare_tiles(int(n), columns, is_row, limit, rank, what.is_double()))
            found.emplace_back(level_cost(what, shape, neighbours, is_row, card), shape);
    };
    const int fewest = least_columns(what);
    for (int columns = fewest; columns <= MAX_COLUMNS; columns *= 2) {
        const std::size_t tile = n * columns;
        if (tile <= longest && (tile >= least_tile || columns == MAX_COLUMNS) &&
            std::size_t(columns) <= 2 * neighbours)
            add(columns, OF_EACH);
    }
    if (found.empty() && n * fewest <= longest)
        add(fewest, 1);
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
        return a.first < b.first;
    });
    found.resize(std::min(found.size(), KEPT));
    for (auto& [cost, shape] : found) {
        choose_paddings(shape);
        cost = level_cost(what, shape, neighbours, is_row, card);
    }
    return found;
}

// Extends the recipes by every shape of the next level.
std::vector<std::pair<double, recipe>>
with_level(const std::vector<std::pair<double, recipe>>& recipes,
           const std::vector<estimated_shape>& shapes)
{
    std::vector<std::pair<double, recipe>> longer;
    for (const auto& [cost, how] : recipes)
        for (const auto& [more, shape] : shapes) {
            longer.emplace_back(cost + more, how);
            longer.back().second.shapes.push_back(shape);
        }
    return longer;
}

// One launch a level.
std::vector<recipe> candidates(const problem& what, const device_traits& card)
{
    constexpr std::size_t SPLITS = 5, KEPT = 40;
    std::vector<std::pair<double, recipe>> all;
    const std::vector<std::vector<std::size_t>> splits = level_lengths(what, card);
    for (std::size_t i = 0; i < std::min(splits.size(), SPLITS); ++i) {
        recipe how;
        how.algorithm = "hierarchical";
        how.n = what.n;
        std::vector<std::pair<double, recipe>> recipes = { { 0.0, how } };
        for (std::size_t level = 0; level < splits[i].size(); ++level)
            recipes = with_level(recipes, level_shapes(what, splits[i], level, card));
        all.insert(all.end(), recipes.begin(), recipes.end());
    }
    return best_recipes(std::move(all), KEPT);
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
    const std::string reason = obstacle(what, card);
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
    double sum = 0;
    std::vector<std::size_t> lengths;
    for (const stockham_shape& shape : how.shapes)
        lengths.push_back(shape.n);
    for (std::size_t level = 0; level < lengths.size(); ++level)
        sum += level_cost(what,
                          how.shapes[level],
                          neighbours_of(lengths, level),
                          level + 1 == lengths.size(),
                          card);
    return how.frames_ahead > 0 ? COST_CHAINED * sum : sum;
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

program build(const problem& what, const recipe& how)
{
    program made;
    made.scratch_points[0] = how.n;
    std::vector<std::string> levels;
    std::size_t left = how.n, outer = 1; // points of a vector here, vectors of a frame
    std::string lengths;
    for (std::size_t level = 0; level < how.shapes.size(); ++level) {
        const stockham_shape& shape = how.shapes[level];
        const bool is_first = level == 0, is_last = level + 1 == how.shapes.size();
        const bool lines = shape.columns * shape.point_bytes() < LINE_BYTES && !is_last;
        const std::string load = is_first ? load_text(what, lines)
                                 : lines  ? "load_scratch_of<true>"
                                          : "load_scratch";
        launch_step step;
        step.from = is_first ? place::input : place::scratch_0;
        step.to = is_last ? place::output : place::scratch_0;
        step.twiddles = made.add(stockham_twiddles(shape));
        const std::string shape_and_load = shape_text(shape) + ", " + load + ", ";
        levels.push_back(is_last ? "row_level<" + shape_and_load + store_text(what) +
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
    return how.frames_ahead > 0 ? chain(made, levels, how) : made;
}

} // namespace

algorithm hierarchical_algorithm()
{
    algorithm hierarchical = { "hierarchical", obstacle, candidates, cost,
                               build,          true,     2.0 };
    hierarchical.takes = is_c2c_or_bank;
    return hierarchical;
}

algorithm chained_algorithm()
{
    return { "chained", chained_obstacle, chained_candidates, cost, build, true, 2.0 };
}

} // namespace gpufft
} // namespace gr
