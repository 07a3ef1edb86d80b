// SPDX-License-Identifier: GPL-3.0-or-later
//
// Makes a zoom's tables, and convolves.

#include "zoom_lines.h"
#include "planner/convolution/zoom_chirp.h"
#include "planner/number_theory.h"

#include <algorithm>

namespace gr {
namespace gpufft {

namespace {

constexpr int MAX_PRIME = 7;          // FFTW is fast up to this prime factor
constexpr std::size_t ALIGNMENT = 16; // points, for FFTW's SIMD code

// Length of the convolution.
std::size_t length_for(std::size_t points)
{
    const std::size_t units = (points + ALIGNMENT - 1) / ALIGNMENT;
    return ALIGNMENT * next_smooth(units, MAX_PRIME);
}

// A product without the standard operator's test for infinite parts.
template <class T>
std::complex<T> product(std::complex<T> a, std::complex<T> b)
{
    return { a.real() * b.real() - a.imag() * b.imag(),
             a.real() * b.imag() + a.imag() * b.real() };
}

} // namespace

template <class T>
zoom_lines<T>::zoom_lines(const problem& what)
    : d_n(what.n),
      d_bins(what.row_bins()),
      d_length(length_for(d_n + d_bins - 1)),
      d_forward(transform_kind::c2c, direction::forward, d_length, 1, false),
      d_inverse(transform_kind::c2c, direction::inverse, d_length, 1, false),
      d_load(d_n),
      d_store(d_bins),
      d_spectrum(d_length)
{
    const auto chirp = zoom_chirp(what, std::max(d_n, d_bins));
    const auto carrier = zoom_carrier(what);
    for (std::size_t m = 0; m < d_n; ++m)
        d_load[m] = complex(product(chirp[m], carrier[m]));
    for (std::size_t k = 0; k < d_bins; ++k)
        d_store[k] = complex(chirp[k]);

    // the filter has values at k - m = -(n-1) ... bins-1
    const long double scale = 1 / static_cast<long double>(d_length);
    aligned_buffer<complex> filter(d_length);
    std::fill_n(filter.data(), d_length, complex());
    for (std::size_t k = 0; k < d_bins; ++k)
        filter[k] = complex(std::conj(chirp[k]) * scale);
    for (std::size_t m = 1; m < d_n; ++m)
        filter[d_length - m] = complex(std::conj(chirp[m]) * scale);
    d_forward.execute(filter.data(), d_spectrum.data());
}

template <class T>
void zoom_lines<T>::execute(const T* input, T* output, T* room) const
{
    const complex* x = reinterpret_cast<const complex*>(input);
    complex* points = reinterpret_cast<complex*>(room);
    complex* spectrum = points + d_length;
    for (std::size_t m = 0; m < d_n; ++m)
        points[m] = product(x[m], d_load[m]);
    std::fill(points + d_n, points + d_length, complex());
    d_forward.execute(points, spectrum);
    for (std::size_t i = 0; i < d_length; ++i)
        spectrum[i] = product(spectrum[i], d_spectrum[i]);
    d_inverse.execute(spectrum, points);
    complex* bins = reinterpret_cast<complex*>(output);
    for (std::size_t k = 0; k < d_bins; ++k)
        bins[k] = product(points[k], d_store[k]);
}

template class zoom_lines<float>;
template class zoom_lines<double>;

} // namespace gpufft
} // namespace gr
