// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plain loops, which the compiler vectorises.

#include "row_trace.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <volk/volk.h>

namespace gr {
namespace gpufft {

namespace {

// Ignores NaN if there is a number.
template <class T>
T larger(T a, T b)
{
    return b > a || std::isnan(a) ? b : a;
}

template <class T>
T smaller(T a, T b)
{
    return b < a || std::isnan(a) ? b : a;
}

// joined[i] = the detector's result for joined[i] and more[i].
template <class T>
void join_values(detector_kind detector, T* joined, const float* more, std::size_t count)
{
    if (detector == detector_kind::max)
        for (std::size_t i = 0; i < count; ++i)
            joined[i] = larger(joined[i], T(more[i]));
    else if (detector == detector_kind::min)
        for (std::size_t i = 0; i < count; ++i)
            joined[i] = smaller(joined[i], T(more[i]));
    else
        for (std::size_t i = 0; i < count; ++i)
            joined[i] += T(more[i]);
}

// The value of a row that no frame has joined.
double start_of(detector_kind detector)
{
    const bool adds =
        detector == detector_kind::mean || detector == detector_kind::kurtosis;
    return adds ? 0.0 : std::numeric_limits<double>::quiet_NaN();
}

double kurtosis(double sum, double squares, double frames)
{
    return sum == 0 ? 0
                    : (frames + 1) / (frames - 1) * (frames * squares / (sum * sum) - 1);
}

} // namespace

row_trace::row_trace(detector_kind detector, std::size_t n)
    : d_detector(detector),
      d_n(n),
      d_sum(n),
      d_smoothed(n),
      d_squares(detector == detector_kind::kurtosis ? n : 0)
{
    std::fill_n(d_smoothed.data(), n, 0.0);
    reset();
}

void row_trace::allocate(std::size_t parts)
{
    const std::size_t kept = std::min(d_parts.size(), d_n);
    aligned_buffer<float> fresh(parts * d_n);
    aligned_buffer<double> squares(has_squares() ? parts * d_n : 0);
    std::copy_n(d_parts.data(), kept, fresh.data());
    if (has_squares())
        std::copy_n(d_part_squares.data(), kept, squares.data());
    d_parts = std::move(fresh);
    d_part_squares = std::move(squares);
}

void row_trace::reset()
{
    std::fill_n(d_sum.data(), d_n, start_of(d_detector));
    std::fill_n(d_squares.data(), d_squares.size(), 0.0);
}

void row_trace::join(std::size_t index, const float* power, bool is_first)
{
    float* const joined = part(index);
    if (is_first && joined != power)
        std::copy_n(power, d_n, joined);
    else if (!is_first && start_of(d_detector) == 0.0)
        volk_32f_x2_add_32f(joined, joined, power, d_n);
    else if (!is_first)
        join_values(d_detector, joined, power, d_n);
    if (!has_squares())
        return;
    double* const squares = d_part_squares.data() + index * d_n;
    if (is_first)
        std::fill_n(squares, d_n, 0.0);
    for (std::size_t k = 0; k < d_n; ++k)
        squares[k] += double(power[k]) * power[k];
}

void row_trace::add(std::size_t index, std::size_t first, std::size_t last)
{
    join_values(d_detector, d_sum.data() + first, part(index) + first, last - first);
    const double* const squares = d_part_squares.data() + index * d_n;
    for (std::size_t k = first; k < last && has_squares(); ++k)
        d_squares[k] += squares[k];
}

void row_trace::keep(std::size_t index, std::size_t first, std::size_t last)
{
    if (index == 0)
        return;
    std::copy(part(index) + first, part(index) + last, d_parts.data() + first);
    const double* const squares = d_part_squares.data() + index * d_n;
    if (has_squares())
        std::copy(squares + first, squares + last, d_part_squares.data() + first);
}

row_trace::joined row_trace::sum(std::size_t bin, bool is_in_group) const
{
    return { d_sum[bin], is_in_group ? d_parts[bin] : start_of(d_detector) };
}

row_trace::joined row_trace::squares(std::size_t bin, bool is_in_group) const
{
    return { d_squares[bin], is_in_group ? d_part_squares[bin] : 0.0 };
}

// Another engine's part of a group is added to the sum, unless the group continues here.
void row_trace::restore_sum(std::size_t bin, const joined& sum, bool is_in_group)
{
    const float kept = static_cast<float>(sum.kept);
    d_sum[bin] = sum.closed;
    if (is_in_group)
        d_parts[bin] = kept;
    else
        join_values(d_detector, &d_sum[bin], &kept, 1);
}

void row_trace::restore_squares(std::size_t bin, const joined& sum, bool is_in_group)
{
    d_squares[bin] = sum.closed + (is_in_group ? 0.0 : sum.kept);
    if (is_in_group)
        d_part_squares[bin] = sum.kept;
}

void row_trace::finish(float* row,
                       const ending& how,
                       std::size_t first,
                       std::size_t count)
{
    double* sum = d_sum.data() + first;
    double* before = d_smoothed.data() + first;
    if (d_detector == detector_kind::kurtosis) {
        for (std::size_t i = 0; i < count; ++i)
            sum[i] = kurtosis(sum[i], d_squares.data()[first + i], how.average);
        std::fill_n(d_squares.data() + first, count, 0.0);
    } else {
        const double factor =
            d_detector == detector_kind::mean ? how.scale / how.average : how.scale;
        for (std::size_t i = 0; i < count; ++i)
            sum[i] *= factor;
    }
    if (how.is_first || (how.hold == hold_kind::none && how.weight == 1.0))
        std::copy_n(sum, count, before); // 0 * earlier would keep a NaN
    else if (how.hold == hold_kind::max)
        for (std::size_t i = 0; i < count; ++i)
            before[i] = larger(before[i], sum[i]);
    else if (how.hold == hold_kind::min)
        for (std::size_t i = 0; i < count; ++i)
            before[i] = smaller(before[i], sum[i]);
    else
        for (std::size_t i = 0; i < count; ++i)
            before[i] = how.weight * sum[i] + (1.0 - how.weight) * before[i];
    const double start = start_of(d_detector);
    for (std::size_t i = 0; i < count; ++i) {
        row[i] = static_cast<float>(before[i]);
        sum[i] = start;
    }
}

} // namespace gpufft
} // namespace gr
