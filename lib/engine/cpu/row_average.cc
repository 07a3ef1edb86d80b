// SPDX-License-Identifier: GPL-3.0-or-later
//
// Running sums in double, plain loops that the compiler vectorises.

#include "row_average.h"

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
void join(detector_kind detector, T* joined, const float* more, std::size_t count)
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

void join_powers(detector_kind detector,
                 float* joined,
                 const float* power,
                 std::size_t count)
{
    if (start_of(detector) == 0.0)
        volk_32f_x2_add_32f(joined, joined, power, count);
    else
        join(detector, joined, power, count);
}

void row_average::allocate(std::size_t n, detector_kind detector)
{
    const bool has_squares = detector == detector_kind::kurtosis;
    aligned_buffer<double> sum(n), smoothed(n);
    aligned_buffer<double> squares(has_squares ? n : 0), kept_squares(squares.size());
    aligned_buffer<float> kept(n);
    std::fill_n(smoothed.data(), n, 0.0);
    d_detector = detector;
    d_sum = std::move(sum);
    d_squares = std::move(squares);
    d_smoothed = std::move(smoothed);
    d_kept = std::move(kept);
    d_kept_squares = std::move(kept_squares);
    reset();
}

void row_average::reset()
{
    std::fill_n(d_sum.data(), d_sum.size(), start_of(d_detector));
    std::fill_n(d_squares.data(), d_squares.size(), 0.0);
    std::fill_n(d_kept.data(), d_kept.size(), float(start_of(d_detector)));
    std::fill_n(d_kept_squares.data(), d_kept_squares.size(), 0.0);
}

// What another engine kept of a group belongs to the sum.
void row_average::restore_sum(std::size_t bin, const joined& sum, bool is_in_group)
{
    const float kept = static_cast<float>(sum.kept);
    d_sum[bin] = sum.closed;
    if (is_in_group)
        d_kept[bin] = kept;
    else
        join(d_detector, &d_sum[bin], &kept, 1);
}

void row_average::restore_squares(std::size_t bin, const joined& sum, bool is_in_group)
{
    d_squares[bin] = sum.closed + (is_in_group ? 0.0 : sum.kept);
    if (is_in_group)
        d_kept_squares[bin] = sum.kept;
}

void row_average::keep(const float* part,
                       const double* squares,
                       std::size_t first,
                       std::size_t last)
{
    std::copy(part + first, part + last, d_kept.data() + first);
    if (squares != nullptr)
        std::copy(squares + first, squares + last, d_kept_squares.data() + first);
}

void row_average::take_kept(float* part, double* squares)
{
    std::copy_n(d_kept.data(), d_kept.size(), part);
    std::fill_n(d_kept.data(), d_kept.size(), float(start_of(d_detector)));
    if (squares == nullptr)
        return;
    std::copy_n(d_kept_squares.data(), d_kept_squares.size(), squares);
    std::fill_n(d_kept_squares.data(), d_kept_squares.size(), 0.0);
}

void row_average::add(const float* part,
                      const double* squares,
                      std::size_t first,
                      std::size_t last)
{
    join(d_detector, d_sum.data() + first, part + first, last - first);
    if (squares != nullptr)
        for (std::size_t k = first; k < last; ++k)
            d_squares.data()[k] += squares[k];
}

void row_average::finish(float* row,
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
        std::copy_n(sum, count, before); // not 0 * earlier, which would keep a NaN
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
