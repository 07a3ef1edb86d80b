// SPDX-License-Identifier: GPL-3.0-or-later
//
// The DFT of prime length as a cyclic convolution (Rader, "Discrete Fourier transforms
// when the number of data samples is prime", Proc. IEEE 56, 1968), in one block. With a
// primitive root g of N:
//     X[0] = x[0] + sum_q x[g^q]
//     X[g^-p] = x[0] + sum_q x[g^q] w^(g^(q-p)),  w = exp(-2 pi j / N), p, q = 0 ... N-2

#ifndef INCLUDED_GPUFFT_KERNELS_RADER_CUH
#define INCLUDED_GPUFFT_KERNELS_RADER_CUH

#include "convolution.cuh"
#include "load.cuh"
#include "store.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// Computes  Store(DFT of Load) for frames of prime length N.
// Layout    block b takes frames b Frames ... (b + 1) Frames - 1. A frame's part of
// shared
//           memory: sample 0, then samples 1 ... N-1 or the grid of the convolution.
//           order[i]: sample at point i of the grid; order[N-1 + i]: bin of point i.
// Launch    grid = ceil(frames / Frames), block = Workers * Frames, shared = 8 * Stride *
//           Frames bytes.
// Requires  Shape::length = N - 1, Shape::work = 1, input and output do not overlap.
template <class Shape, class Load, class Store>
GPUFFT_KERNEL(Shape::block_threads, Shape::blocks)
rader_kernel(transform_arguments arguments)
{
    constexpr int n = Shape::length + 1;
    constexpr int radix = Shape::template radix<0>();
    constexpr int count = Shape::template butterflies<0>();
    const int worker = threadIdx.x / Shape::frames;
    const unsigned long long first = blockIdx.x * (unsigned long long)Shape::frames;
    complex32* shared = shared_memory<complex32>();
    complex32* own = shared + threadIdx.x % Shape::frames * Shape::stride;
    complex32* work = own + Shape::work;
    complex32 points[Shape::template rounds<0>() * radix];

    for_each_sample<Shape, n>([&](int frame, int m) {
        if (first + frame < arguments.frames)
            shared[frame * Shape::stride + m] =
                Load::template get<n>(arguments, first + frame, m);
    });
    __syncthreads();
    for_each_held_butterfly<Shape, 0>(worker, [&](int round, int b) {
#pragma unroll
        for (int k = 0; k < radix; ++k)
            points[round * radix + k] =
                own[load_constant(arguments.order + k * count + b)];
    });
    __syncthreads();

    // x[0] in the product's bin 0 adds it to every output; bin 0 itself lacks it for
    // X[0].
    const auto at_zero = [&](complex32 sum) {
        const complex32 x0 = own[0];
        own[0] = x0 + sum;
        return x0;
    };
    for_each_held_butterfly<Shape, 0>(worker, [&](int round, int b) {
        if constexpr (Shape::axes > 1)
            forward_axis<Shape, 0>(points + round * radix, work, arguments.twiddles, b);
        else
            multiply_spectrum<Shape>(
                points + round * radix, arguments.spectrum, b, at_zero);
    });
    if constexpr (Shape::axes > 1) {
        convolve_inner_axes<Shape, 1>(
            work, arguments.twiddles, arguments.spectrum, worker, at_zero);
        for_each_held_butterfly<Shape, 0>(worker, [&](int round, int b) {
            inverse_axis<Shape, 0>(points + round * radix, work, arguments.twiddles, b);
        });
        __syncthreads();
    }

    for_each_held_butterfly<Shape, 0>(worker, [&](int round, int b) {
#pragma unroll
        for (int k = 0; k < radix; ++k)
            own[load_constant(arguments.order + n - 1 + k * count + b)] =
                exchange_parts(points[round * radix + k]);
    });
    __syncthreads();
    for_each_sample<Shape, n>([&](int frame, int k) {
        if (first + frame < arguments.frames)
            Store::template put<n>(
                arguments, first + frame, k, shared[frame * Shape::stride + k]);
    });
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
