// SPDX-License-Identifier: GPL-3.0-or-later
//
// Two intervals take turns: one collects rows while the other is drawn. So drawing delays
// the stream only for the exchange of two pointers.

#include "spectrum_view_impl.h"
#include "engine/memory_check.h"
#include "problem/density_row.h"
#include "ranges.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <gnuradio/io_signature.h>
#include <optional>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t BINS_AT_ONCE = 1 << 14; // rows that fit the L2 cache together
constexpr double SHARE_OF_COUNTING = 1.0 / 3; // of one core
constexpr std::int64_t MAX_COLUMNS = 1 << 16;
constexpr double LOWEST_DB = -140, HIGHEST_DB = 0; // until set_level_range()

bool is_finite(const float* row, std::size_t bins)
{
    constexpr std::uint32_t EXPONENT = 0x7f800000;
    std::uint32_t others = 0; // a count, which compilers vectorise
    for (std::size_t k = 0; k < bins; ++k) {
        std::uint32_t bits;
        std::memcpy(&bits, row + k, sizeof(bits));
        others += (bits & EXPONENT) == EXPONENT;
    }
    return others == 0;
}

std::size_t columns_for(std::int64_t columns, std::int64_t bins)
{
    return std::min(check_range("columns", columns, 1, MAX_COLUMNS), bins);
}

// A problem with such rows, which have a density unless density_columns is 0.
problem rows_of(std::int64_t bins, std::int64_t levels, std::int64_t density_columns)
{
    problem rows;
    rows.output = output_kind::power;
    rows.n = check_range("bins", bins, 1, MAX_ROW);
    rows.density.columns =
        check_range("density_columns", density_columns, 0, MAX_DENSITY_COLUMNS);
    rows.density.levels = check_range("levels", levels, 1, level_table::MAX_LEVELS);
    if (density_columns == 0)
        rows.density = density_grid();
    else
        check_range("bins with a density", bins, 1, MAX_ROW_WITH_DENSITY);
    return rows;
}

// The range that a row's counts cover; nothing if the row does not state a valid range.
std::optional<view_grid> grid_of(const problem& rows, const float* row)
{
    const float* facts = row + cells_begin(rows) + rows.density.cells();
    const double n = static_cast<double>(rows.n);
    const auto is_count = [n](float fact) {
        return fact >= 0 && fact <= n && fact == std::floor(fact);
    };
    // Single precision rounds both counts.
    if (!is_count(facts[0]) || !is_count(facts[1]) ||
        static_cast<double>(facts[0]) + facts[1] > n * (1 + 1e-6) ||
        !(facts[2] < facts[3]) || !std::isfinite(facts[2]) || !std::isfinite(facts[3]))
        return std::nullopt;
    view_grid grid;
    grid.span.first = std::min(static_cast<std::size_t>(facts[0]), rows.n);
    grid.span.bins =
        std::min(static_cast<std::size_t>(facts[1]), rows.n - grid.span.first);
    grid.span.columns = std::min(rows.density.columns, grid.span.bins);
    grid.levels = rows.density.levels;
    grid.low = facts[2];
    grid.high = facts[3];
    return grid;
}

double check_time(const char* name, double seconds)
{
    if (!(seconds >= 0) || !std::isfinite(seconds))
        throw std::invalid_argument(
            fmt::format("{} is {}: must be a finite number >= 0", name, seconds));
    return seconds;
}

} // namespace

spectrum_view::sptr spectrum_view::make(std::int64_t bins,
                                        std::int64_t columns,
                                        std::int64_t levels,
                                        std::int64_t density_columns)
{
    constexpr std::size_t FLOATS = 9; // a bin's in a row, an interval and the traces
    const problem rows = rows_of(bins, levels, density_columns);
    check_memory(fmt::format("bins is {}", bins), FLOATS * sizeof(float) * rows.n);
    return gnuradio::make_block_sptr<spectrum_view_impl>(bins, columns, levels, rows);
}

spectrum_view_impl::spectrum_view_impl(std::int64_t bins,
                                       std::int64_t columns,
                                       std::int64_t levels,
                                       const problem& density)
    : gr::sync_block("spectrum_view",
                     gr::io_signature::make(1, 1, sizeof(float) * density.row_items()),
                     gr::io_signature::make(0, 0, 0)),
      d_bins(bins),
      d_density(density),
      d_row(density.row_items()),
      d_checked(density.row_traces() * d_bins),
      d_traces(bins),
      d_spare(std::make_unique<view_interval>(bins)),
      d_interval(std::make_unique<view_interval>(bins)),
      d_counting_time(SHARE_OF_COUNTING)
{
    view_span span;
    span.bins = d_bins;
    span.columns = columns_for(columns, bins);
    d_table =
        std::make_shared<level_table>(LOWEST_DB, HIGHEST_DB, static_cast<int>(levels));
    d_interval->begin(span,
                      { span, static_cast<std::size_t>(levels), LOWEST_DB, HIGHEST_DB });
    d_finite.reserve(rows_at_once());
}

