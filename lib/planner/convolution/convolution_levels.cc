// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lengths, shapes and tables of convolutions through global memory.

#include "convolution_levels.h"
#include "convolution_cost.h"
#include "planner/cost.h"
#include "planner/exchange.h"
#include "planner/in_threads.h"
#include "planner/plain_fft.h"
#include "planner/stockham/stockham.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace gr {
namespace gpufft {

namespace {

constexpr int MIN_COLUMN_LENGTH = 16, MAX_COLUMN_LENGTH = 2048;
constexpr int MIN_ROW = 128, MAX_ROW = 8192;
constexpr std::size_t ROWS_TRIED = 4, TILES_TRIED = 2;
constexpr std::size_t RECIPES_OF_WIDTH = 2;
constexpr convolution_work WORK = { 2, 0, 4, 0 };

convolution_use row_use(std::size_t decimation)
{
    convolution_use use;
    use.samples = 0;
    use.linear = true;
    use.most_frames = 1; // each row has a spectrum of its own
    use.decimation = decimation;
    return use;
}

// The problem of the row kernel: one row.
problem row_problem(int length, bool is_double)
{
    problem row;
    row.n = length;
    row.input = working_format(true, is_double);
    return row;
}

void split(std::uint64_t length,
           int columns,
           std::vector<int>& so_far,
           std::vector<std::vector<int>>& found)
{
    if (columns == 0) {
        if (length >= MIN_ROW && length <= MAX_ROW) {
            found.push_back(so_far);
            found.back().push_back(int(length));
        }
        return;
    }
    for (int first = MIN_COLUMN_LENGTH; first <= MAX_COLUMN_LENGTH; ++first) {
        if (length % first != 0 || !is_smooth(first) ||
            (!so_far.empty() && first > so_far.back()))
            continue;
        so_far.push_back(first);
        split(length / first, columns - 1, so_far, found);
        so_far.pop_back();
    }
}

// How far the levels are from the ideal: a row four times as long as each column.
double unevenness(const std::vector<int>& levels)
{
    double sum = 0;
    for (std::size_t i = 0; i + 1 < levels.size(); ++i)
        sum += std::fabs(std::log2(double(levels.back()) / levels[i]) - 2);
    return sum;
}

// Estimated time of the column levels of a convolution of `length` points, twice.
double columns_cost(const problem& what,
                    const std::vector<stockham_shape>& tiles,
                    std::uint64_t length,
                    const device_traits& card)
{
    const double stretch = double(length) / double(what.n);
    const double points = double(length) * double(what.batch);
    std::size_t pitch = length * point_bytes(what);
    double sum = 0;
    for (const stockham_shape& tile : tiles) {
        pitch /= tile.n;
        const double full = estimated_cost(tile, card);
        sum +=
            is_small_call(what)
                ? launch_cost(stretch * full,
                              work_of_tile(tile, points / tile.elements(), card),
                              what,
                              card)
                : full + off_sectors_cost(pitch, tile.columns * tile.point_bytes(), true);
    }
    return 2 * sum;
}

// That of the row level.
double row_cost(const problem& what,
                const block_shape& row,
                std::uint64_t length,
                const device_traits& card)
{
    const problem like = row_problem(row.n, row.is_double);
    const convolution_shape shape = make_convolution(row, row_use(1));
    const auto full = [&](double conflicts) {
        return full_convolution_cost(busy_time(row, like, WORK, conflicts, card),
                                     row,
                                     like,
                                     WORK,
                                     shape.shared_bytes(),
                                     card);
    };
    if (!is_small_call(what))
        return full(shape.conflicts);
    const double rows = double(length) * double(what.batch) / row.n;
    return launch_cost(
        double(length) / double(what.n) * full(1.0),
        work_of_convolution(row, WORK.transforms, WORK.held > 0, rows, card),
        what,
        card);
}

// The convolution's bin that is bin 0 of each row: c0 + R0 (c1 + R1 (...)), c0 slowest.
std::vector<long> bins_of_rows(const recipe& how)
{
    std::vector<long> bins = { 0 };
    for (std::size_t level = how.shapes.size() - 1; level-- > 0;) {
        const long radix = how.shapes[level].n;
        std::vector<long> here;
        for (long c = 0; c < radix; ++c)
            for (long inner : bins)
                here.push_back(c + radix * inner);
        bins = here;
    }
    return bins;
}

} // namespace

std::vector<std::vector<int>> level_lengths(std::uint64_t length, int most_columns)
{
    std::vector<std::vector<int>> found;
    for (int columns = 1; columns <= most_columns && found.empty(); ++columns) {
        std::vector<int> so_far;
        split(length, columns, so_far, found);
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
        return unevenness(a) < unevenness(b);
    });
    return found;
}

