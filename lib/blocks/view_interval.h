// SPDX-License-Identifier: GPL-3.0-or-later
//
// What came between two pictures of a spectrum_view: sum, maximum and minimum of every
// bin, and how often each column of the span was at each level.

#ifndef INCLUDED_GPUFFT_VIEW_INTERVAL_H
#define INCLUDED_GPUFFT_VIEW_INTERVAL_H

#include "level_table.h"
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
    std::size_t levels = 0;
    std::shared_ptr<const level_table> table;

    // First bin of a column; of one past the last, the end of the span.
    std::size_t begin_of(std::size_t column) const
    {
        return first + column * bins / columns;
    }

    bool operator==(const view_span& other) const
    {
        return first == other.first && bins == other.bins && columns == other.columns &&
               table == other.table;
    }
};

class view_interval
{
public:
    explicit view_interval(std::size_t bins);

    // Forgets the rows; from now on the span is that.
    void begin(const view_span& span);

    // A row of finite powers, into all but the density.
    void add(const float* row);

    // Into the density.
    void count(const float* row);

    const view_span& span() const { return d_span; }
    std::size_t rows() const { return d_rows; }
    std::size_t rows_counted() const { return d_rows_counted; }

    // Of the rows, of which there is one at least. The mean is right after end().
    void end();
    const std::vector<float>& mean() const { return d_sum; }
    const std::vector<float>& max() const { return d_max; }
    const std::vector<float>& min() const { return d_min; }

    const std::vector<std::uint32_t>& counts() const { return d_counts; }

private:
    void fold_sum();

    view_span d_span;
    std::vector<std::size_t> d_begins; // first bin of each column, and the span's end
    std::size_t d_rows = 0, d_rows_counted = 0;
    std::vector<float> d_sum; // of at most ROWS_IN_SUM rows, d_total of those before
    bool d_has_total = false;
    std::vector<double> d_total;
    std::vector<float> d_max, d_min;
    std::vector<std::uint32_t> d_counts; // [column][level]
};

} // namespace gpufft
} // namespace gr

#endif