void spectrum_view_impl::set_span(std::int64_t first_bin,
                                  std::int64_t bins,
                                  std::int64_t columns)
{
    std::lock_guard<std::mutex> drawing(d_drawing_mutex);
    std::lock_guard<std::mutex> rows(d_rows_mutex);
    view_span span = d_interval->span();
    span.first = check_range("first_bin", first_bin, 0, d_bins - 1);
    span.bins = check_range("bins", bins, 1, d_bins - span.first);
    span.columns = columns_for(columns, bins);
    view_grid grid = d_interval->grid();
    if (!d_density.has_density())
        grid.span = span;
    d_interval->show(span, grid);
}

void spectrum_view_impl::set_level_range(double low, double high)
{
    if (!(low < high) || !std::isfinite(low) || !std::isfinite(high))
        throw std::invalid_argument(
            fmt::format("low is {} and high is {}: must be low < high", low, high));
    std::lock_guard<std::mutex> drawing(d_drawing_mutex);
    std::lock_guard<std::mutex> rows(d_rows_mutex);
    if (d_density.has_density())
        return;
    view_grid grid = d_interval->grid();
    grid.low = low;
    grid.high = high;
    d_table = std::make_shared<level_table>(low, high, static_cast<int>(grid.levels));
    d_interval->show(d_interval->span(), grid);
}

void spectrum_view_impl::set_averaging(double seconds)
{
    check_time("averaging", seconds);
    std::lock_guard<std::mutex> drawing(d_drawing_mutex);
    d_traces.set_averaging(seconds);
}

void spectrum_view_impl::set_persistence(double seconds)
{
    check_time("persistence", seconds);
    std::lock_guard<std::mutex> drawing(d_drawing_mutex);
    d_traces.set_persistence(seconds);
}

void spectrum_view_impl::reset()
{
    std::lock_guard<std::mutex> drawing(d_drawing_mutex);
    std::lock_guard<std::mutex> rows(d_rows_mutex);
    d_traces.reset();
    d_interval->begin(d_interval->span(), d_interval->grid());
}

spectrum_picture spectrum_view_impl::take()
{
    std::lock_guard<std::mutex> drawing(d_drawing_mutex);
    view_grid grid;
    {
        std::lock_guard<std::mutex> rows(d_rows_mutex);
        grid = d_interval->grid(); // rows with a density change the grid
    }
    d_spare->begin(d_interval->span(), grid);
    {
        std::lock_guard<std::mutex> rows(d_rows_mutex);
        std::swap(d_interval, d_spare);
    }
    const auto now = std::chrono::steady_clock::now();
    const std::chrono::duration<double> passed = now - d_taken;
    d_taken = now;
    return d_traces.draw(*d_spare, passed.count());
}

std::vector<float> spectrum_view_impl::average(std::int64_t first_bin,
                                               std::int64_t bins) const
{
    check_range("first_bin", first_bin, 0, d_bins - 1);
    check_range("bins", bins, 1, d_bins - first_bin);
    std::lock_guard<std::mutex> drawing(d_drawing_mutex);
    const auto begin = d_traces.average().begin() + first_bin;
    return { begin, begin + bins };
}

std::size_t spectrum_view_impl::rows_at_once() const
{
    return std::max<std::size_t>(1, BINS_AT_ONCE / d_row);
}

bool spectrum_view_impl::start()
{
    d_has_ended = false;
    return true;
}

bool spectrum_view_impl::stop()
{
    d_has_ended = true;
    return true;
}

int spectrum_view_impl::work(int noutput_items,
                             gr_vector_const_void_star& input_items,
                             gr_vector_void_star&)
{
    const auto* rows = static_cast<const float*>(input_items[0]);
    const std::size_t count = noutput_items;
    for (std::size_t i = 0; i < count; i += rows_at_once())
        add(rows + i * d_row, std::min(rows_at_once(), count - i));
    return noutput_items;
}

void spectrum_view_impl::add(const float* rows, std::size_t count)
{
    d_finite.clear();
    for (std::size_t i = 0; i < count; ++i)
        if (is_good(rows + i * d_row))
            d_finite.push_back(rows + i * d_row);
    d_rows += count;
    d_rows_left_out += count - d_finite.size();
    std::lock_guard<std::mutex> lock(d_rows_mutex);
    for (const float* row : d_finite)
        d_interval->add(parts_of(row));
    if (!d_counting)
        return;
    if (d_density.has_density())
        count_density();
    else
        d_counting_time.offer([this] { count_plain(); });
}

bool spectrum_view_impl::is_good(const float* row) const
{
    return is_finite(row, d_checked) &&
           (!d_density.has_density() || grid_of(d_density, row).has_value());
}

view_row spectrum_view_impl::parts_of(const float* row) const
{
    if (!d_density.has_density())
        return { row, row, row };
    return { row, row + d_bins, row + 2 * d_bins };
}

void spectrum_view_impl::count_plain()
{
    for (const float* row : d_finite)
        d_interval->count(row, *d_table);
    d_rows_counted += d_finite.size();
}

void spectrum_view_impl::count_density()
{
    for (const float* row : d_finite) {
        const view_grid grid = *grid_of(d_density, row);
        if (grid.span.bins == 0) // nothing is counted
            continue;
        d_interval->count(row + cells_begin(d_density), grid);
        ++d_rows_counted;
    }
}

} // namespace gpufft
} // namespace gr
