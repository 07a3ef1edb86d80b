// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows between two pictures.

#include "view_interval.h"
#include <algorithm>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t ROWS_IN_SUM = 256; // as far as single precision does for a mean

} // namespace

view_interval::view_interval(std::size_t bins)
    : d_sum(bins),
      d_total(bins),
      d_max(bins),
      d_min(bins)
{
}

void view_interval::begin(const view_span& span)
{
    d_begins.resize(span.columns + 1);
    for (std::size_t column = 0; column <= span.columns; ++column)
        d_begins[column] = span.begin_of(column);
    d_span = span;
    d_rows = d_rows_counted = 0;
    d_counts.assign(span.columns * span.levels, 0);
}

void view_interval::add(const float* row)
{
    if (d_rows++ == 0) {
        for (auto* trace : { &d_sum, &d_max, &d_min })
            std::copy_n(row, trace->size(), trace->begin());
        d_has_total = false;
        return;
    }
    for (std::size_t k = 0; k < d_sum.size(); ++k) {
        d_sum[k] += row[k];
        d_max[k] = std::max(d_max[k], row[k]);
        d_min[k] = std::min(d_min[k], row[k]);
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

void view_interval::count(const float* row)
{
    ++d_rows_counted;
    const level_table& level_of = *d_span.table;
    for (std::size_t column = 0; column < d_span.columns; ++column) {
        std::uint32_t* const counts = &d_counts[column * d_span.levels];
        const std::size_t end = d_begins[column + 1];
        for (std::size_t k = d_begins[column]; k < end; ++k)
            ++counts[level_of(row[k])];
    }
}

} // namespace gpufft
} // namespace gr
