// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lists the splits of a length into levels, and their tiles by their estimates.

#include "level_shapes.h"
#include "planner/cost_model.h"
#include "planner/exchange.h"
#include "planner/small_calls.h"
#include "planner/stockham/stockham.h"
#include "planner/stockham/stockham_shapes.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t MIN_LEVEL = 8;
constexpr int SECTOR_BYTES = 32; // of global memory
constexpr int MULTIPROCESSOR_REGISTERS = 65536, MOST_REGISTERS = 255;
constexpr int MIN_SMALL_TILE = 4 * 1024, // bytes
    MAX_TILE = 128 * 1024;

// The longest column, in points.
std::size_t longest_level(const problem& what, const device_traits& card)
{
    return longest_tile(what, card) / least_columns(what);
}

// All lengths of `levels` levels with product n.
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

// Columns of all tiles, over those that the level has.
double idle_columns(std::size_t neighbours, int columns)
{
    return double(groups(neighbours, columns) * columns) / neighbours;
}

// Measured on an H200, over a copy of the data: tiles hide half of what the single-pass
// model says; rows of few columns waste parts of what memory moves, more so in reading.
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

// The same for tiles of columns and their partners. in_parts: two blocks store parts of
// the same sectors.
double mirrored_segment_cost(int bytes, bool is_row, bool in_parts)
{
    const double in_part = in_parts ? 0.3 : 0;
    if (bytes >= 2 * LINE_BYTES)
        return 0.05 + in_part;
    if (bytes >= LINE_BYTES)
        return 0.1 + 1.3 * in_part;
    if (bytes >= LINE_BYTES / 2)
        return 0.2 + 2 * in_part;
    return (is_row ? 1 : 0.6) + 2 * in_part;
}

// Threads of tiles with partners: each does two butterflies at once in the pass where
// they meet.
struct mirrored_threads {
    int points;  // points that a thread holds
    double idle; // slots over butterflies

    mirrored_threads(const stockham_shape& shape, bool is_row)
    {
        const int radix = is_row ? shape.radices.back() : shape.radices.front();
        const int pairs = shape.elements() / radix / 2;
        const int rounds = (pairs + shape.threads - 1) / shape.threads;
        points = std::max(shape.points(), 2 * radix * (is_row ? 1 : rounds));
        idle = double(rounds) * shape.threads / pairs - 1;
    }

    // `beside`: registers for addresses and roots, in single precision.
    int registers(const stockham_shape& shape, int beside) const
    {
        return points * shape.point_bytes() / 4 + beside * shape.point_bytes() / 8;
    }
};

// What such tiles cost beyond other tiles.
double mirrored_thread_cost(const stockham_shape& shape, bool is_row)
{
    constexpr double COST_IDLE = 0.1, COST_SPILLS = 2;
    constexpr int LEAST_BESIDE = 32;
    constexpr int TOGETHER = 128; // a warp of each quarter of a multiprocessor
    const mirrored_threads threads(shape, is_row);
    const int registers = threads.registers(shape, LEAST_BESIDE);
    const int held = (shape.threads + TOGETHER - 1) / TOGETHER * TOGETHER * registers;
    const bool spills = registers > MOST_REGISTERS || held > MULTIPROCESSOR_REGISTERS ||
                        shape.radices.size() < 2;
    return COST_IDLE * threads.idle + COST_SPILLS * spills;
}

// Bounds the blocks to those with registers for what their threads hold.
void bound_mirrored(stockham_shape& shape, bool is_row)
{
    constexpr int BESIDE = 56;
    const int registers = mirrored_threads(shape, is_row).registers(shape, BESIDE);
    const int fitting = MULTIPROCESSOR_REGISTERS / (registers * shape.threads);
    shape.blocks = std::max(1, std::min(shape.blocks, fitting));
}

double tiles_of(const problem& what, std::size_t n, int columns, std::size_t neighbours)
{
    return double(what.batch) * double(what.n) / double(neighbours * n) *
           double(groups(neighbours, columns));
}

} // namespace

std::size_t longest_tile(const problem& what, const device_traits& card)
{
    return std::min<std::size_t>(MAX_TILE, card.shared_bytes / 9 * 8) / point_bytes(what);
}

int least_columns(const problem& what) { return SECTOR_BYTES / int(point_bytes(what)); }

std::vector<std::vector<std::size_t>>
level_lengths(const problem& what, const device_traits& card, int more)
{
    std::vector<std::vector<std::size_t>> found;
    for (int levels = 2; levels <= 4; ++levels) {
        std::vector<std::size_t> so_far;
        split_levels(what.n, levels, longest_level(what, card), so_far, found);
        if (!found.empty() && levels >= int(found.front().size()) + more)
            break;
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
        return unevenness(a) < unevenness(b);
    });
    return found;
}

