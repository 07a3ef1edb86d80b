// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sums and counts of the rows between two pictures.

#include "view_interval.h"
#include <algorithm>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t ROWS_IN_SUM = 256; // few enough for a mean in single precision

} // namespace

view_interval::view_interval(std::size_t bins)
    : d_sum(bins),
      d_total(bins),
      d_max(bins),
      d_min(bins)
{
}

void view_interval::begin(const view_span& span, const view_grid& grid)
{
    d_span = span;
    d_rows = 0;
    begin_counts(grid);
}

void view_interval::show(const view_span& span, const view_grid& grid)
{
    d_span = span;
    if (!(grid == d_grid))
        begin_counts(grid);
}

void view_interval::begin_counts(const view_grid& grid)
{
    d_begins.resize(grid.span.columns + 1);
    for (std::size_t column = 0; column <= grid.span.columns; ++column)
        d_begins[column] = grid.span.begin_of(column);
    d_grid = grid;
    d_rows_counted = 0;
    d_counts.assign(grid.span.columns * grid.levels, 0);
}

void view_interval::add(const view_row& row)
{
    const std::size_t bins = d_sum.size();
    if (d_rows++ == 0) {
        std::copy_n(row.mean, bins, d_sum.begin());
        std::copy_n(row.max, bins, d_max.begin());
        std::copy_n(row.min, bins, d_min.begin());
        d_has_total = false;
        return;
    }
    for (std::size_t k = 0; k < bins; ++k) {
        d_sum[k] += row.mean[k];
        d_max[k] = std::max(d_max[k], row.max[k]);
        d_min[k] = std::min(d_min[k], row.min[k]);
    }
    if (d_rows % ROWS_IN_SUM == 0)
        fold_sum();
}

void view_interval::fold_sum()
{
    for (std::size_t k = 0; k < d_sum.size(); ++k)
        d_total[k] = d_sum[k] + (d_has_total ? d_total[k] : 0.0);
    d_has_total = true;
    std::fill(d_sum.begin(), d_sum.end(), 0.0f);
}

void view_interval::end()
{
    if (d_has_total)
        for (std::size_t k = 0; k < d_sum.size(); ++k)
            d_sum[k] = static_cast<float>(d_sum[k] + d_total[k]);
    const float share = 1.0f / d_rows;
    for (float& sum : d_sum)
        sum *= share;
}

void view_interval::count(const float* row, const level_table& level_of)
{
    ++d_rows_counted;
    for (std::size_t column = 0; column < d_grid.span.columns; ++column) {
        std::uint64_t* const counts = &d_counts[column * d_grid.levels];
        const std::size_t end = d_begins[column + 1];
        for (std::size_t k = d_begins[column]; k < end; ++k)
            ++counts[level_of(row[k])];
    }
}

void view_interval::count(const float* counts, const view_grid& grid)
{
    if (!(grid == d_grid))
        begin_counts(grid);
    ++d_rows_counted;
    for (std::size_t cell = 0; cell < d_counts.size(); ++cell)
        d_counts[cell] += static_cast<std::uint64_t>(counts[cell]);
}

} // namespace gpufft
} // namespace gr
