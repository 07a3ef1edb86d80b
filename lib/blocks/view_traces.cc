// SPDX-License-Identifier: GPL-3.0-or-later
//
// Running traces, and their reduction to columns.

#include "view_traces.h"
#include <algorithm>
#include <cmath>

namespace gr {
namespace gpufft {

namespace {

// What the new has to weigh after `seconds`; all of it for no time constant.
float weight_of_new(double seconds, double constant)
{
    return constant > 0 ? static_cast<float>(-std::expm1(-seconds / constant)) : 1.0f;
}

// Of each column the value that `better` likes best.
template <class Value, class Better>
std::vector<float>
best_of_columns(const view_span& span, const Value& value, Better&& better)
{
    std::vector<float> result(span.columns);
    for (std::size_t column = 0; column < span.columns; ++column) {
        const std::size_t begin = span.begin_of(column);
        const std::size_t end = span.begin_of(column + 1);
        float best = value(begin);
        for (std::size_t k = begin + 1; k < end; ++k)
            best = better(best, value(k));
        result[column] = best;
    }
    return result;
}

float larger(float a, float b) { return std::max(a, b); }
float smaller(float a, float b) { return std::min(a, b); }

} // namespace

view_traces::view_traces(std::size_t bins) : d_average(bins), d_max(bins), d_min(bins) {}

spectrum_picture view_traces::draw(const view_interval& rows, double seconds)
{
    const view_span& span = rows.span();
    spectrum_picture picture;
    picture.first_bin = span.first;
    picture.bins = span.bins;
    picture.columns = span.columns;
    picture.levels = span.levels;
    picture.rows = rows.rows();
    if (rows.rows() > 0) {
        merge_average(rows, seconds);
        merge_holds(rows);
        draw_mean(picture, rows);
    }
    if (d_has_average)
        draw_average(picture, span);
    if (d_has_holds)
        draw_holds(picture, span);
    merge_density(rows, seconds);
    if (d_has_density)
        picture.density = d_density;
    return picture;
}

void view_traces::merge_average(const view_interval& rows, double seconds)
{
    const float weight = d_has_average ? weight_of_new(seconds, d_averaging) : 1.0f;
    for (std::size_t k = 0; k < d_average.size(); ++k)
        d_average[k] = weight * rows.mean(k) + (1 - weight) * d_average[k];
    d_has_average = true;
}

void view_traces::merge_holds(const view_interval& rows)
{
    for (std::size_t k = 0; k < d_max.size(); ++k) {
        d_max[k] = d_has_holds ? std::max(d_max[k], rows.max(k)) : rows.max(k);
        d_min[k] = d_has_holds ? std::min(d_min[k], rows.min(k)) : rows.min(k);
    }
    d_has_holds = true;
}

void view_traces::merge_density(const view_interval& rows, double seconds)
{
    if (!(d_span == rows.span())) {
        d_span = rows.span();
        d_density.assign(rows.counts().size(), 0);
        d_has_density = false;
    }
    if (rows.rows_counted() == 0)
        return;
    const float weight = d_has_density ? weight_of_new(seconds, d_persistence) : 1.0f;
    d_has_density = true;
    for (std::size_t column = 0; column < d_span.columns; ++column) {
        const std::size_t bins = d_span.begin_of(column + 1) - d_span.begin_of(column);
        const float share = weight / (static_cast<float>(rows.rows_counted()) * bins);
        for (std::size_t i = column * d_span.levels; i < (column + 1) * d_span.levels;
             ++i)
            d_density[i] = share * rows.counts()[i] + (1 - weight) * d_density[i];
    }
}

void view_traces::draw_mean(spectrum_picture& picture, const view_interval& rows) const
{
    const auto mean = [&](std::size_t k) { return rows.mean(k); };
    const auto peak = [&](std::size_t k) { return rows.max(k); };
    picture.mean = best_of_columns(rows.span(), mean, larger);
    picture.peak = best_of_columns(rows.span(), peak, larger);
}

void view_traces::draw_average(spectrum_picture& picture, const view_span& span) const
{
    const auto average = [this](std::size_t k) { return d_average[k]; };
    picture.average_low = best_of_columns(span, average, smaller);
    for (std::size_t column = 0; column < span.columns; ++column) {
        const auto begin = d_average.begin() + span.begin_of(column);
        const auto end = d_average.begin() + span.begin_of(column + 1);
        const auto highest = std::max_element(begin, end);
        picture.average_high.push_back(*highest);
        picture.average_bin.push_back(highest - d_average.begin());
    }
}

void view_traces::draw_holds(spectrum_picture& picture, const view_span& span) const
{
    const auto max = [this](std::size_t k) { return d_max[k]; };
    const auto min = [this](std::size_t k) { return d_min[k]; };
    picture.max_hold = best_of_columns(span, max, larger);
    picture.min_hold = best_of_columns(span, min, smaller);
}

} // namespace gpufft
} // namespace gr
