// SPDX-License-Identifier: GPL-3.0-or-later
//
// The DFT of any length as a convolution with a chirp (Bluestein, "A linear filtering
// approach to the computation of the discrete Fourier transform", 1970), in one block.
// With c[m] = exp(-pi j m^2 / N), because m k = (m^2 + k^2 - (k - m)^2) / 2:
//     X[k] = c[k] sum_m (x[m] c[m]) conj(c[k - m])
// That linear convolution is a cyclic one of 2 M >= 2 N - 1 points, half of them zero.
// Its even bins are the cyclic convolution of M points, its odd bins the same after a
// modulation by v^m, v = exp(-pi j / M): bluestein_kernel computes one half after the
// other in the same memory. bluestein_whole_kernel has memory for the whole; half of the
// inputs of its first radix are zero, and half of the outputs of its last radix are
// unused.

#ifndef INCLUDED_GPUFFT_KERNELS_BLUESTEIN_CUH
#define INCLUDED_GPUFFT_KERNELS_BLUESTEIN_CUH

#include "convolution/convolution.cuh"
#include "frame_tiles.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// The at_zero of transforms that add nothing to bin 0.
struct nothing {
    GPUFFT_DEVICE complex operator()(complex) const { return { 0, 0 }; }
};

// Calls body(k, m) for the points k of butterfly b along axis 0 that are samples m < N.
template <class Shape, int N, class Body>
GPUFFT_DEVICE void for_each_own_sample(int b, Body&& body)
{
    constexpr int count = Shape::template butterflies<0>();
#pragma unroll
    for (int k = 0; k < Shape::template radix<0>(); ++k) {
        const int m = k * count + b;
        if ((k + 1) * count <= N || (k * count < N && m < N))
            body(k, m);
    }
}

// Transforms frames of N samples from `first` on, whose samples lie before their grids in
// shared memory, and stores the bins.
template <class Shape, int N, class Store>
GPUFFT_DEVICE void transform_by_halves(const transform_arguments& arguments,
                                       unsigned long long first)
{
    constexpr int radix = Shape::template radix<0>();
    const int worker = threadIdx.x / Shape::frames;
    complex* shared = shared_memory<complex>();
    complex* own = shared + threadIdx.x % Shape::frames * Shape::stride;
    complex* work = own + Shape::work;
    const complex* chirp = arguments.chirp;

    // from the samples to the even half
    for_each_butterfly<Shape, 0>(worker, [&](int b) {
        complex points[radix] = {};
        for_each_own_sample<Shape, N>(
            b, [&](int k, int m) { points[k] = own[m] * load_constant(chirp + m); });
        forward_axis<Shape, 0>(points, work, arguments.twiddles, b);
    });
    convolve_inner_axes<Shape, 1>(
        work, arguments.twiddles, arguments.spectrum, worker, nothing());

    // from the even half to the odd one; the even half's share of bin m replaces sample m
    for_each_butterfly<Shape, 0>(worker, [&](int b) {
        complex points[radix];
        inverse_axis<Shape, 0>(points, work, arguments.twiddles, b);
        complex samples[radix] = {};
        for_each_own_sample<Shape, N>(b, [&](int k, int m) {
            samples[k] = own[m] * load_constant(chirp + N + m);
            own[m] = exchange_parts(points[k]) * load_constant(chirp + m);
        });
        forward_axis<Shape, 0>(samples, work, arguments.twiddles, b);
    });
    convolve_inner_axes<Shape, 1>(
        work, arguments.twiddles, arguments.spectrum + Shape::length, worker, nothing());

    // from the odd half to the bins
    for_each_butterfly<Shape, 0>(worker, [&](int b) {
        complex points[radix];
        inverse_axis<Shape, 0>(points, work, arguments.twiddles, b);
        for_each_own_sample<Shape, N>(b, [&](int k, int m) {
            own[m] =
                own[m] + exchange_parts(points[k]) * load_constant(chirp + 2 * N + m);
        });
    });
    __syncthreads();
    if constexpr (needs_whole_frames<Store>)
        for_each_sample<Shape, Store::items>([&](int frame, int item) {
            const complex* bins = shared + frame * Shape::stride;
            if (first + frame < arguments.frames)
                Store::run(
                    arguments, first + frame, item, [&](int k) { return bins[k]; });
        });
    else
        for_each_sample<Shape, N, Store::rows_are_neighbours>([&](int frame, int k) {
            if (first + frame < arguments.frames)
                Store::template put<N>(
                    arguments, first + frame, k, shared[frame * Shape::stride + k]);
        });
}

