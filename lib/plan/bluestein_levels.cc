// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lengths, shapes and launches of kernels/bluestein_levels.cuh.

#include "bluestein_levels.h"
#include "convolution.h"
#include "cost_model.h"
#include "double_fft.h"
#include "exchange.h"
#include "number_theory.h"
#include "stockham.h"

#include <algorithm>
#include <cmath>

namespace gr {
namespace gpufft {

namespace {

constexpr std::uint64_t MAX_LENGTH = std::uint64_t(1) << 30; // of the convolution
constexpr int MAX_PRIME = 7;
constexpr int LENGTHS = 6; // of convolutions that are tried
constexpr std::size_t CANDIDATES = 12;
constexpr int MIN_COLUMN_LENGTH = 16, MAX_COLUMN_LENGTH = 2048;
constexpr int MIN_ROW = 128, MAX_ROW = 8192;
constexpr int MAX_TILE = 16384; // points
constexpr convolution_work WORK = { 2, 0, 4, 0 };
constexpr double COST_STREAM =
    0.25; // of one pass of M points one way, in copies of N = M

convolution_use row_use()
{
    convolution_use use;
    use.samples = 0;
    use.linear = true;
    return use;
}

// What the row kernel sees as its problem: one row.
problem row_problem(int length)
{
    problem row;
    row.n = length;
    return row;
}

// Splits into `columns` column lengths and a row, near to equal first.
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
        if (length % first != 0 || (!so_far.empty() && first > so_far.back()))
            continue;
        so_far.push_back(first);
        split(length / first, columns - 1, so_far, found);
        so_far.pop_back();
    }
}

// How far the levels are from a row four times as long as each column.
double unevenness(const std::vector<int>& levels)
{
    double sum = 0;
    for (std::size_t i = 0; i + 1 < levels.size(); ++i)
        sum += std::fabs(std::log2(double(levels.back()) / levels[i]) - 2);
    return sum;
}

std::vector<std::vector<int>> level_lengths(std::uint64_t length)
{
    std::vector<std::vector<int>> found;
    for (int columns = 1; columns <= 3 && found.empty(); ++columns) {
        std::vector<int> so_far;
        split(length, columns, so_far, found);
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
        return unevenness(a) < unevenness(b);
    });
    return found;
}

// One recipe with tiles of this many columns; no shapes if it does not fit.
recipe make_levels(const std::string& name,
                   const problem& what,
                   const std::vector<int>& lengths,
                   int columns,
                   const device_traits& card)
{
    recipe how;
    how.algorithm = name;
    how.n = what.n;
    for (std::size_t i = 0; i + 1 < lengths.size(); ++i) {
        const std::size_t tile = std::size_t(lengths[i]) * columns;
        if (tile > MAX_TILE || tile * 9 > card.shared_bytes)
            return recipe();
        how.shapes.push_back(tile_candidates(lengths[i], columns, false, 1).front());
    }
    const std::vector<stockham_shape> rows = convolution_candidates(
        lengths.back(), row_problem(lengths.back()), row_use(), WORK, card, 1);
    if (rows.empty())
        return recipe();
    how.shapes.push_back(rows.front());
    return how;
}

std::string numbers(std::uint64_t length, std::uint64_t outer)
{
    return ", " + std::to_string(length) + ", " + std::to_string(outer) + ">";
}

// Bin of every row at its bin 0: c0 + R0 (c1 + R1 (...)), c0 slowest.
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

// The spectrum of conj(chirp[|m|]), row after row, in the order of the row kernel.
std::vector<std::complex<float>>
row_spectra(const recipe& how,
            long length,
            const std::vector<std::complex<double>>& chirp)
{
    std::vector<std::complex<double>> filter(length);
    for (long m = 0; m < long(chirp.size()); ++m)
        filter[m] = filter[m == 0 ? 0 : length - m] = std::conj(chirp[m]);
    const std::vector<std::complex<double>> spectrum = double_fft(std::move(filter));

    const std::vector<int>& radices = how.shapes.back().radices;
    const std::vector<long> bins = bins_of_points(radices, true);
    const std::vector<long> rows = bins_of_rows(how);
    const std::size_t radix = radices.back(), butterflies = bins.size() / radix;
    const double scale = 1.0 / double(length);
    std::vector<std::complex<float>> table(length);
    for (std::size_t row = 0; row < rows.size(); ++row)
        for (std::size_t b = 0; b < butterflies; ++b)
            for (std::size_t k = 0; k < radix; ++k)
                table[row * bins.size() + k * butterflies + b] = std::complex<float>(
                    spectrum[rows[row] + long(rows.size()) * bins[b * radix + k]] *
                    scale);
    return table;
}

} // namespace

