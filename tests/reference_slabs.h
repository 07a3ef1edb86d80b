// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the kernels of kernels/slabs/slabs.cuh compute, by the sums that define it.

#ifndef INCLUDED_GPUFFT_REFERENCE_SLABS_H
#define INCLUDED_GPUFFT_REFERENCE_SLABS_H

#include "planner/slabs/slab_program.h"
#include <cmath>
#include <complex>

namespace gr {
namespace gpufft {

// exp(-2 pi j e / n)
inline std::complex<long double> slab_root(std::size_t e, std::size_t n)
{
    return std::polar(1.0L, -2 * std::acos(-1.0L) * (e % n) / n);
}

template <class T>
void reference_twiddles_of(std::complex<T>* points, const slab_twiddles& by)
{
    for (std::size_t row = 0; row < by.rows; ++row) {
        const std::size_t e =
            by.first + row / by.inner * by.outer_step + row % by.inner * by.inner_step;
        for (std::size_t k = 0; k < by.row_points; ++k) {
            std::complex<T>& point = points[row * by.row_points + k];
            const std::complex<long double> root = slab_root(e * k, by.n);
            point = std::complex<T>(std::complex<long double>(point) *
                                    (by.inverse ? std::conj(root) : root));
        }
    }
}

inline void reference_twiddles(void* points, const slab_twiddles& by, bool is_double)
{
    if (is_double)
        reference_twiddles_of(static_cast<std::complex<double>*>(points), by);
    else
        reference_twiddles_of(static_cast<std::complex<float>*>(points), by);
}

// The place of a column of the matrix in the slab.
inline std::size_t place_of_column(const slab_pairs& how, std::size_t column)
{
    return column >= how.own && column < how.own + how.owns
               ? column - how.own
               : how.second + column - how.mirrors;
}

// X[0] and X[M] from Z[0] for their real and imaginary parts, or back.
template <class T>
void reference_pairs_of(std::complex<T>* to,
                        const std::complex<T>* from,
                        const slab_pairs& how)
{
    typedef std::complex<long double> exact;
    const std::size_t bins = how.rows * how.columns;
    const std::complex<T>& last = from[how.rows * how.pitch];
    const auto value = [&](std::size_t k) -> exact {
        return from[k / how.columns * how.pitch + place_of_column(how, k % how.columns)];
    };
    const auto combine = [&](std::size_t column) {
        for (std::size_t row = 0; row < how.rows; ++row) {
            const std::size_t k = row * how.columns + column;
            const exact here = k == 0 && !how.forward ? exact(value(0).real()) : value(k);
            const exact there = k > 0         ? std::conj(value(bins - k))
                                : how.forward ? std::conj(here)
                                              : exact(last.real());
            const exact j(0, 1), root = slab_root(k, 2 * bins);
            const auto sum = [&](exact turn) {
                return how.forward ? (here + there - j * turn * (here - there)) / 2.0L
                                   : here + there + j * std::conj(turn) * (here - there);
            };
            to[row * how.pitch + place_of_column(how, column)] =
                std::complex<T>(sum(root));
            if (k == 0 && how.forward)
                to[how.rows * how.pitch] = std::complex<T>(sum(-root));
        }
    };
    for (std::size_t i = 0; i < how.owns; ++i)
        combine(how.own + i);
    for (std::size_t i = 0; i < how.mirrored; ++i)
        combine(how.mirrors + i);
}

inline void
reference_pairs(void* to, const void* from, const slab_pairs& how, bool is_double)
{
    if (is_double)
        reference_pairs_of(static_cast<std::complex<double>*>(to),
                           static_cast<const std::complex<double>*>(from),
                           how);
    else
        reference_pairs_of(static_cast<std::complex<float>*>(to),
                           static_cast<const std::complex<float>*>(from),
                           how);
}

} // namespace gpufft
} // namespace gr

#endif
