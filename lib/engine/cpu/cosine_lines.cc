// SPDX-License-Identifier: GPL-3.0-or-later
//
// The sines follow from the cosines: S2[k] of x[m] is C2[n-1-k] of (-1)^m x[m], and S3[k]
// and S4[k] of x[m] are (-1)^k C3[k] and (-1)^k C4[k] of x[n-1-m].

#include "cosine_lines.h"

#include <cmath>

namespace gr {
namespace gpufft {

namespace {

// FFTW's own codelets are as fast for shorter lines.
constexpr std::size_t SHORTEST = 16;

// Exact tables of longer lines take too long to compute.
constexpr std::size_t LONGEST = std::size_t(1) << 20;

constexpr std::size_t VALUES_ALIGNED = 16; // a cache line of floats

bool is_type(int type, transform_kind kind) { return properties_of(kind).type == type; }

// factor exp(j pi (step k + first) / half_turn), k = 0 ... size-1
template <class T>
void fill_rotation(std::size_t size,
                   long double factor,
                   long double first,
                   std::size_t half_turn,
                   aligned_buffer<T>& cosines,
                   aligned_buffer<T>& sines)
{
    const long double pi = std::acos(-1.0L);
    cosines = aligned_buffer<T>(size);
    sines = aligned_buffer<T>(size);
    for (std::size_t k = 0; k < size; ++k) {
        const long double angle = pi * (static_cast<long double>(k) + first) /
                                  static_cast<long double>(half_turn);
        cosines[k] = static_cast<T>(factor * std::cos(angle));
        sines[k] = static_cast<T>(factor * std::sin(angle));
    }
}

} // namespace

template <class T>
bool cosine_lines<T>::takes(transform_kind kind, std::size_t n)
{
    if (properties_of(kind).type == 0 || n < SHORTEST || n > LONGEST)
        return false;
    return !is_type(4, kind) || n % 2 == 0;
}

template <class T>
transform_kind cosine_lines<T>::inner_kind(transform_kind kind)
{
    if (is_type(3, kind))
        return transform_kind::c2r;
    return is_type(4, kind) ? transform_kind::c2c : transform_kind::r2c;
}

template <class T>
std::size_t cosine_lines<T>::inner_points(transform_kind kind, std::size_t n)
{
    if (is_type(1, kind))
        return 2 * (n + properties_of(kind).beyond);
    return is_type(4, kind) ? n / 2 : n;
}

template <class T>
cosine_lines<T>::cosine_lines(transform_kind kind, std::size_t n)
    : d_kind(kind),
      d_n(n),
      d_is_sine(properties_of(kind).is_sine),
      d_lines(inner_kind(kind), direction::forward, inner_points(kind, n), 1, false),
      d_half_room((inner_points(kind, n) + 2 + (is_type(4, kind) ? n / 2 : 0) +
                   VALUES_ALIGNED - 1) /
                  VALUES_ALIGNED * VALUES_ALIGNED)
{
    if (is_type(2, kind))
        fill_rotation(n / 2 + 1, 2, 0, 2 * n, d_cos, d_sin);
    if (is_type(3, kind))
        fill_rotation(n / 2 + 1, 1, 0, 2 * n, d_cos, d_sin);
    if (is_type(4, kind)) {
        fill_rotation(n / 2, 1, 0, n, d_load_cos, d_load_sin);
        fill_rotation(n / 2, 2, 0.25L, n, d_cos, d_sin);
    }
}

template <class T>
void cosine_lines<T>::execute(const T* input, T* output, T* room) const
{
    T* points = room;
    T* bins = room + d_half_room;
    if (is_type(1, d_kind))
        load_period(input, points);
    else if (is_type(2, d_kind))
        load_alternating(input, points);
    else if (is_type(3, d_kind))
        load_rotated(input, points);
    else
        load_halves(input, points);
    d_lines.execute(points, bins);
    if (is_type(1, d_kind))
        store_period(bins, output);
    else if (is_type(2, d_kind))
        store_rotated(bins, output);
    else if (is_type(3, d_kind))
        store_alternating(bins, output);
    else
        store_halves(bins, output);
}

// Even points forward, then odd points backward.
template <class T>
void cosine_lines<T>::load_alternating(const T* input, T* points) const
{
    const T sign = d_is_sine ? T(-1) : T(1);
    for (std::size_t m = 0; m < (d_n + 1) / 2; ++m)
        points[m] = input[2 * m];
    for (std::size_t m = 0; m < d_n / 2; ++m)
        points[d_n - 1 - m] = sign * input[2 * m + 1];
}

// X[k] = 2 Re V[k] w^k, X[n-k] = -2 Im V[k] w^k, w = exp(-j pi / 2n)
template <class T>
void cosine_lines<T>::store_rotated(const T* bins, T* output) const
{
    const T* cosines = d_cos.data();
    const T* sines = d_sin.data();
    // Places of X[0], X[1] and X[n-1].
    T* first = d_is_sine ? output + d_n - 1 : output;
    const std::ptrdiff_t step = d_is_sine ? -1 : 1;
    const std::ptrdiff_t n = d_n;
    first[0] = 2 * bins[0];
    for (std::ptrdiff_t k = 1; k < (n + 1) / 2; ++k) {
        const T re = bins[2 * k], im = bins[2 * k + 1];
        first[step * k] = cosines[k] * re + sines[k] * im;
        first[step * (n - k)] = sines[k] * re - cosines[k] * im;
    }
    if (n % 2 == 0)
        first[step * (n / 2)] = cosines[n / 2] * bins[n];
}

// V[k] = (x[k] - j x[n-k]) exp(j pi k / 2n), x[n] = 0
template <class T>
void cosine_lines<T>::load_rotated(const T* input, T* points) const
{
    const T* cosines = d_cos.data();
    const T* sines = d_sin.data();
    const T* first = d_is_sine ? input + d_n - 1 : input;
    const std::ptrdiff_t step = d_is_sine ? -1 : 1;
    const std::ptrdiff_t n = d_n;
    points[0] = first[0];
    points[1] = 0;
    for (std::ptrdiff_t k = 1; k < (n + 1) / 2; ++k) {
        const T front = first[step * k], back = first[step * (n - k)];
        points[2 * k] = cosines[k] * front + sines[k] * back;
        points[2 * k + 1] = sines[k] * front - cosines[k] * back;
    }
    if (n % 2 == 0) {
        points[n] = (cosines[n / 2] + sines[n / 2]) * first[step * (n / 2)];
        points[n + 1] = 0;
    }
}

template <class T>
void cosine_lines<T>::store_alternating(const T* bins, T* output) const
{
    const T sign = d_is_sine ? T(-1) : T(1);
    for (std::size_t m = 0; m < (d_n + 1) / 2; ++m)
        output[2 * m] = bins[m];
    for (std::size_t m = 0; m < d_n / 2; ++m)
        output[2 * m + 1] = sign * bins[d_n - 1 - m];
}

// t[m] = (x[2m] + j x[n-1-2m]) exp(-j pi m / n)
template <class T>
void cosine_lines<T>::load_halves(const T* input, T* points) const
{
    const T* front = d_is_sine ? input + d_n - 1 : input;
    const T* back = d_is_sine ? input : input + d_n - 1;
    const std::ptrdiff_t step = d_is_sine ? -2 : 2;
    const std::ptrdiff_t half = d_n / 2;
    for (std::ptrdiff_t m = 0; m < half; ++m) {
        const T re = front[step * m], im = back[-step * m];
        points[2 * m] = d_load_cos[m] * re + d_load_sin[m] * im;
        points[2 * m + 1] = d_load_cos[m] * im - d_load_sin[m] * re;
    }
}

// y[2k] = 2 Re u[k], y[n-1-2k] = -2 Im u[k], u[k] = T[k] exp(-j pi (k + 1/4) / n)
template <class T>
void cosine_lines<T>::store_halves(const T* bins, T* output) const
{
    const T sign = d_is_sine ? T(1) : T(-1);
    const std::size_t half = d_n / 2;
    for (std::size_t k = 0; k < half; ++k) {
        const T re = bins[2 * k], im = bins[2 * k + 1];
        output[2 * k] = d_cos[k] * re + d_sin[k] * im;
        output[d_n - 1 - 2 * k] = sign * (d_cos[k] * im - d_sin[k] * re);
    }
}

// Loads the period, which is even about the line's ends or odd about zeros beside them.
template <class T>
void cosine_lines<T>::load_period(const T* input, T* points) const
{
    const std::size_t period = inner_points(d_kind, d_n);
    if (!d_is_sine) {
        points[0] = input[0];
        for (std::size_t m = 1; m < d_n; ++m)
            points[m] = points[period - m] = input[m];
        return;
    }
    points[0] = points[d_n + 1] = 0;
    for (std::size_t m = 1; m <= d_n; ++m) {
        points[m] = input[m - 1];
        points[period - m] = -input[m - 1];
    }
}

template <class T>
void cosine_lines<T>::store_period(const T* bins, T* output) const
{
    for (std::size_t k = 0; k < d_n; ++k)
        output[k] = d_is_sine ? -bins[2 * k + 3] : bins[2 * k];
}

template class cosine_lines<float>;
template class cosine_lines<double>;

} // namespace gpufft
} // namespace gr
