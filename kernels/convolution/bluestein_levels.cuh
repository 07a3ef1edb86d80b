// SPDX-License-Identifier: GPL-3.0-or-later
//
// Bluestein's algorithm through global memory, for frames beyond one block. The
// convolution has M = R0 R1 ... C >= 2 N - 1 points. Column kernels transform along R0,
// R1, ... as in hierarchical.cuh, the row kernel convolves along C, and inverse column
// kernels transform back. The spectrum stays in the order in which the columns leave it,
// so nothing is transposed. From the row kernel on, real and imaginary parts are
// exchanged, so that the inverse is the forward transform.
//
// If only every D-th value is wanted, the row kernel folds its bins (convolution.cuh). It
// leaves the first C / D points of each row, and the inverse columns have R0 points that
// still lie C apart.

#ifndef INCLUDED_GPUFFT_KERNELS_BLUESTEIN_LEVELS_CUH
#define INCLUDED_GPUFFT_KERNELS_BLUESTEIN_LEVELS_CUH

#include "convolution/bluestein.cuh"
#include "levels/hierarchical.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// The first load step: sample m < N times the chirp, zero from N on.
template <class Load, int N>
struct load_chirped {
    template <int M>
    static GPUFFT_DEVICE complex get(const transform_arguments& arguments,
                                     unsigned long long frame,
                                     int m)
    {
        if (m >= N)
            return { 0, 0 };
        return Load::template get<N>(arguments, frame, m) *
               load_constant(arguments.chirp + m);
    }
};

// The last store step: bin k < N times the chirp. Other bins are dropped.
template <class Store, int N>
struct store_chirped {
    template <int M>
    static GPUFFT_DEVICE void put(const transform_arguments& arguments,
                                  unsigned long long frame,
                                  int k,
                                  complex value)
    {
        if (k < N)
            Store::template put<N>(arguments,
                                   frame,
                                   k,
                                   exchange_parts(value) *
                                       load_constant(arguments.chirp + k));
    }
};

// A block's tile of columns. Frames are Outer vectors of Length points, each with
// Shape::n rows `pitch` apart; folding has left the first `row` points of a row.
template <class Shape, int Length, int Outer, int Fold = 1>
struct tile_of_columns {
    static_assert(Fold == 1 || Outer == 1, "one level of columns is folded");
    static constexpr int pitch = Length / Shape::n;
    static constexpr int row = pitch / Fold;
    static constexpr int groups = (row + Shape::columns - 1) / Shape::columns;
    unsigned long long frame = blockIdx.x / (groups * Outer);
    int first = blockIdx.x % groups * Shape::columns; // column
    int base = digit_of<groups, Outer>(blockIdx.x) * Length + first;
    int columns = row - first < Shape::columns ? row - first : Shape::columns;
};

// Computes  for every column b of every vector: at row c, exp(-2 pi j b c / Length) sum_a
//           x[row a + b] exp(-2 pi j a c / R), R = Shape::n.
// Layout    see tile_of_columns.
// Launch    grid = frames * Outer * groups, block = Shape::threads, shared =
//           stockham_shape::shared_bytes().
// Requires  input and output do not overlap, or are the same scratch.
template <class Shape, class Load, class Store, int Length, int Outer>
GPUFFT_KERNEL(Shape::block_threads, Shape::blocks)
bluestein_columns_kernel(transform_arguments arguments)
{
    begin_kernel();
    const tile_of_columns<Shape, Length, Outer> tile;
    column_roots<Shape, Length, Shape::pass_count - 1> roots;
    transform_tile<Shape>(
        arguments.twiddles,
        tile.columns,
        [&](tile_point at) {
            return Load::template get<Length * Outer>(
                arguments, tile.frame, tile.base + at.m * tile.row + at.c);
        },
        [&](tile_point at, complex value) {
            Store::template put<Length * Outer>(arguments,
                                                tile.frame,
                                                tile.base + at.m * tile.row + at.c,
                                                value *
                                                    roots.next(at, tile.first + at.c));
        });
}

// Computes  the inverse of bluestein_columns_kernel, times R, of exchanged parts; for
//           rows folded by Fold the inverse of Length / Fold points.
// Layout, launch and requirements are the same.
template <class Shape, class Load, class Store, int Length, int Outer, int Fold>
GPUFFT_KERNEL(Shape::block_threads, Shape::blocks)
bluestein_inverse_columns_kernel(transform_arguments arguments)
{
    begin_kernel();
    const tile_of_columns<Shape, Length, Outer, Fold> tile;
    column_roots<Shape, Length / Fold, 0> roots;
    transform_tile<Shape>(
        arguments.twiddles,
        tile.columns,
        [&](tile_point at) {
            return Load::template get<Length * Outer>(
                       arguments, tile.frame, tile.base + at.m * tile.pitch + at.c) *
                   roots.next(at, tile.first + at.c);
        },
        [&](tile_point at, complex value) {
            Store::template put<Length * Outer>(
                arguments, tile.frame, tile.base + at.m * tile.row + at.c, value);
        });
}

// Convolves one row in global memory with the filter of the given spectrum, and exchanges
// the parts; a smaller Inverse leaves Inverse::length values. at_zero: see
// multiply_spectrum().
template <class Shape, class Inverse = Shape, class AtZero>
GPUFFT_DEVICE void convolve_row(const transform_arguments& arguments,
                                complex* row,
                                const complex* spectrum,
                                AtZero&& at_zero)
{
    constexpr int radix = Shape::template radix<0>();
    constexpr int count = Shape::template butterflies<0>();
    const int worker = threadIdx.x;
    complex* work = shared_memory<complex>() + Shape::work;
    for_each_butterfly<Shape, 0>(worker, [&](int b) {
        complex points[radix];
#pragma unroll
        for (int k = 0; k < radix; ++k)
            points[k] = load_shared_by_blocks(row + k * count + b);
        forward_axis<Shape, 0>(points, work, arguments.twiddles, b);
    });
    convolve_inner_axes<Shape, 1, Inverse>(
        work, arguments.twiddles, spectrum, worker, at_zero);
    constexpr int left = Inverse::template butterflies<0>();
    const complex* const twiddles = inverse_twiddles<Shape, Inverse>(arguments.twiddles);
    for_each_butterfly<Inverse, 0>(worker, [&](int b) {
        complex points[radix];
        inverse_axis<Inverse, 0>(points, work, twiddles, b);
#pragma unroll
        for (int k = 0; k < radix; ++k)
            row[k * left + b] = points[k];
    });
}

// Computes  convolve_row() of every row.
// Layout    block b takes row b mod Rows of frame floor(b / Rows), Shape::length points.
// Launch    grid = frames * Rows, block = Workers, shared = Stride complex.
// Requires  one frame per block, two axes or more, axis 0 twiddled; input and output are
//           the same scratch.
template <class Shape, class Inverse, int Rows>
GPUFFT_KERNEL(Shape::block_threads, Shape::blocks)
bluestein_rows_kernel(transform_arguments arguments)
{
    begin_kernel();
    convolve_row<Shape, Inverse>(arguments,
                                 static_cast<complex*>(arguments.output) +
                                     blockIdx.x * (unsigned long long)Shape::length,
                                 arguments.spectrum + blockIdx.x % Rows * Shape::length,
                                 nothing());
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