std::vector<recipe> bluestein_levels_candidates(const std::string& name,
                                                const problem& what,
                                                const device_traits& card)
{
    std::vector<std::pair<double, recipe>> found;
    std::uint64_t length = 2 * what.n - 1;
    for (int i = 0; i < LENGTHS; ++i, ++length) {
        length = next_smooth(length, MAX_PRIME);
        if (length > MAX_LENGTH)
            break;
        const std::vector<std::vector<int>> splits = level_lengths(length);
        for (std::size_t s = 0; s < std::min<std::size_t>(2, splits.size()); ++s) {
            for (int columns : { 8, 16, 32 }) {
                const recipe how = make_levels(name, what, splits[s], columns, card);
                if (!how.shapes.empty())
                    found.emplace_back(bluestein_levels_cost(what, how), how);
            }
        }
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
        return a.first < b.first;
    });
    std::vector<recipe> recipes;
    for (std::size_t i = 0; i < std::min(found.size(), CANDIDATES); ++i)
        recipes.push_back(found[i].second);
    return recipes;
}

double bluestein_levels_cost(const problem& what, const recipe& how)
{
    double length = 1, passes = 0;
    for (const stockham_shape& shape : how.shapes)
        length *= shape.n;
    const double stretch = length / double(what.n);
    for (std::size_t i = 0; i + 1 < how.shapes.size(); ++i)
        passes += 2 * estimated_cost(how.shapes[i], conflict_ratio(how.shapes[i]));
    const stockham_shape& row = how.shapes.back();
    const convolution_shape shape = make_convolution(row, row_use());
    passes += convolution_cost(
        row, row_problem(row.n), WORK, shape.conflicts, shape.shared_bytes());
    // the first load and the last store move N points, not M
    return stretch * (passes - 4 * COST_STREAM) + 4 * COST_STREAM;
}

program bluestein_levels_program(const problem& what,
                                 const recipe& how,
                                 const std::vector<std::complex<double>>& chirp)
{
    std::uint64_t length = 1, rows = 1;
    for (const stockham_shape& shape : how.shapes)
        length *= shape.n;
    program made;
    made.scratch_points[0] = length;
    const int chirp_table =
        made.add(std::vector<std::complex<float>>(chirp.begin(), chirp.end()));
    const std::string n = std::to_string(what.n);

    std::vector<launch_step> back; // of the inverse columns, the last first
    for (std::size_t level = 0; level + 1 < how.shapes.size(); ++level) {
        const stockham_shape& shape = how.shapes[level];
        const std::uint64_t vector = length / rows, columns = vector / shape.n;
        launch_step step;
        step.kernel.header = "bluestein_levels.cuh";
        step.kernel.block_threads = shape.threads;
        step.kernel.blocks_per_frame =
            int(rows * ((columns + shape.columns - 1) / shape.columns));
        step.kernel.shared_bytes = shape.shared_bytes();
        step.twiddles = made.add(stockham_twiddles(shape));
        step.chirp = level == 0 ? chirp_table : -1;
        step.from = level == 0 ? place::input : place::scratch_0;
        step.to = place::scratch_0;
        step.kernel.expression =
            "bluestein_columns_kernel<" + shape_text(shape) + ", " +
            (level == 0 ? "load_chirped<" + load_text(what) + ", " + n + ">"
                        : "load_scratch") +
            ", store_scratch" + numbers(vector, rows);
        made.steps.push_back(step);
        step.from = place::scratch_0;
        step.to = level == 0 ? place::output : place::scratch_0;
        step.kernel.expression =
            "bluestein_inverse_columns_kernel<" + shape_text(shape) + ", load_scratch, " +
            (level == 0 ? "store_chirped<" + store_text(what) + ", " + n + ">"
                        : "store_scratch") +
            numbers(vector, rows);
        back.push_back(step);
        rows *= shape.n;
    }

    const convolution_shape row = make_convolution(how.shapes.back(), row_use());
    launch_step step;
    step.kernel.header = "bluestein_levels.cuh";
    step.kernel.expression =
        "bluestein_rows_kernel<" + row.to_text() + ", " + std::to_string(rows) + ">";
    step.kernel.block_threads = row.block_threads();
    step.kernel.blocks_per_frame = int(rows);
    step.kernel.shared_bytes = row.shared_bytes();
    step.from = step.to = place::scratch_0;
    step.twiddles = made.add(convolution_twiddles(row.radices, true));
    step.spectrum = made.add(row_spectra(how, long(length), chirp));
    made.steps.push_back(step);
    made.steps.insert(made.steps.end(), back.rbegin(), back.rend());
    return made;
}

} // namespace gpufft
} // namespace gr
