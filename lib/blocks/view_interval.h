// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows between two pictures of a spectrum_view: sum, maximum and minimum of every bin,
// and how often each column of a span was at each level.

#ifndef INCLUDED_GPUFFT_VIEW_INTERVAL_H
#define INCLUDED_GPUFFT_VIEW_INTERVAL_H

#include "engine/cpu/level_table.h"
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace gr {
namespace gpufft {

// The bins shown, and the number of columns.
struct view_span {
    std::size_t first = 0;
    std::size_t bins = 0;
    std::size_t columns = 0;

    // First bin of a column; for the column after the last, the end of the span.
    std::size_t begin_of(std::size_t column) const
    {
        return first + column * bins / columns;
    }

    bool operator==(const view_span& other) const
    {
        return first == other.first && bins == other.bins && columns == other.columns;
    }
};

// What a density counts.
struct view_grid {
    view_span span;
    std::size_t levels = 0;
    double low = 0, high = 0; // dB

    bool operator==(const view_grid& other) const
    {
        return span == other.span && levels == other.levels && low == other.low &&
               high == other.high;
    }
};

// A row of one frame or several.
struct view_row {
    const float* mean;
    const float* max;
    const float* min;
};

class view_interval
{
public:
    explicit view_interval(std::size_t bins);

    // Forgets the rows, and sets span and grid.
    void begin(const view_span& span, const view_grid& grid);

    // Sets span and grid; keeps the rows, and the counts if the grid stays the same.
    void show(const view_span& span, const view_grid& grid);

    // Adds a row of finite powers to the sums, but not to the density.
    void add(const view_row& row);

    // Counts a row into the density, with the table of the grid's levels.
    void count(const float* row, const level_table& level_of);

    // Adds a row's counts to the density, which restarts if their grid differs.
    void count(const float* counts, const view_grid& grid);

    const view_span& span() const { return d_span; }
    const view_grid& grid() const { return d_grid; }
    std::size_t rows() const { return d_rows; }
    std::size_t rows_counted() const { return d_rows_counted; }

    // Values of the rows; there must be at least one row. mean() is valid after end().
    void end();
    const std::vector<float>& mean() const { return d_sum; }
    const std::vector<float>& max() const { return d_max; }
    const std::vector<float>& min() const { return d_min; }

    const std::vector<std::uint64_t>& counts() const { return d_counts; }

private:
    void fold_sum();
    void begin_counts(const view_grid& grid);

    view_span d_span;
    view_grid d_grid;
    std::vector<std::size_t> d_begins; // first bins of the grid's columns, and the end
    std::size_t d_rows = 0, d_rows_counted = 0;
    std::vector<float> d_sum; // sum of the last rows, at most ROWS_IN_SUM; rest: d_total
    bool d_has_total = false;
    std::vector<double> d_total;
    std::vector<float> d_max, d_min;
    std::vector<std::uint64_t> d_counts; // [column][level]
};

} // namespace gpufft
} // namespace gr

#endif
