// SPDX-License-Identifier: GPL-3.0-or-later
//
// Running traces, and their reduction to columns.

#include "view_traces.h"
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace gr {
namespace gpufft {

namespace {

// Weight of the new value after `seconds`; 1 without a time constant.
float weight_of_new(double seconds, double constant)
{
    return constant > 0 ? static_cast<float>(-std::expm1(-seconds / constant)) : 1.0f;
}

float larger(float a, float b) { return a < b ? b : a; }
float smaller(float a, float b) { return b < a ? b : a; }

// Reduces all values with `better`, in several lanes, because compilers keep the order of
// a single chain.
template <float better(float, float)>
float best_of(const float* begin, const float* end)
{
    constexpr std::ptrdiff_t LANES = 16;
    float best = *begin;
    if (end - begin >= LANES) {
        float lanes[LANES];
        std::copy_n(begin, LANES, lanes);
        for (begin += LANES; end - begin >= LANES; begin += LANES)
            for (std::ptrdiff_t i = 0; i < LANES; ++i)
                lanes[i] = better(lanes[i], begin[i]);
        for (const float lane : lanes)
            best = better(best, lane);
    }
    for (; begin < end; ++begin)
        best = better(best, *begin);
    return best;
}

// best_of() for each column.
template <float better(float, float)>
std::vector<float> columns_of(const view_span& span, const std::vector<float>& values)
{
    std::vector<float> result(span.columns);
    for (std::size_t column = 0; column < span.columns; ++column)
        result[column] = best_of<better>(values.data() + span.begin_of(column),
                                         values.data() + span.begin_of(column + 1));
    return result;
}

} // namespace

view_traces::view_traces(std::size_t bins) : d_average(bins), d_max(bins), d_min(bins) {}

spectrum_picture view_traces::draw(view_interval& rows, double seconds)
{
    const view_span& span = rows.span();
    spectrum_picture picture;
    picture.first_bin = span.first;
    picture.bins = span.bins;
    picture.columns = span.columns;
    picture.rows = rows.rows();
    d_since_rows += seconds;
    d_since_counts += seconds;
    if (rows.rows() > 0) {
        rows.end();
        merge_average(rows);
        merge_holds(rows);
        draw_mean(picture, rows);
    }
    if (d_has_average)
        draw_average(picture, span);
    if (d_has_holds)
        draw_holds(picture, span);
    merge_density(rows);
    draw_density(picture);
    return picture;
}

void view_traces::merge_average(const view_interval& rows)
{
    const double seconds = std::exchange(d_since_rows, 0.0);
    const float weight = d_has_average ? weight_of_new(seconds, d_averaging) : 1.0f;
    for (std::size_t k = 0; k < d_average.size(); ++k)
        d_average[k] = weight * rows.mean()[k] + (1 - weight) * d_average[k];
    d_has_average = true;
}

void view_traces::merge_holds(const view_interval& rows)
{
    for (std::size_t k = 0; k < d_max.size(); ++k) {
        d_max[k] = d_has_holds ? std::max(d_max[k], rows.max()[k]) : rows.max()[k];
        d_min[k] = d_has_holds ? std::min(d_min[k], rows.min()[k]) : rows.min()[k];
    }
    d_has_holds = true;
}

void view_traces::merge_density(const view_interval& rows)
{
    if (!(d_grid == rows.grid())) {
        d_grid = rows.grid();
        d_density.assign(rows.counts().size(), 0);
        d_has_density = false;
    }
    if (rows.rows_counted() == 0)
        return;
    const double seconds = std::exchange(d_since_counts, 0.0);
    const float weight = d_has_density ? weight_of_new(seconds, d_persistence) : 1.0f;
    d_has_density = true;
    for (std::size_t first = 0; first < d_density.size(); first += d_grid.levels) {
        const std::uint64_t* counts = rows.counts().data() + first;
        const std::uint64_t all =
            std::accumulate(counts, counts + d_grid.levels, std::uint64_t(0));
        const float share = weight / std::max<std::uint64_t>(all, 1);
        for (std::size_t level = 0; level < d_grid.levels; ++level)
            d_density[first + level] =
                share * counts[level] + (1 - weight) * d_density[first + level];
    }
}

void view_traces::draw_mean(spectrum_picture& picture, const view_interval& rows) const
{
    picture.mean = columns_of<larger>(rows.span(), rows.mean());
    picture.peak = columns_of<larger>(rows.span(), rows.max());
}

void view_traces::draw_average(spectrum_picture& picture, const view_span& span) const
{
    picture.average_high = columns_of<larger>(span, d_average);
    picture.average_low = columns_of<smaller>(span, d_average);
    for (std::size_t column = 0; column < span.columns; ++column) {
        const auto begin = d_average.begin() + span.begin_of(column);
        const auto end = d_average.begin() + span.begin_of(column + 1);
        const auto highest = std::find(begin, end, picture.average_high[column]);
        picture.average_bin.push_back(highest - d_average.begin());
    }
}

void view_traces::draw_holds(spectrum_picture& picture, const view_span& span) const
{
    picture.max_hold = columns_of<larger>(span, d_max);
    picture.min_hold = columns_of<smaller>(span, d_min);
}

void view_traces::draw_density(spectrum_picture& picture) const
{
    if (d_has_density)
        picture.density = d_density;
    picture.levels = d_grid.levels;
    picture.density_first_bin = d_grid.span.first;
    picture.density_bins = d_grid.span.bins;
    picture.density_columns = d_grid.span.columns;
    picture.density_low = d_grid.low;
    picture.density_high = d_grid.high;
}

} // namespace gpufft
} // namespace gr