// Computes  Store(DFT of Load) for frames of N samples.
// Layout    block b takes frames b Frames ... (b + 1) Frames - 1. A frame's part of
//           shared memory holds the samples, then the grid of the convolution. chirp:
//           c[m], c[m] v^m, c[m] v^-m for m = 0 ... N-1; spectrum: for the even bins,
//           then for the odd bins.
// Launch    grid = ceil(frames / Frames), block = Workers * Frames, shared = Stride *
//           Frames complex.
// Requires  N <= Shape::length = M, Shape::work >= N, two axes or more, axis 0 twiddled,
//           input and output do not overlap.
template <class Shape, int N, class Load, class Store>
GPUFFT_KERNEL(Shape::block_threads, Shape::blocks)
bluestein_kernel(transform_arguments arguments)
{
    begin_kernel();
    const unsigned long long first = blockIdx.x * (unsigned long long)Shape::frames;
    complex* shared = shared_memory<complex>();

    // There are no branches, so that a thread starts all its loads before it waits.
    const unsigned long long left = arguments.frames - first;
    const int last =
        left < Shape::frames ? static_cast<int>(left) - 1 : Shape::frames - 1;
    if constexpr (shares_samples<Load, Shape::frames>)
        read_bank<N, Shape::frames, Shape::block_threads, Load>(
            arguments, first, threadIdx.x, [&](int frame, int m, complex point) {
                shared[frame * Shape::stride + m] = point;
            });
    else
        for_each_sample<Shape, N>([&](int frame, int m) {
            shared[frame * Shape::stride + m] = Load::template get<N>(
                arguments, first + (frame < last ? frame : last), m);
        });
    __syncthreads();
    transform_by_halves<Shape, N, Store>(arguments, first);
}

// Stores the bins of the frames from `first` on, whose grids in shared memory are done
// with the inner axes.
template <class Shape, int N, class Store>
GPUFFT_DEVICE void put_whole_bins(const transform_arguments& arguments,
                                  unsigned long long first,
                                  complex* grid,
                                  int worker)
{
    constexpr int radix = Shape::template radix<0>();
    constexpr int axis = Shape::template axis_stride<0>();
    const int slot = threadIdx.x % Shape::frames;
    const bool active = first + slot < arguments.frames;
    complex* const work = grid + slot * Shape::stride;
    // no barrier: a thread reads in the next round only what it has written itself
    for_each_butterfly<Shape, 0>(worker, [&](int b) {
        complex points[radix];
        inverse_axis<Shape, 0>(points, work, arguments.twiddles, b);
        complex* const own = work + Shape::template first_of<0>(b);
        for_each_own_sample<Shape, N>(b, [&](int k, int m) {
            const complex bin =
                exchange_parts(points[k]) * load_constant(arguments.chirp + m);
            if constexpr (needs_whole_frames<Store>)
                own[k * axis] = bin; // position of bin m in the grid
            else if (active)
                Store::template put<N>(arguments, first + slot, m, bin);
        });
    });
    if constexpr (needs_whole_frames<Store>) {
        __syncthreads();
        for_each_sample<Shape, Store::items>([&](int frame, int item) {
            const complex* bins = grid + frame * Shape::stride;
            if (first + frame < arguments.frames)
                Store::run(arguments, first + frame, item, [&](int k) {
                    return bins[Shape::template at<0, Shape::axes>(k)];
                });
        });
        __syncthreads(); // before the next tile overwrites the grid
    }
}

// Computes  the same by a convolution of M >= 2 N - 1 points.
// Layout    tile t has the frames t Frames ... (t + 1) Frames - 1; block b takes the
//           tiles b, b + blocks, ... chirp: c[m], m = 0 ... N-1. The threads read and
//           write global memory themselves; with Ahead the next tile comes to shared
//           memory while a tile is computed.
// Launch    grid = ceil(frames / Frames), with Ahead also fewer, block = Workers *
//           Frames, shared = bluestein_shared_bytes() of
//           lib/planner/convolution/bluestein.cc.
// Requires  Shape::length = M, Shape::work = 0, two axes or more, axis 0 twiddled, input
//           and output do not overlap.
template <class Shape, int N, class Load, class Store, bool Ahead>
GPUFFT_KERNEL(Shape::block_threads, Shape::blocks)
bluestein_whole_kernel(transform_arguments arguments)
{
    begin_kernel();
    constexpr int radix = Shape::template radix<0>(), frames = Shape::frames;
    const int worker = threadIdx.x / frames, slot = threadIdx.x % frames;
    const unsigned long long tiles = (arguments.frames + frames - 1) / frames;
    complex* const samples =
        shared_memory<complex>() + COPIED_TOGETHER; // the barrier comes first
    typedef tile_reader<N, frames, Shape::block_threads, Load, true> reader_type;
    complex* const grid = Ahead ? samples + reader_type::points : samples;
    complex* const work = grid + slot * Shape::stride;
    reader_type reader(arguments, samples, shared_memory<transfer_barrier>());

    if (Ahead)
        reader.start(blockIdx.x * (unsigned long long)frames);
    for (unsigned long long tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const unsigned long long frame = tile * frames + slot;
        const bool active = frame < arguments.frames;
        if (Ahead)
            reader.wait();
        const auto* own = reader.frame(slot);
        for_each_butterfly<Shape, 0>(worker, [&](int b) {
            complex points[radix] = {};
            for_each_own_sample<Shape, N>(b, [&](int k, int m) {
                complex sample = { 0, 0 };
                if constexpr (Ahead)
                    sample = reader.sample(own, m);
                else if (active)
                    sample = Load::template get<N>(arguments, frame, m);
                points[k] = sample * load_constant(arguments.chirp + m);
            });
            forward_axis<Shape, 0>(points, work, arguments.twiddles, b);
        });
        const unsigned long long next = tile + gridDim.x;
        if (Ahead && next < tiles) {
            __syncthreads();
            reader.start(next * frames);
        }
        convolve_inner_axes<Shape, 1>(
            work, arguments.twiddles, arguments.spectrum, worker, nothing());
        put_whole_bins<Shape, N, Store>(arguments, tile * frames, grid, worker);
    }
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
