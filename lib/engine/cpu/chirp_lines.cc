// SPDX-License-Identifier: GPL-3.0-or-later
//
// Makes the tables of chirps, and convolves.

#include "chirp_lines.h"
#include "complex_products.h"
#include "fftw_transform.h"
#include "planner/convolution/zoom_chirp.h"
#include "planner/number_theory.h"
#include "planner/roots_of_unity.h"

#include <algorithm>

namespace gr {
namespace gpufft {

namespace {

// Short lines of a power of two, or 3 or 5 times one, take 0.4 to 0.5 ns a point, lengths
// with other factors 0.6 to 0.9 (AMD EPYC, AVX-512).
constexpr std::size_t ODD_FACTORS[] = { 1, 3, 5 };
constexpr std::size_t ALIGNMENT = 16; // points, for FFTW's SIMD code

// FFTW's own plans are faster for longer lines, and where no prime factor is larger than
// some, which takes() has. From LONGEST_CACHED on a convolution leaves the L2 cache.
constexpr std::size_t LONGEST_CACHED = std::size_t(1) << 13;
constexpr std::size_t LONGEST = std::size_t(1) << 17;
constexpr std::size_t LONGEST_REAL = std::size_t(1) << 20; // FFTW's take 100 ns a point
constexpr std::size_t LONGEST_EVEN = std::size_t(1)
                                     << 10; // FFTW's are of half the length

// A product without the standard operator's test for infinite parts.
template <class T>
inline std::complex<T> product(std::complex<T> a, std::complex<T> b)
{
    return { a.real() * b.real() - a.imag() * b.imag(),
             a.real() * b.imag() + a.imag() * b.real() };
}

std::size_t bins_of(transform_kind kind, std::size_t n)
{
    return kind == transform_kind::r2c ? n / 2 + 1 : n;
}

// The convolution's length.
std::size_t chirp_length(std::size_t points, std::size_t bins)
{
    std::size_t shortest = 0;
    for (std::size_t odd : ODD_FACTORS) {
        std::size_t length = odd * ALIGNMENT;
        while (length < points + bins - 1)
            length *= 2;
        shortest = shortest == 0 ? length : std::min(shortest, length);
    }
    return shortest;
}

} // namespace

template <class T>
bool chirp_lines<T>::takes(transform_kind kind, std::size_t n)
{
    const bool is_real = kind == transform_kind::r2c || kind == transform_kind::c2r;
    if (kind != transform_kind::c2c && !is_real)
        return false;
    const bool is_even = is_real && n % 2 == 0;
    const std::size_t longest =
        is_even ? LONGEST_EVEN : (is_real ? LONGEST_REAL : LONGEST);
    if (n == 0 || n > longest)
        return false;
    std::size_t largest = sizeof(T) == sizeof(float) ? 19 : 37;
    if (is_even || n > LONGEST_CACHED)
        largest *= 3;
    return !is_smooth_to(n, largest);
}

template <class T>
std::string chirp_lines<T>::text(transform_kind kind, std::size_t n)
{
    if (!takes(kind, n))
        return "";
    return " by a chirp of " + std::to_string(chirp_length(n, bins_of(kind, n)));
}

template <class T>
chirp_lines<T>::chirp_lines(std::size_t n,
                            std::size_t bins,
                            std::size_t howmany,
                            transform_kind kind)
    : d_kind(kind),
      d_n(n),
      d_bins(bins),
      d_lines(howmany),
      d_length(chirp_length(n, bins)),
      d_load(n),
      d_store(bins),
      d_filter(d_length)
{
    d_transform = std::make_unique<fftw_lines<T>>(
        transform_kind::c2c, direction::forward, d_length, howmany, false);
}

template <class T>
chirp_lines<T>::chirp_lines(const problem& zoom)
    : chirp_lines(zoom.n, zoom.row_bins(), 1, transform_kind::c2c)
{
    const chirp of = zoom_chirp(zoom, std::max(d_n, d_bins));
    chirp load = zoom_carrier(zoom);
    for (std::size_t m = 0; m < d_n; ++m)
        load[m] = product(of[m], load[m]);
    make(of, load);
}

template <class T>
chirp_lines<T>::chirp_lines(transform_kind kind,
                            direction dir,
                            std::size_t n,
                            std::size_t howmany)
    : chirp_lines(n, bins_of(kind, n), howmany, kind)
{
    const bool is_inverse = kind == transform_kind::c2r ||
                            (kind == transform_kind::c2c && dir == direction::inverse);
    const long turn = 2 * static_cast<long>(n);
    const roots_of_unity<long double> root(turn);
    chirp of;
    for (long m = 0; m < turn / 2; ++m) {
        const std::complex<long double> value = root(m * m % turn);
        of.push_back(is_inverse ? std::conj(value) : value);
    }
    make(of, of);
}

template <class T>
chirp_lines<T>::~chirp_lines() = default;

template <class T>
void chirp_lines<T>::make(const chirp& of, const chirp& load)
{
    for (std::size_t m = 0; m < d_n; ++m)
        d_load[m] = complex(load[m]);
    for (std::size_t k = 0; k < d_bins; ++k)
        d_store[k] = complex(of[k]);

    // the filter has values at k - m = -(n-1) ... bins-1
    const long double scale = 1 / static_cast<long double>(d_length);
    const aligned_buffer<complex> filter(d_length * d_lines), spectra(filter.size());
    std::fill_n(filter.data(), filter.size(), complex());
    for (std::size_t k = 0; k < d_bins; ++k)
        filter[k] = complex(std::conj(of[k]) * scale);
    for (std::size_t m = 1; m < d_n; ++m)
        filter[d_length - m] = complex(std::conj(of[m]) * scale);
    d_transform->execute(filter.data(), spectra.data());
    for (std::size_t i = 0; i < d_length; ++i)
        d_filter[i] = std::conj(spectra[i]);
}

// The inverse transform of a product is the conjugate of the forward one of its
// conjugate.
template <class T>
void chirp_lines<T>::execute(const void* input, void* output, T* room) const
{
    complex* points = reinterpret_cast<complex*>(room);
    complex* spectra = points + d_lines * d_length;
    load(input, points);
    d_transform->execute(points, spectra);
    for (std::size_t line = 0; line < d_lines; ++line) {
        const std::size_t at = line * d_length;
        multiply_conjugate(spectra + at, d_filter.data(), d_length, points + at);
    }
    d_transform->execute(points, spectra);
    store(spectra, output);
}

template <class T>
void chirp_lines<T>::load(const void* input, complex* points) const
{
    const std::size_t half = d_n / 2 + 1;
    for (std::size_t line = 0; line < d_lines; ++line, points += d_length) {
        if (d_kind == transform_kind::r2c) {
            const T* x = static_cast<const T*>(input) + line * d_n;
            for (std::size_t m = 0; m < d_n; ++m)
                points[m] = { x[m] * d_load[m].real(), x[m] * d_load[m].imag() };
        } else if (d_kind == transform_kind::c2r) {
            const complex* x = static_cast<const complex*>(input) + line * half;
            multiply(x, d_load.data(), half, points);
            for (std::size_t m = half; m < d_n; ++m)
                points[m] = product(std::conj(x[d_n - m]), d_load[m]);
        } else {
            const complex* x = static_cast<const complex*>(input) + line * d_n;
            multiply(x, d_load.data(), d_n, points);
        }
        std::fill(points + d_n, points + d_length, complex());
    }
}

template <class T>
void chirp_lines<T>::store(const complex* results, void* output) const
{
    for (std::size_t line = 0; line < d_lines; ++line, results += d_length) {
        if (d_kind == transform_kind::c2r) {
            T* bins = static_cast<T*>(output) + line * d_n;
            for (std::size_t k = 0; k < d_n; ++k)
                bins[k] = results[k].real() * d_store[k].real() +
                          results[k].imag() * d_store[k].imag();
        } else {
            complex* bins = static_cast<complex*>(output) + line * d_bins;
            multiply_conjugate(results, d_store.data(), d_bins, bins);
        }
    }
}

template class chirp_lines<float>;
template class chirp_lines<double>;

} // namespace gpufft
} // namespace gr
