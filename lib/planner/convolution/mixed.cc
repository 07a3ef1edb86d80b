// SPDX-License-Identifier: GPL-3.0-or-later
//
// Splits the length between columns and rows, and makes the launches: one kernel if
// Rader's algorithm takes the rows and a block the whole (rader.cc); else column kernels
// of kernels/levels/hierarchical.cuh, then a row kernel of kernels/convolution/rader.cuh
// or bluestein.cuh with the store step of kernels/convolution/mixed.cuh.

#include "mixed.h"
#include "bluestein.h"
#include "convolution_levels.h"
#include "planner/cost.h"
#include "planner/cost_constants.h"
#include "planner/filters/polyphase_bank.h"
#include "planner/levels/hierarchical.h"
#include "planner/radices.h"
#include "planner/stockham/stockham.h"
#include "rader.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gr {
namespace gpufft {

namespace {

constexpr int MAX_LEVELS = 2;          // column levels
constexpr int MAX_WHOLE_COLUMNS = 128; // columns of a tile that is a whole vector
constexpr std::size_t ROW_LENGTHS = 3; // lengths of rows to try
constexpr std::size_t COLUMN_SHAPES = 2;
constexpr std::size_t ROWS = 3; // row recipes of each algorithm
constexpr std::size_t CANDIDATES = 20;
using fitted::convolution::COST_SCATTER;

struct split {
    std::vector<int> columns;
    std::uint64_t row;
};

// The shortest rows to try: what prime factors up to the largest of columns leave, and
// with the primes that butterflies compute slowly.
std::vector<std::uint64_t> shortest_rows(const problem& what)
{
    std::vector<std::uint64_t> found;
    for (int largest : { LARGEST_PRIME, LARGEST_PRIME_OF_DOUBLES }) {
        if (what.is_double() && largest > LARGEST_PRIME_OF_DOUBLES)
            continue;
        std::uint64_t left = what.n;
        for (int factor = 2; factor <= largest; ++factor)
            while (left > 0 && left % factor == 0)
                left /= factor;
        if (left > 1 && left < what.n && (found.empty() || found.back() != left))
            found.push_back(left);
    }
    return found;
}

// Column lengths with product n, each near n^(1/levels); empty if there are none.
std::vector<int> split_columns(std::uint64_t n, int levels, int longest)
{
    if (levels == 1)
        return n >= 2 && n <= std::uint64_t(longest) ? std::vector<int>{ int(n) }
                                                     : std::vector<int>();
    const double ideal = std::pow(double(n), 1.0 / levels);
    std::vector<int> best;
    double least = 0;
    for (int first = 2; first <= longest; ++first) {
        const double distance = std::fabs(std::log(first / ideal));
        if (n % first != 0 || (!best.empty() && distance >= least))
            continue;
        const std::vector<int> rest = split_columns(n / first, levels - 1, longest);
        if (rest.empty())
            continue;
        best = { first };
        best.insert(best.end(), rest.begin(), rest.end());
        least = distance;
    }
    return best;
}

// A problem whose frames are the rows.
problem row_problem(const problem& what, std::uint64_t row)
{
    problem rows;
    rows.n = row;
    rows.input = working_format(true, what.is_double());
    rows.batch = what.batch * (what.n / row);
    rows.output = what.output; // powers are ranked apart
    return rows;
}

// Recipes for rows that fit a block, best first. Their bins lie apart: only blocks that
// start in the order of their rows fill sectors together, while the L2 cache holds them.
// Blocks that read the next rows ahead are at different rows: on an H100, 77374 = 22 x
// 3517 and 24597 = 27 x 911 points take 11.2 and 6.2 times as long as a copy with them,
// and 4.8 and 3.7 without (bench_recipes). Algorithms that cost more than `most_cost` are
// not asked.
std::vector<recipe>
row_recipes(const problem& rows, const device_traits& card, double most_cost)
{
    std::vector<recipe> found;
    const auto ask = [&](const algorithm& each, auto rows_by) {
        if (!each.obstacle(rows, card).empty() ||
            least_cost_of(each, rows, card) > most_cost)
            return;
        for (const recipe& how : rows_by(rows, card, ROWS))
            found.push_back(how);
    };
    ask(rader_algorithm(), rader_rows);
    ask(bluestein_algorithm(), bluestein_rows);
    return found;
}

bool has_row(const problem& what, std::uint64_t row, const device_traits& card)
{
    const problem rows = row_problem(what, row);
    return row <= card.shared_bytes / 17 * 8 / point_bytes(what) || // Bluestein's
           (row <= longest_padded(point_bytes(what), card) &&
            rader_algorithm().obstacle(rows, card).empty());
}

// The shortest rows with the fewest column levels.
std::vector<split>
splits_of(const problem& what, std::uint64_t shortest, const device_traits& card)
{
    const int longest = int(longest_tile(point_bytes(what), card)) /
                        int(SECTOR_BYTES / point_bytes(what));
    const std::uint64_t columns = what.n / shortest;
    std::vector<split> found;
    for (int levels = 1; levels <= MAX_LEVELS && found.empty(); ++levels) {
        for (std::uint64_t factor = 1; factor < columns; ++factor) {
            if (columns % factor != 0)
                continue;
            if (found.size() == ROW_LENGTHS || !has_row(what, shortest * factor, card))
                break;
            const std::vector<int> lengths =
                split_columns(columns / factor, levels, longest);
            if (!lengths.empty())
                found.push_back({ lengths, shortest * factor });
        }
    }
    return found;
}

std::vector<split> splits_of(const problem& what, const device_traits& card)
{
    std::vector<split> all;
    for (std::uint64_t shortest : shortest_rows(what))
        for (const split& each : splits_of(what, shortest, card))
            all.push_back(each);
    return all;
}

std::string obstacle(const problem& what, const device_traits& card)
{
    if (has_rader_columns(what, card) || !splits_of(what, card).empty())
        return "";
    const std::string size = "FFT size " + std::to_string(what.n);
    const std::vector<std::uint64_t> rows = shortest_rows(what);
    if (!rows.empty())
        return size + " has no rows that fit the " + std::to_string(card.shared_bytes) +
               " bytes of shared memory of a block: its factor " +
               std::to_string(rows.front()) + " is too long";
    const int largest = what.is_double() ? LARGEST_PRIME_OF_DOUBLES : LARGEST_PRIME;
    return is_smooth(what.n, true)
               ? size + " has no prime factor above " +
                     std::to_string(LARGEST_PRIME_OF_DOUBLES) + ", which rows need"
               : size + " has no prime factor up to " + std::to_string(largest) +
                     ", which columns need";
}

// Tiles of a column level in vectors of `row` columns.
double tiles_of(const problem& what, int n, std::uint64_t row, int width)
{
    return double(what.batch) * double(what.n) / (double(n) * double(row)) *
           std::ceil(double(row) / width);
}

double column_cost(const problem& what,
                   const stockham_shape& shape,
                   std::uint64_t row,
                   const device_traits& card)
{
    const double tiles = tiles_of(what, shape.n, row, shape.columns);
    const double full = estimated_cost(shape, card) +
                        off_sectors_cost(row * shape.point_bytes(),
                                         shape.columns * shape.point_bytes(),
                                         true);
    return launch_cost(full, work_of_tile(shape, tiles, card), what, card);
}

std::vector<stockham_shape>
column_shapes(const problem& what, int n, std::uint64_t row, const device_traits& card)
{
    const int most = int(longest_tile(point_bytes(what), card));
    std::vector<int> widths = { 4, 8, 16, 32, 64 };
    if (what.is_double())
        widths.insert(widths.begin(), 2);
    if (row <= MAX_WHOLE_COLUMNS)
        widths.push_back(int(row));
    std::vector<std::pair<double, stockham_shape>> found;
    for (int width : widths) {
        if (n * width > most || std::uint64_t(width) > row)
            continue;
        const shape_estimate rank =
            tile_estimate(what, card, tiles_of(what, n, row, width));
        const stockham_shape shape =
            tile_candidates(n, width, false, 1, card, rank, what.is_double()).front();
        found.emplace_back(column_cost(what, shape, row, card), shape);
    }
    keep_best(found, COLUMN_SHAPES);
    std::vector<stockham_shape> shapes;
    for (const auto& [cost, shape] : found)
        shapes.push_back(shape);
    return shapes;
}

// Whether Rader's algorithm transforms the row: its convolution is one point shorter.
bool is_by_rader(const recipe& row) { return std::size_t(row.shape().n) + 1 == row.n; }

algorithm algorithm_of(const recipe& row)
{
    return is_by_rader(row) ? rader_algorithm() : bluestein_algorithm();
}

// The row's part of a recipe.
recipe row_of(const recipe& how)
{
    recipe row = {
        "", how.n, { how.shapes.back() }, convolution_fields{ 1, how.prefetched() }
    };
    for (std::size_t level = 0; level + 1 < how.shapes.size(); ++level)
        row.n /= how.shapes[level].n;
    row.algorithm = algorithm_of(row).name;
    return row;
}

// True if one kernel transforms columns and rows.
bool is_in_block(const recipe& how) { return how.shapes.size() == 1; }

double cost(const problem& what, const recipe& how, const device_traits& card)
{
    if (is_in_block(how))
        return rader_algorithm().cost(what, how, card);
    const recipe row = row_of(how);
    double sum = algorithm_of(row).cost(row_problem(what, row.n), row, card);
    std::uint64_t left = how.n;
    for (std::size_t level = 0; level + 1 < how.shapes.size(); ++level) {
        left /= how.shapes[level].n;
        sum += column_cost(what, how.shapes[level], left, card);
    }
    // rows of a block that lie side by side in the output
    const int neighbours = how.shapes.size() == 2
                               ? std::min({ row.shape().transforms, how.shapes[0].n, 4 })
                               : 1;
    return sum + cost_of_moves(COST_SCATTER * (4.0 / neighbours - 1) / 3, what) +
           bank_cost(what);
}

// Lower bound for column levels and rows in kernels of their own.
double least_cost_of_levels(const problem& what)
{
    return least_launch_cost(fitted::convolution::LEAST_COST_OF_MIXED, 2, what);
}

std::vector<recipe> candidates(const problem& what, const device_traits& card)
{
    std::vector<std::pair<double, recipe>> found;
    double least = std::numeric_limits<double>::infinity();
    const auto add = [&](const recipe& how) {
        found.emplace_back(cost(what, how, card), how);
        least = std::min(least, found.back().first);
    };
    for (const recipe& how : rader_candidates_with_columns(what, card))
        add(how);
    if (least <= least_cost_of_levels(what))
        return best_recipes(std::move(found), CANDIDATES);
    for (const split& lengths : splits_of(what, card)) {
        std::vector<recipe> columns = { recipe{ "mixed", what.n } };
        std::uint64_t left = what.n;
        for (int length : lengths.columns) {
            left /= length;
            std::vector<recipe> longer;
            for (const recipe& so_far : columns) {
                for (const stockham_shape& shape :
                     column_shapes(what, length, left, card)) {
                    longer.push_back(so_far);
                    longer.back().shapes.push_back(shape);
                }
            }
            columns = longer;
        }
        // A column level costs a copy at least.
        const double most_of_rows = least - double(lengths.columns.size());
        for (const recipe& row :
             row_recipes(row_problem(what, lengths.row), card, most_of_rows)) {
            for (recipe how : columns) {
                how.shapes.push_back(row.shape());
                how.fields = convolution_fields{ 1, row.prefetched() };
                add(how);
            }
        }
    }
    return best_recipes(std::move(found), CANDIDATES);
}

program build(const problem& what, const recipe& how)
{
    if (is_in_block(how))
        return rader_algorithm().build(what, how);
    program made;
    made.scratch_points[0] = how.n;
    // Points of a vector and vectors of a frame at this level.
    std::size_t left = how.n, outer = 1;
    std::vector<int> lengths;
    for (std::size_t level = 0; level + 1 < how.shapes.size(); ++level) {
        const stockham_shape& shape = how.shapes[level];
        launch_step step = column_step(shape, left, outer);
        if (level == 0) {
            step.from = place::input;
            step.kernel.load = load_text(what);
        }
        step.twiddles = made.add(stockham_twiddles(shape));
        made.steps.push_back(step);
        lengths.push_back(shape.n);
        left /= shape.n;
        outer *= shape.n;
    }

    const recipe row = row_of(how);
    const program last = algorithm_of(row).build(row_problem(what, row.n), row);
    launch_step step = last.steps.front();
    step.kernel.header = "convolution/mixed.cuh";
    step.kernel.store = { store_text(what),
                          "store_bins",
                          list_of(text_of("level_list", lengths), row.n) };
    step.from = place::scratch_0;
    step.group_frames = outer;
    step.row_points = row.n;
    made.take(step, last.tables);
    return made;
}

// "mixed(2517: 3 = 3, 839 by rader 838 = 2·419)"; in one kernel "mixed(1264: 16 and 79 by
// rader 78 = 6·13)"
std::string text_of(const recipe& how)
{
    if (is_in_block(how)) {
        const int columns = how.shape().columns;
        return text_of_levels(how,
                              std::to_string(columns) + " and " +
                                  std::to_string(how.n / columns) + " by rader ");
    }
    const recipe row = row_of(how);
    return text_of_levels(how,
                          std::to_string(row.n) + " by " + algorithm_of(row).name + " ");
}

// In one kernel, or in several.
double least_cost(const problem& what, const device_traits& card)
{
    return has_rader_columns(what, card)
               ? least_launch_cost(rader_algorithm().least_cost, 1, what)
               : least_cost_of_levels(what);
}

} // namespace

algorithm mixed_algorithm()
{
    algorithm mixed = { "mixed",
                        obstacle,
                        candidates,
                        cost,
                        build,
                        true,
                        fitted::convolution::LEAST_COST_OF_MIXED };
    mixed.least_cost_of = least_cost;
    mixed.takes = is_c2c_or_bank;
    mixed.ends = end_use::of_direction;
    mixed.text_of = text_of;
    mixed.fields = convolution_fields();
    return mixed;
}

} // namespace gpufft
} // namespace gr
