// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lists the splits of a length into levels, and ranks the tiles of each level.

#include "level_shapes.h"
#include "planner/cost.h"
#include "planner/cost_constants.h"
#include "planner/exchange.h"
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
constexpr int MIN_SMALL_TILE = 4 * 1024; // bytes

// The longest column, in points.
std::size_t longest_level(const problem& what, const device_traits& card)
{
    return longest_tile(point_bytes(what), card) / least_columns(what);
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

// Columns of all tiles, divided by the level's columns.
double idle_columns(std::size_t neighbours, int columns)
{
    return double(tiles_across(neighbours, columns) * columns) / neighbours;
}

// segment_cost() for tiles of columns and their partners. in_parts: two blocks store
// parts of the same sectors.
double mirrored_segment_cost(int bytes, bool is_row, bool in_parts)
{
    using namespace fitted::levels;
    const double in_part = in_parts ? MIRRORED_IN_PARTS : 0;
    if (bytes >= 2 * LINE_BYTES)
        return MIRRORED_LINE_PAIRS + in_part;
    if (bytes >= LINE_BYTES)
        return MIRRORED_LINES + MIRRORED_PARTS_OF_LINES * in_part;
    const double parts = MIRRORED_PARTS_OF_SECTORS * in_part;
    if (bytes >= LINE_BYTES / 2)
        return MIRRORED_HALF_LINES + parts;
    return (is_row ? MIRRORED_SECTORS_OF_ROWS : MIRRORED_SECTORS_OF_COLUMNS) + parts;
}

// Threads of tiles with partners: in the pass where partners meet, a thread computes two
// butterflies at once.
struct mirrored_threads {
    int points;  // points that a thread holds
    double idle; // idle slots, divided by those in use

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

// What tiles with partners cost beyond other tiles.
double
mirrored_thread_cost(const stockham_shape& shape, bool is_row, const device_traits& card)
{
    using namespace fitted::levels;
    constexpr int TOGETHER = PARTITIONS * WARP; // a warp of each partition
    const mirrored_threads threads(shape, is_row);
    const int registers = threads.registers(shape, LEAST_BESIDE_POINTS);
    const int held = divide_up(shape.threads, TOGETHER) * TOGETHER * registers;
    const bool spills =
        registers > MOST_REGISTERS || held > card.registers || shape.radices.size() < 2;
    return COST_IDLE * threads.idle + COST_SPILLS * spills;
}

// Bounds the blocks per multiprocessor to those whose threads do not spill.
void bound_mirrored(stockham_shape& shape, bool is_row, const device_traits& card)
{
    const int registers = mirrored_threads(shape, is_row)
                              .registers(shape, fitted::levels::REGISTERS_BESIDE_POINTS);
    const int fitting = blocks_with_registers(registers, shape.threads, card);
    shape.blocks = std::max(1, std::min(shape.blocks, fitting));
}

double tiles_of(const problem& what, std::size_t n, int columns, std::size_t neighbours)
{
    return double(what.batch) * double(what.n) / double(neighbours * n) *
           double(tiles_across(neighbours, columns));
}

} // namespace

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
    const std::string size = "FFT size " + std::to_string(what.n);
    const std::string reason = radix_obstacle(size, what.n, what.is_double());
    if (!reason.empty())
        return reason;
    if (level_lengths(what, card).empty())
        return size + " is not a product of levels of " + std::to_string(MIN_LEVEL) +
               " ... " + std::to_string(longest_level(what, card)) + " points";
    return "";
}

bool shares_columns(const stockham_shape& shape)
{
    const int neighbours = shape.columns / 2;
    return neighbours % 2 != 0 && neighbours > 1 &&
           shape.elements() == 2 * shape.radices.back() * shape.threads;
}

std::size_t tiles_across(std::size_t neighbours, int columns)
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
    const double alone = estimated_cost(shape, card);
    const bool is_row = level.is_row();
    const bool has_runs = level.kind == tile_kind::runs;
    const bool shares = has_runs && shares_columns(shape);
    const int own = shape.columns - (shares ? 2 : 0);
    const int beside = level.is_mirrored() ? own / 2 : own;
    const int segment = beside * shape.point_bytes(); // side by side in memory
    const double of_kind =
        level.is_mirrored()
            ? mirrored_segment_cost(segment, is_row, has_runs && !shares) +
                  mirrored_thread_cost(shape, is_row, card)
            : segment_cost(segment, !is_row) +
                  off_sectors_cost(neighbours * shape.point_bytes(), segment, !is_row);
    const double full = (1 + fitted::levels::TILE_SHARE * (alone - 1) + of_kind) *
                        idle_columns(neighbours, own) * shape.columns / own;
    if (!is_small_call(what))
        return full;
    launch_work work =
        work_of_tile(shape, tiles_of(what, shape.n, own, neighbours), card);
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
    const std::size_t longest = longest_tile(point_bytes(what), card);
    std::vector<std::pair<double, stockham_shape>> found;
    const auto add = [&](int columns, std::size_t limit) {
        const shape_estimate plain =
            tile_estimate(what, card, tiles_of(what, n, columns, neighbours));
        const shape_estimate mirrored = [&](stockham_shape& shape) {
            const bool is_odd = columns / 2 % 2 != 0 && !shares_columns(shape);
            return plain(shape) + mirrored_thread_cost(shape, is_row, card) +
                   COST_UNFIT * is_odd;
        };
        for (stockham_shape shape : bare_tiles(int(n),
                                               columns,
                                               is_row,
                                               limit,
                                               card,
                                               level.is_mirrored() ? mirrored : plain,
                                               what.is_double())) {
            if (level.is_mirrored())
                bound_mirrored(shape, is_row, card);
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
    keep_best(found, KEPT);
    for (auto& [cost, shape] : found) {
        choose_paddings(shape);
        cost = level_cost(what, shape, level, card) +
               COST_UNFIT * (shape.shared_bytes() > card.shared_bytes);
    }
    return found;
}

} // namespace gpufft
} // namespace gr
