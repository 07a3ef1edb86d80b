// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rader's algorithm through global memory, for frames beyond one block. The convolution
// of N - 1 = R C points is that of bluestein_levels.cuh; the first column kernel gathers
// the samples in the order of the generator's powers, the last one scatters the bins. A
// frame's part of the scratch has N - 1 points, then sample 0, which the row kernel turns
// into bin 0.

#ifndef INCLUDED_GPUFFT_KERNELS_RADER_LEVELS_CUH
#define INCLUDED_GPUFFT_KERNELS_RADER_LEVELS_CUH

#include "convolution/bluestein_levels.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// Computes  the first level: see bluestein_columns_kernel.
// Layout    see tile_of_columns. order[q]: sample at point q.
// Launch    grid = frames * groups, block = Shape::threads, shared =
//           stockham_shape::shared_bytes().
// Requires  output is the scratch.
template <class Shape, class Load, int N>
GPUFFT_KERNEL(Shape::block_threads, Shape::blocks)
rader_columns_kernel(transform_arguments arguments)
{
    begin_kernel();
    const tile_of_columns<Shape, N - 1, 1> tile;
    complex* points = static_cast<complex*>(arguments.output) + tile.frame * N;
    column_roots<Shape, N - 1, Shape::pass_count - 1> roots;
    transform_tile<Shape>(
        arguments.twiddles,
        tile.columns,
        [&](tile_point at) {
            return Load::template get<N>(
                arguments,
                tile.frame,
                load_constant(arguments.order + tile.base + at.m * tile.row + at.c));
        },
        [&](tile_point at, complex value) {
            points[tile.base + at.m * tile.row + at.c] =
                value * roots.next(at, tile.first + at.c);
        });
    if (tile.first == 0 && threadIdx.x == 0)
        points[N - 1] = Load::template get<N>(arguments, tile.frame, 0);
}

// Computes  the convolution of every row, see bluestein_rows_kernel, and bin 0.
// Layout    block b takes row b mod Rows of frame floor(b / Rows).
// Launch    grid = frames * Rows, block = Workers, shared = Stride complex.
// Requires  one frame per block, two axes or more; input and output are the same scratch.
template <class Shape, int N>
GPUFFT_KERNEL(Shape::block_threads, Shape::blocks)
rader_rows_kernel(transform_arguments arguments)
{
    begin_kernel();
    constexpr int rows = (N - 1) / Shape::length;
    const int row = blockIdx.x % rows;
    complex* frame = static_cast<complex*>(arguments.output) +
                     blockIdx.x / rows * (unsigned long long)N;
    convolve_row<Shape>(arguments,
                        frame + row * Shape::length,
                        arguments.spectrum + row * Shape::length,
                        [&](complex sum) {
                            if (row > 0)
                                return complex{ 0, 0 };
                            const complex x0 = load_shared_by_blocks(frame + N - 1);
                            frame[N - 1] = x0 + sum;
                            return x0;
                        });
}

// Computes  the inverse of rader_columns_kernel, times R, of exchanged parts.
// Layout    order[N-1 + p]: bin of point p. Launch and requirements are the same; input
//           is the scratch.
template <class Shape, class Store, int N>
GPUFFT_KERNEL(Shape::block_threads, Shape::blocks)
rader_inverse_columns_kernel(transform_arguments arguments)
{
    begin_kernel();
    const tile_of_columns<Shape, N - 1, 1> tile;
    const complex* points = static_cast<const complex*>(arguments.input) + tile.frame * N;
    column_roots<Shape, N - 1, 0> roots;
    transform_tile<Shape>(
        arguments.twiddles,
        tile.columns,
        [&](tile_point at) {
            return load_shared_by_blocks(points + tile.base + at.m * tile.row + at.c) *
                   roots.next(at, tile.first + at.c);
        },
        [&](tile_point at, complex value) {
            Store::template put<N>(arguments,
                                   tile.frame,
                                   load_constant(arguments.order + N - 1 + tile.base +
                                                 at.m * tile.row + at.c),
                                   exchange_parts(value));
        });
    if (tile.first == 0 && threadIdx.x == 0)
        Store::template put<N>(
            arguments, tile.frame, 0, load_shared_by_blocks(points + N - 1));
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
