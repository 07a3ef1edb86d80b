// SPDX-License-Identifier: GPL-3.0-or-later
//
// The DFT of prime length as a cyclic convolution (Rader, "Discrete Fourier transforms
// when the number of data samples is prime", Proc. IEEE 56, 1968), in one block. With a
// primitive root g of N:
//     X[0] = x[0] + sum_q x[g^q]
//     X[g^-p] = x[0] + sum_q x[g^q] w^(g^(q-p)),  w = exp(-2 pi j / N), p, q = 0 ... N-2

#ifndef INCLUDED_GPUFFT_KERNELS_RADER_CUH
#define INCLUDED_GPUFFT_KERNELS_RADER_CUH

#include "convolution/convolution.cuh"
#include "frame_tiles.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// Convolves the points of axis 0 that this thread holds. One thread of a frame calls
// at_zero(sum of all points), whose value is added to every result.
template <class Shape, class AtZero>
GPUFFT_DEVICE void convolve_held(complex* points,
                                 complex* work,
                                 const transform_arguments& arguments,
                                 int worker,
                                 AtZero&& at_zero)
{
    constexpr int radix = Shape::template radix<0>();
    if constexpr (Shape::axes == 1) {
        for_each_held_butterfly<Shape, 0>(worker, [&](int round, int b) {
            multiply_spectrum<Shape>(
                points + round * radix, arguments.spectrum, b, at_zero);
        });
    } else {
        for_each_held_butterfly<Shape, 0>(worker, [&](int round, int b) {
            forward_axis<Shape, 0>(points + round * radix, work, arguments.twiddles, b);
        });
        convolve_inner_axes<Shape, 1>(
            work, arguments.twiddles, arguments.spectrum, worker, at_zero);
        for_each_held_butterfly<Shape, 0>(worker, [&](int round, int b) {
            inverse_axis<Shape, 0>(points + round * radix, work, arguments.twiddles, b);
        });
        __syncthreads();
    }
}

// Reads the samples of butterfly b of axis 0. Points that lie half of an even radix apart
// are half a turn of the generator apart: they are samples m and N-m.
template <class Shape, class Reader, class Frame>
GPUFFT_DEVICE void
read_samples(complex* points, const Reader& reader, Frame frame, const int* order, int b)
{
    constexpr int radix = Shape::template radix<0>();
    constexpr int count = Shape::template butterflies<0>();
    constexpr int half = radix % 2 == 0 ? radix / 2 : 0;
#pragma unroll
    for (int k = 0; k < half; ++k)
        reader.pair(
            frame, load_constant(order + k * count + b), points[k], points[k + half]);
#pragma unroll
    for (int k = 2 * half; k < radix; ++k)
        points[k] = reader.sample(frame, load_constant(order + k * count + b));
}

// Stores the butterfly's bins in the same way.
template <class Shape, class Writer, class Frame>
GPUFFT_DEVICE void write_bins(const complex* points,
                              const Writer& writer,
                              Frame frame,
                              const int* order,
                              int b)
{
    constexpr int radix = Shape::template radix<0>();
    constexpr int count = Shape::template butterflies<0>();
    constexpr int half = radix % 2 == 0 ? radix / 2 : 0;
    static_assert(half > 0 || !Writer::in_pairs, "bins k and N-k in different threads");
#pragma unroll
    for (int k = 0; k < half; ++k)
        writer.put_pair(frame,
                        load_constant(order + k * count + b),
                        exchange_parts(points[k]),
                        exchange_parts(points[k + half]));
#pragma unroll
    for (int k = 2 * half; k < radix; ++k)
        writer.put(
            frame, load_constant(order + k * count + b), exchange_parts(points[k]));
}

// Computes  Store(DFT of Load) for frames of prime length N.
// Layout    tile t has the frames t Frames ... (t + 1) Frames - 1; block b takes the
//           tiles b, b + blocks, ... order[i]: sample at point i of the grid; order[N-1 +
//           i]: bin of point i. Ahead: the next tile is read while a tile is computed.
// Launch    grid = ceil(frames / Frames), with Ahead also fewer, block = Workers *
//           Frames, shared = rader_shared_bytes() of lib/planner/convolution/rader.cc.
// Requires  Shape::length = N - 1, input and output do not overlap.
template <class Shape, class Load, class Store, bool Ahead>
GPUFFT_KERNEL(Shape::block_threads, Shape::blocks)
rader_kernel(transform_arguments arguments)
{
    begin_kernel();
    constexpr int n = Shape::length + 1, frames = Shape::frames;
    constexpr int radix = Shape::template radix<0>();
    typedef tile_reader<n, frames, Shape::block_threads, Load, true> reader_type;
    typedef tile_writer<n, frames, Shape::block_threads, Store, true> writer_type;
    const int worker = threadIdx.x / frames, slot = threadIdx.x % frames;
    const unsigned long long tiles = (arguments.frames + frames - 1) / frames;
    complex* const samples =
        shared_memory<complex>() + COPIED_TOGETHER; // the barrier comes first
    complex* const grid = Ahead ? samples + reader_type::points : samples;
    complex points[Shape::template rounds<0>() * radix];
    reader_type reader(arguments, samples, shared_memory<transfer_barrier>());

    reader.start(blockIdx.x * (unsigned long long)frames);
    for (unsigned long long tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        reader.wait();
        const auto* frame = reader.frame(slot);
        const complex x0 = reader.sample(frame, 0);
        complex bin0 = { 0, 0 };
        for_each_held_butterfly<Shape, 0>(worker, [&](int round, int b) {
            read_samples<Shape>(
                points + round * radix, reader, frame, arguments.order, b);
        });
        writer_type::finish();
        __syncthreads();
        const unsigned long long next = tile + gridDim.x;
        if (Ahead && next < tiles)
            reader.start(next * frames);

        convolve_held<Shape>(
            points, grid + slot * Shape::stride, arguments, worker, [&](complex sum) {
                bin0 = x0 + sum;
                return x0;
            });

        const writer_type writer(arguments, grid, tile * frames);
        auto* bins = writer.frame(slot);
        for_each_held_butterfly<Shape, 0>(worker, [&](int round, int b) {
            write_bins<Shape>(
                points + round * radix, writer, bins, arguments.order + n - 1, b);
        });
        if (worker == 0)
            writer.put(bins, 0, bin0);
        writer.start();
        if (!Ahead)
            break;
    }
    writer_type::finish();
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
