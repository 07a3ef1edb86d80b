// SPDX-License-Identifier: GPL-3.0-or-later
//
// The FFT of vectors that fill the shared memory of a block: passes along the axes of a
// grid (convolution.cuh), each in place, so that there is no second copy (Gentleman and
// Sande, "Fast Fourier Transforms - for fun and profit", 1966). The bins end in reversed
// order of digits; the last pass stores them in order. There are no tables, for which
// the L1 cache has no room.

#ifndef INCLUDED_GPUFFT_KERNELS_IN_PLACE_CUH
#define INCLUDED_GPUFFT_KERNELS_IN_PLACE_CUH

#include "convolution/convolution.cuh"
#include "load.cuh"
#include "roots.cuh"
#include "store.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// Transforms along axis P, from registers to the grid; bin k of butterfly b is multiplied
// by exp(-2 pi j k m / L), with m the butterfly's place on the later axes and L the
// points of the axes from P on.
template <class Shape, int P>
GPUFFT_DEVICE void transform_axis(complex* points, complex* grid, int b)
{
    constexpr int radix = Shape::template radix<P>();
    constexpr int later = Shape::template points_from<P + 1>();
    butterfly<radix>(points);
    root_sequence<radix * later, radix> roots;
    roots.set_step(b % later);
    roots.set_first(0);
#pragma unroll
    for (int k = 1; k < radix; ++k)
        points[k] = points[k] * roots.next(k);
    write_axis<Shape, P>(points, grid, b);
}

// Passes along the axes from P on, but the last.
template <class Shape, int P>
GPUFFT_DEVICE void transform_inner_axes(complex* grid)
{
    if constexpr (P + 1 < Shape::axes) {
        __syncthreads();
        for_each_butterfly<Shape, P>(threadIdx.x, [&](int b) {
            complex points[Shape::template radix<P>()];
            read_axis<Shape, P>(points, grid, b);
            transform_axis<Shape, P>(points, grid, b);
        });
        transform_inner_axes<Shape, P + 1>(grid);
    }
}

// Position of the point whose digits on all axes but the last are those of bin b, the
// first axis fastest.
template <class Shape, int P = 0>
GPUFFT_DEVICE int place_of_bin(int b)
{
    if constexpr (P + 1 == Shape::axes) {
        return 0;
    } else {
        constexpr int radix = Shape::template radix<P>();
        return b % radix * Shape::template axis_stride<P>() +
               place_of_bin<Shape, P + 1>(b / radix);
    }
}

// Computes  for every frame f: Store(sum_m Load(f, m) exp(-2 pi j m k / N)).
// Layout    block b takes frame b. Shared memory: the grid.
// Launch    grid = frames, block = Workers, shared = Stride complex.
// Requires  Shape::frames = 1; input and output do not overlap, or each frame is stored
//           where it is read.
template <class Shape, class Load, class Store>
GPUFFT_KERNEL(Shape::block_threads, Shape::blocks)
in_place_kernel(transform_arguments arguments)
{
    begin_kernel();
    constexpr int last = Shape::axes - 1, n = Shape::length;
    constexpr int first_count = Shape::template butterflies<0>();
    constexpr int last_count = Shape::template butterflies<last>();
    complex* const grid = shared_memory<complex>();
    const unsigned long long frame = blockIdx.x;

    for_each_butterfly<Shape, 0>(threadIdx.x, [&](int b) {
        constexpr int radix = Shape::template radix<0>();
        complex points[radix];
#pragma unroll
        for (int k = 0; k < radix; ++k)
            points[k] = Load::template get<n>(arguments, frame, b + k * first_count);
        transform_axis<Shape, 0>(points, grid, b);
    });
    transform_inner_axes<Shape, 1>(grid);
    __syncthreads();
    for_each_butterfly<Shape, last>(threadIdx.x, [&](int b) {
        constexpr int radix = Shape::template radix<last>();
        const complex* const bins = grid + place_of_bin<Shape>(b);
        complex points[radix];
#pragma unroll
        for (int k = 0; k < radix; ++k)
            points[k] = bins[k * Shape::template axis_stride<last>()];
        butterfly<radix>(points);
#pragma unroll
        for (int k = 0; k < radix; ++k)
            Store::template put<n>(arguments, frame, b + k * last_count, points[k]);
    });
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