std::vector<std::pair<double, recipe>> level_recipes(const recipe& like,
                                                     const std::vector<int>& lengths,
                                                     const problem& what,
                                                     const device_traits& card,
                                                     std::size_t decimation)
{
    std::uint64_t length = 1;
    for (int level : lengths)
        length *= level;
    const double points = double(length) * double(what.batch);
    problem row = row_problem(lengths.back(), what.is_double());
    row.batch = std::size_t(points) / lengths.back();
    row.output = what.output;
    convolution_work work = WORK;
    work.decimation = lengths.size() == 2 ? decimation : 1;
    std::vector<std::pair<double, block_shape>> rows;
    for (const block_shape& shape : convolution_candidates(
             lengths.back(), row, row_use(work.decimation), work, card, ROWS_TRIED))
        rows.emplace_back(row_cost(what, shape, length, card), shape);
    std::vector<std::pair<double, recipe>> best;
    const int narrowest = SECTOR_BYTES / int(point_bytes(what));
    for (int columns : { 64, 32, 16, 8, 4, 2 }) {
        if (columns < narrowest || (columns < 8 && !best.empty()))
            break; // parts of sectors, or tiles narrower than those that fit
        std::vector<std::vector<stockham_shape>> tiles; // of each level
        for (std::size_t i = 0; i + 1 < lengths.size(); ++i) {
            const std::size_t tile = std::size_t(lengths[i]) * columns;
            const std::size_t bytes = tile * point_bytes(what);
            if (bytes <= MAX_TILE_BYTES && bytes / 8 * 9 <= card.shared_bytes)
                tiles.push_back(
                    tile_candidates(lengths[i],
                                    columns,
                                    false,
                                    TILES_TRIED,
                                    card,
                                    tile_estimate(what, card, points / double(tile)),
                                    what.is_double()));
        }
        if (tiles.size() + 1 < lengths.size())
            continue;
        std::vector<std::pair<double, recipe>> found;
        for (std::size_t variant = 0; variant < TILES_TRIED; ++variant) {
            recipe how = like;
            for (const std::vector<stockham_shape>& of_level : tiles)
                if (variant < of_level.size())
                    how.shapes.push_back(of_level[variant]);
            if (how.shapes.size() + 1 < lengths.size())
                continue;
            const double of_columns = columns_cost(what, how.shapes, length, card);
            for (const auto& [of_row, shape] : rows) {
                recipe whole = how;
                whole.shapes.emplace_back(shape);
                found.emplace_back(of_columns + of_row, whole);
            }
        }
        keep_best(found, RECIPES_OF_WIDTH);
        best.insert(best.end(), found.begin(), found.end());
    }
    return best;
}

int fold_of_levels(const recipe& how, std::size_t decimation)
{
    return how.shapes.size() == 2 ? fold_of(how.shapes.back().radices, decimation) : 1;
}

convolution_shape row_shape(const recipe& how, std::size_t decimation)
{
    const int rows = how.shapes.back().transforms;
    if (rows != 1)
        throw std::invalid_argument("recipe \"" + how.to_text() + "\" has blocks of " +
                                    std::to_string(rows) +
                                    " rows, but must have 1 row a block");
    return make_convolution(how.shapes.back(), row_use(decimation));
}

std::uint64_t convolution_length(const recipe& how)
{
    std::uint64_t length = 1;
    for (const stockham_shape& shape : how.shapes)
        length *= shape.n;
    return length;
}

template <class T>
std::vector<std::complex<T>> row_spectra(const recipe& how,
                                         std::vector<std::complex<T>> filter)
{
    const T scale = 1 / T(filter.size());
    const std::vector<std::complex<T>> spectrum = plain_fft(std::move(filter));
    const std::vector<int>& radices = how.shapes.back().radices;
    const std::vector<long> bins = bins_of_points(radices, true);
    const std::vector<long> rows = bins_of_rows(how);
    const std::size_t radix = radices.back(), butterflies = bins.size() / radix;
    std::vector<std::complex<T>> table(spectrum.size());
    in_threads(long(rows.size()), 1, [&](long begin, long end) {
        for (long row = begin; row < end; ++row)
            for (std::size_t b = 0; b < butterflies; ++b)
                for (std::size_t k = 0; k < radix; ++k)
                    table[row * bins.size() + k * butterflies + b] =
                        spectrum[rows[row] + long(rows.size()) * bins[b * radix + k]] *
                        scale;
    });
    return table;
}

template std::vector<std::complex<double>> row_spectra(const recipe&,
                                                       std::vector<std::complex<double>>);
template std::vector<std::complex<long double>>
row_spectra(const recipe&, std::vector<std::complex<long double>>);

double levels_cost(const problem& what, const recipe& how, const device_traits& card)
{
    const std::uint64_t length = convolution_length(how);
    const std::vector<stockham_shape> tiles(how.shapes.begin(), how.shapes.end() - 1);
    return columns_cost(what, tiles, length, card) +
           row_cost(what, how.shapes.back(), length, card);
}

std::vector<int>
frames_for_l2(std::uint64_t points, const problem& what, const device_traits& card)
{
    std::vector<int> numbers = { 0 };
    if (is_small_call(what))
        return numbers;
    for (double share : { 0.3, 0.6 }) { // of the cache
        const double frames =
            share * double(card.l2_bytes) / double(point_bytes(what) * points);
        const int number = std::max(1, int(frames));
        if (frames > 0.5 && std::size_t(number) < what.batch && number != numbers.back())
            numbers.push_back(number);
    }
    return numbers;
}

launch_step convolution_column_step(const stockham_shape& shape,
                                    std::uint64_t vector,
                                    std::uint64_t outer)
{
    const std::uint64_t columns = vector / shape.n;
    launch_step step;
    step.kernel.block_threads = shape.threads;
    step.kernel.blocks_per_frame =
        int(outer * ((columns + shape.columns - 1) / shape.columns));
    step.kernel.shared_bytes = shape.shared_bytes();
    return step;
}

launch_step row_step(const convolution_shape& row, std::uint64_t rows)
{
    launch_step step;
    step.kernel.block_threads = row.block_threads();
    step.kernel.blocks_per_frame = int(rows);
    step.kernel.shared_bytes = row.shared_bytes();
    step.from = step.to = place::scratch_0;
    return step;
}

} // namespace gpufft
} // namespace gr