std::string level_obstacle(const problem& what, const device_traits& card)
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

bool shares_columns(const stockham_shape& shape)
{
    const int neighbours = shape.columns / 2;
    return neighbours % 2 != 0 && neighbours > 1 &&
           shape.elements() == 2 * shape.radices.back() * shape.threads;
}

std::size_t groups(std::size_t neighbours, int columns)
{
    return (neighbours + columns - 1) / columns;
}

std::size_t level_place::neighbours() const
{
    const auto product = [](auto begin, auto end) {
        return std::accumulate(begin, end, std::size_t(1), std::multiplies<>());
    };
    if (!is_row())
        return product(lengths.begin() + number + 1, lengths.end());
    return is_mirrored() ? product(lengths.begin(), lengths.end() - 1) : lengths.front();
}

double level_cost(const problem& what,
                  const stockham_shape& shape,
                  const level_place& level,
                  const device_traits& card)
{
    const std::size_t neighbours = level.neighbours();
    const double alone = estimated_cost(shape, shape.conflicts);
    const bool is_row = level.is_row();
    const bool has_runs = level.kind == tile_kind::runs;
    const bool shares = has_runs && shares_columns(shape);
    const int own = shape.columns - (shares ? 2 : 0);
    const int beside = level.is_mirrored() ? own / 2 : own;
    const int segment = beside * shape.point_bytes(); // side by side in memory
    const double of_kind =
        level.is_mirrored()
            ? mirrored_segment_cost(segment, is_row, has_runs && !shares) +
                  mirrored_thread_cost(shape, is_row)
            : segment_cost(segment, is_row);
    const double full = (1 + TILE_SHARE * (alone - 1) + of_kind) *
                        idle_columns(neighbours, own) * shape.columns / own;
    if (!is_small_call(what))
        return full;
    launch_work work = work_of_tile(shape, tiles_of(what, shape.n, own, neighbours));
    work.segments = !is_row && segment < LINE_BYTES;
    return launch_cost(full, work, what, card);
}

std::vector<std::pair<double, stockham_shape>>
level_shapes(const problem& what, const level_place& level, const device_traits& card)
{
    constexpr std::size_t KEPT = 4, OF_EACH = 2;
    constexpr double COST_UNFIT = 10;
    const std::size_t n = level.lengths[level.number], neighbours = level.neighbours();
    const bool is_row = level.is_row();
    const std::size_t least_tile =
        (is_small_call(what) ? MIN_SMALL_TILE : MIN_TILE) / point_bytes(what);
    const std::size_t longest = longest_tile(what, card);
    std::vector<std::pair<double, stockham_shape>> found;
    const auto add = [&](int columns, std::size_t limit) {
        const shape_estimate plain =
            tile_estimate(what, card, tiles_of(what, n, columns, neighbours));
        const shape_estimate mirrored = [&](stockham_shape& shape) {
            const bool is_odd = columns / 2 % 2 != 0 && !shares_columns(shape);
            return plain(shape) + mirrored_thread_cost(shape, is_row) +
                   COST_UNFIT * is_odd;
        };
        for (stockham_shape shape : bare_tiles(int(n),
                                               columns,
                                               is_row,
                                               limit,
                                               level.is_mirrored() ? mirrored : plain,
                                               what.is_double())) {
            if (level.is_mirrored())
                bound_mirrored(shape, is_row);
            found.emplace_back(level_cost(what, shape, level, card), shape);
        }
    };
    const int fewest = least_columns(what) * (level.is_mirrored() ? 2 : 1);
    for (int columns = fewest; columns <= MAX_COLUMNS; columns *= 2) {
        const std::size_t tile = n * columns;
        if (tile <= longest && (tile >= least_tile || columns == MAX_COLUMNS) &&
            std::size_t(columns) <= 2 * neighbours) {
            add(columns, OF_EACH);
            if (level.kind == tile_kind::runs && columns >= 4 * fewest)
                add(columns + 2, 1);
        }
    }
    if (found.empty() && n * fewest <= longest)
        add(fewest, 1);
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
        return a.first < b.first;
    });
    found.resize(std::min(found.size(), KEPT));
    for (auto& [cost, shape] : found) {
        choose_paddings(shape);
        cost = level_cost(what, shape, level, card);
    }
    return found;
}

} // namespace gpufft
} // namespace gr
