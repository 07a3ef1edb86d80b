// SPDX-License-Identifier: GPL-3.0-or-later
//
// What rows with a density must say, from their frames' powers in double precision.

#ifndef INCLUDED_GPUFFT_DENSITY_REFERENCE_H
#define INCLUDED_GPUFFT_DENSITY_REFERENCE_H

#include "problem/density_row.h"
#include "reference_dft.h"
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <utility>
#include <vector>

namespace gr {
namespace gpufft {

// One row's counts of a column.
inline std::vector<double>
column_of(const problem& what, const float* row, std::size_t column)
{
    const float* cells = row + cells_begin(what) + column * what.density.levels;
    return { cells, cells + what.density.levels };
}

inline double sum_of(const std::vector<double>& counts)
{
    return std::accumulate(counts.begin(), counts.end(), 0.0);
}

// What a row must say, from its frames' powers in double precision.
class expected_row
{
public:
    expected_row(const problem& what, std::vector<std::vector<long double>> powers)
        : d_what(what),
          d_powers(std::move(powers))
    {
        long double sum = 0;
        for (const auto& frame : d_powers)
            for (const long double power : frame)
                sum += power;
        const std::size_t values = d_powers.size() * what.row_bins();
        d_mean = std::sqrt(sum / values); // amplitude
    }

    void expect(const float* row) const
    {
        expect_extremes(row);
        for (std::size_t column = 0; column < d_what.density.columns; ++column)
            expect_column(column, column_of(d_what, row, column));
        const auto facts = density_facts(d_what);
        const float* rest = row + cells_begin(d_what) + d_what.density.cells();
        for (const float fact : facts)
            EXPECT_EQ(*rest++, fact);
        for (; rest < row + d_what.row_items(); ++rest)
            ASSERT_EQ(*rest, 0.0f);
    }

private:
    // By which single precision may be off: so much of the mean amplitude.
    long double error_of(long double power) const
    {
        const long double error = 3e-6L * d_mean;
        return 2 * std::sqrt(power) * error + error * error;
    }

    // In the row's unit.
    long double stored(long double power) const
    {
        power = std::max(power * d_what.scale, 1e-300L);
        return d_what.output == output_kind::decibel ? 10 * std::log10(power) : power;
    }

    void expect_extremes(const float* row) const
    {
        const std::size_t n = d_what.row_bins();
        for (std::size_t k = 0; k < n; ++k) {
            long double most = 0, least = INFINITY;
            for (const auto& frame : d_powers) {
                most = std::max(most, frame[k]);
                least = std::min(least, frame[k]);
            }
            for (const auto& [power, value] :
                 { std::pair(most, row[n + k]), std::pair(least, row[2 * n + k]) }) {
                ASSERT_GE(value, stored(power - error_of(power)) - 1e-4) << k;
                ASSERT_LE(value, stored(power + error_of(power)) + 1e-4) << k;
            }
        }
    }

    // At most so many below each level's edge as are there with their errors and 1e-4 dB,
    // at least those that are there without.
    void expect_column(std::size_t column, const std::vector<double>& counts) const
    {
        const density_grid& grid = d_what.density;
        const std::size_t bins = d_what.counted_bins(), columns = columns_in_use(d_what);
        std::vector<double> highest, lowest; // in dB, as they may have been counted
        if (column < columns)
            for (std::size_t k = column * bins / columns;
                 k < (column + 1) * bins / columns;
                 ++k)
                for (const auto& frame : d_powers) {
                    const long double power = frame[grid.first + k];
                    highest.push_back(decibels(power + error_of(power)) + 1e-4);
                    lowest.push_back(decibels(power - error_of(power)) - 1e-4);
                }
        std::sort(highest.begin(), highest.end());
        std::sort(lowest.begin(), lowest.end());
        ASSERT_EQ(sum_of(counts), double(highest.size())) << "column " << column;
        double below = 0;
        for (std::size_t level = 0; level + 1 < grid.levels; ++level) {
            below += counts[level];
            const double edge = grid.low + double(level + 1) * (grid.high - grid.low) /
                                               double(grid.levels);
            ASSERT_GE(below, count_below(highest, edge)) << column << " level " << level;
            ASSERT_LE(below, count_below(lowest, edge)) << column << " level " << level;
        }
    }

    static double count_below(const std::vector<double>& sorted, double edge)
    {
        return double(std::lower_bound(sorted.begin(), sorted.end(), edge) -
                      sorted.begin());
    }

    double decibels(long double power) const
    {
        return 10 * std::log10(std::max(double(power * d_what.scale), 1e-300));
    }

    const problem d_what;
    const std::vector<std::vector<long double>> d_powers; // [frame][place]
    long double d_mean;
};

struct density_data {
    std::vector<std::uint8_t> input;
    std::vector<float> window;
    std::vector<expected_row> rows;

    density_data(const problem& what, std::size_t frames)
        : input(random_samples(what,
                               (frames - 1) * what.effective_hop() + what.input_span())),
          window(random_window(what.window_numbers()))
    {
        std::vector<std::vector<long double>> powers;
        for (std::size_t f = 0; f < frames; ++f) {
            powers.emplace_back();
            const std::size_t start = f * what.effective_hop() * what.input_item_bytes();
            for (const auto& x : reference_frame(what, input.data() + start, window))
                powers.back().push_back(std::norm(x));
            if (powers.size() == what.average)
                rows.emplace_back(what, std::exchange(powers, {}));
        }
    }
};

} // namespace gpufft
} // namespace gr

#endif
