// SPDX-License-Identifier: GPL-3.0-or-later
//
// What came between two pictures of a spectrum_view: sum, maximum and minimum of every
// bin, and how often each column of a span was at each level.

#ifndef INCLUDED_GPUFFT_VIEW_INTERVAL_H
#define INCLUDED_GPUFFT_VIEW_INTERVAL_H

#include "engine/cpu/level_table.h"
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace gr {
namespace gpufft {

// The bins that are shown, and in how many columns and levels.
struct view_span {
    std::size_t first = 0;
    std::size_t bins = 0;
    std::size_t columns = 0;

    // First bin of a column; of one past the last, the end of the span.
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

// Of one frame or several.
struct view_row {
    const float* mean;
    const float* max;
    const float* min;
};

class view_interval
{
public:
    explicit view_interval(std::size_t bins);

    // Forgets the rows; from now on the span is that, and what is counted.
    void begin(const view_span& span, const view_grid& grid);

    // From now on the span is that, and what is counted; the rows stay, and the counts if
    // they are of the same grid.
    void show(const view_span& span, const view_grid& grid);

    // A row of finite powers, into all but the density.
    void add(const view_row& row);

    // A row into the density, by the table of the grid's levels.
    void count(const float* row, const level_table& level_of);

    // A row's counts into the density, which begins anew if they are of another grid.
    void count(const float* counts, const view_grid& grid);

    const view_span& span() const { return d_span; }
    const view_grid& grid() const { return d_grid; }
    std::size_t rows() const { return d_rows; }
    std::size_t rows_counted() const { return d_rows_counted; }

    // Of the rows, of which there is one at least. The mean is right after end().
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
    std::vector<std::size_t> d_begins; // first bin of its columns, and the end
    std::size_t d_rows = 0, d_rows_counted = 0;
    std::vector<float> d_sum; // of at most ROWS_IN_SUM rows, d_total of those before
    bool d_has_total = false;
    std::vector<double> d_total;
    std::vector<float> d_max, d_min;
    std::vector<std::uint64_t> d_counts; // [column][level]
};

} // namespace gpufft
} // namespace gr

#endif
