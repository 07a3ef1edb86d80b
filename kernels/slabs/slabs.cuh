// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the levels of a transform larger than a card need besides transforms of rows and
// columns: the twiddles between two levels (Bailey, "FFTs in external or hierarchical
// memory", 1990), and the pairs of bins of a real transform.

#ifndef INCLUDED_GPUFFT_KERNELS_SLABS_CUH
#define INCLUDED_GPUFFT_KERNELS_SLABS_CUH

#include "roots.cuh"
#include "slabs/slab_arguments.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// exp(-2 pi j e / n) for any e and n below 2^60; the angle is reduced in integers.
GPUFFT_DEVICE complex root_of_long_turn(unsigned long long e, unsigned long long n)
{
    // nearest quarter turn; an error of one at the edge only enlarges the octant
    const unsigned long long quarter = static_cast<unsigned long long>(
        static_cast<double>(e) * (4.0 / static_cast<double>(n)) + 0.5);
    const long long left = static_cast<long long>(4 * e - quarter * n);
    const complex root = root_of_octant(
        static_cast<real>(static_cast<double>(left) * (0.25 / static_cast<double>(n))));
    const complex turned =
        quarter & 1 ? complex{ root.im, -root.re } : complex{ root.re, root.im };
    return quarter & 2 ? complex{ -turned.re, -turned.im } : turned;
}

// Computes  points[r][k] *= exp(-+2 pi j e(r) k / n), see slab_twiddles_arguments.
// Layout    a thread takes every (grid * block)-th point.
// Launch    grid: any, block = Threads.
// Requires  e(r) k < 2^60.
template <int Threads>
GPUFFT_KERNEL(Threads, 1)
slab_twiddles_kernel(slab_twiddles_arguments arguments)
{
    begin_kernel();
    complex* const points = static_cast<complex*>(arguments.points);
    const unsigned long long all = arguments.rows * arguments.row_points;
    const unsigned long long step = gridDim.x * static_cast<unsigned long long>(Threads);
    for (unsigned long long i =
             blockIdx.x * static_cast<unsigned long long>(Threads) + threadIdx.x;
         i < all;
         i += step) {
        // slabs are short: divisions of 64 bits would take longer than all the rest
        const unsigned long long row =
            all < (1ull << 32)
                ? static_cast<unsigned>(i) / static_cast<unsigned>(arguments.row_points)
                : i / arguments.row_points;
        const unsigned long long k = i - row * arguments.row_points;
        const unsigned long long outer =
            arguments.inner == 1 ? row : row / arguments.inner;
        const unsigned long long exponent =
            arguments.first + outer * arguments.outer_step +
            (row - outer * arguments.inner) * arguments.inner_step;
        complex root = root_of_long_turn(exponent * k, arguments.n);
        if (arguments.inverse)
            root.im = -root.im;
        points[i] = points[i] * root;
    }
}

// Computes  with M = rows * columns points Z[k] in a matrix, k = row * columns + column,
//           forward: the bins X[k] = E - j exp(-2 pi j k / 2M) O of 2 M real samples
//           z[m] = x[2m] + j x[2m + 1], where E and O are half of Z[k] +- conj Z[M - k],
//           and X[M] behind the slab; else from X[k] and X[M] twice the Z[k].
// Layout    a thread takes every (grid * block)-th point of the slab.
// Launch    grid: any, block = Threads.
// Requires  the slab has the mirror column `columns - c` of every column c > 0; input
//           and output do not overlap.
template <bool Forward, int Threads>
GPUFFT_KERNEL(Threads, 1)
slab_pairs_kernel(slab_pairs_arguments arguments)
{
    begin_kernel();
    typedef unsigned long long size;
    const complex* const input = static_cast<const complex*>(arguments.input);
    complex* const output = static_cast<complex*>(arguments.output);
    const size all = arguments.rows * arguments.pitch;
    const size bins = arguments.rows * arguments.columns;
    const size step = gridDim.x * static_cast<size>(Threads);
    for (size i = blockIdx.x * static_cast<size>(Threads) + threadIdx.x; i < all;
         i += step) {
        const size row = i / arguments.pitch, place = i - row * arguments.pitch;
        const bool is_own = place < arguments.owns;
        if (!is_own &&
            (place < arguments.second || place >= arguments.second + arguments.mirrored))
            continue;
        const size column =
            is_own ? arguments.own + place : arguments.mirrors + place - arguments.second;
        const size other = column == 0 ? 0 : arguments.columns - column;
        const size other_row = column > 0 ? arguments.rows - 1 - row
                               : row > 0  ? arguments.rows - row
                                          : 0;
        const bool is_first = row == 0 && column == 0;
        const bool other_is_own =
            other >= arguments.own && other < arguments.own + arguments.owns;
        const size other_place = other_is_own
                                     ? other - arguments.own
                                     : other - arguments.mirrors + arguments.second;
        const complex here = input[i];
        if (is_first) {
            if (Forward) {
                output[i] = { here.re + here.im, 0 };
                output[all] = { here.re - here.im, 0 };
            } else {
                const real last = input[all].re;
                output[i] = { here.re + last, here.re - last };
            }
            continue;
        }
        const complex there = input[other_row * arguments.pitch + other_place];
        const complex even = { here.re + there.re, here.im - there.im };
        const complex odd = { here.re - there.re, here.im + there.im };
        complex root = root_of_long_turn(row * arguments.columns + column, 2 * bins);
        if (Forward) {
            const complex turned = odd * root;
            output[i] = { real(0.5) * (even.re + turned.im),
                          real(0.5) * (even.im - turned.re) };
        } else {
            root.im = -root.im;
            const complex turned = odd * root;
            output[i] = { even.re - turned.im, even.im + turned.re };
        }
    }
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
