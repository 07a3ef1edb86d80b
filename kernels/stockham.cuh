// SPDX-License-Identifier: GPL-3.0-or-later
//
// The Stockham FFT of vectors that fit one block: points in registers, exchanged between
// the passes through shared memory. Every pass writes its output in order, so there is no
// bit reversal (Govindaraju et al., "High Performance Discrete Fourier Transforms on
// Graphics Processors", SC'08, section IV.B).
//
// Pass p has radix r, span S = product of the radices before it, and N/r butterflies j:
//     input k of butterfly j   element j + k N/r, times exp(-2 pi i (j mod S) k / (S r))
//     output k of butterfly j  element floor(j / S) S r + (j mod S) + k S

#ifndef INCLUDED_GPUFFT_KERNELS_STOCKHAM_CUH
#define INCLUDED_GPUFFT_KERNELS_STOCKHAM_CUH

#include "average.cuh"
#include "butterfly.cuh"
#include "load.cuh"
#include "shared_exchange.cuh"
#include "store.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// One pass of a plan: its radix, and the padding of the exchange after it.
template <int Radix, int PadEvery = 0, int PadBy = 0>
struct pass {
    static constexpr int radix = Radix;
    typedef padding<PadEvery, PadBy> pad;
};

// The list of passes as compile-time constants.
template <class... Passes>
struct pass_list;

template <class First, class... Rest>
struct pass_list<First, Rest...> {
    static constexpr int count = 1 + sizeof...(Rest);
    template <int P>
    static GPUFFT_DEVICE constexpr int radix()
    {
        if constexpr (P == 0)
            return First::radix;
        else
            return pass_list<Rest...>::template radix<P - 1>();
    }
    template <int P>
    static GPUFFT_DEVICE auto pad()
    {
        if constexpr (P == 0)
            return typename First::pad();
        else
            return pass_list<Rest...>::template pad<P - 1>();
    }
};

// One instance of the kernel. Threads share a transform, Transforms share a block; Stride
// is the distance of their exchange areas in shared memory. LoadEnd and StoreEnd say
// whether the vectors are read and written by the butterflies themselves (direct) or
// staged through shared memory (staged<Every, By>), which keeps global accesses linear
// where a transform has few threads.
template <int N_,
          int Threads,
          int Transforms,
          int Blocks,
          int Stride,
          class LoadEnd,
          class StoreEnd,
          class... Passes>
struct shape {
    typedef pass_list<Passes...> passes;
    typedef LoadEnd load_end;
    typedef StoreEnd store_end;
    static constexpr int n = N_;
    static constexpr int threads = Threads;
    static constexpr int transforms = Transforms;
    static constexpr int blocks = Blocks;
    static constexpr int stride = Stride;
    static constexpr int block_threads = Threads * Transforms;
    static constexpr int pass_count = passes::count;

    // Butterflies of pass P that a thread does at most.
    template <int P>
    static GPUFFT_DEVICE constexpr int rounds()
    {
        return (n / passes::template radix<P>() + threads - 1) / threads;
    }

    // Product of the radices before pass P.
    template <int P>
    static GPUFFT_DEVICE constexpr int span()
    {
        if constexpr (P == 0)
            return 1;
        else
            return span<P - 1>() * passes::template radix<P - 1>();
    }

    // Registers for the points of a thread.
    template <int P = 0>
    static GPUFFT_DEVICE constexpr int points()
    {
        constexpr int here = rounds<P>() * passes::template radix<P>();
        if constexpr (P + 1 < pass_count) {
            constexpr int later = points<P + 1>();
            return here > later ? here : later;
        }
        return here;
    }
};

// Calls body(round, k, j) for every point of pass P that this thread (`lane` of its
// transform) holds: input or output k of butterfly j, in register round * radix + k.
template <class Shape, int P, class Body>
GPUFFT_DEVICE void for_each_point(int lane, Body&& body)
{
    constexpr int radix = Shape::passes::template radix<P>();
    constexpr int butterflies = Shape::n / radix;
#pragma unroll
    for (int round = 0; round < Shape::template rounds<P>(); ++round) {
        const int j = lane + round * Shape::threads;
        if (butterflies % Shape::threads == 0 || j < butterflies) {
#pragma unroll
            for (int k = 0; k < radix; ++k)
                body(round * radix + k, k, j);
        }
    }
}

template <class Shape, int P>
GPUFFT_DEVICE void
multiply_twiddles(complex32* points, const complex32* twiddles, int lane)
{
    constexpr int span = Shape::template span<P>();
    constexpr int offset = span - Shape::template span<1>(); // of pass P in the table
    for_each_point<Shape, P>(lane, [&](int i, int k, int j) {
        if (k > 0)
            points[i] =
                points[i] * load_constant(twiddles + offset + (k - 1) * span + j % span);
    });
}

template <class Shape, int P>
GPUFFT_DEVICE void butterflies(complex32* points)
{
    constexpr int radix = Shape::passes::template radix<P>();
#pragma unroll
    for (int round = 0; round < Shape::template rounds<P>(); ++round)
        butterfly<radix>(points + round * radix);
}

// From the outputs of pass P to the inputs of pass P + 1.
template <class Shape, int P>
GPUFFT_DEVICE void exchange(complex32* points, complex32* shared, int lane)
{
    constexpr int radix = Shape::passes::template radix<P>();
    constexpr int span = Shape::template span<P>();
    constexpr int next_count = Shape::n / Shape::passes::template radix<P + 1>();
    typedef decltype(Shape::passes::template pad<P>()) pad;
    for_each_point<Shape, P>(lane, [&](int i, int k, int j) {
        shared[pad::template of_output<span, span * radix>(j, k)] = points[i];
    });
    synchronize<Shape>();
    for_each_point<Shape, P + 1>(lane, [&](int i, int k, int j) {
        points[i] = shared[pad::template of_input<next_count>(j, k)];
    });
}

// All passes from P on; before the first write to shared memory waits for its readers if
// `shared_is_read` says that there may be some.
template <class Shape, int P = 0>
GPUFFT_DEVICE void transform(complex32* points,
                             complex32* shared,
                             const complex32* twiddles,
                             int lane,
                             bool shared_is_read)
{
    if constexpr (P > 0)
        multiply_twiddles<Shape, P>(points, twiddles, lane);
    butterflies<Shape, P>(points);
    if constexpr (P + 1 < Shape::pass_count) {
        if (P > 0 || shared_is_read)
            synchronize<Shape>();
        exchange<Shape, P>(points, shared, lane);
        transform<Shape, P + 1>(points, shared, twiddles, lane, true);
    }
}

// Computes  for every frame f: Store(sum_m Load(f, m) exp(-2 pi j m k / N)).
// Layout    block b takes the frames b Transforms ... (b+1) Transforms - 1.
// Launch    grid = ceil(frames / Transforms), block = Threads * Transforms,
//           shared = stockham_shape::shared_bytes().
// Requires  input and output do not overlap.
template <class Shape, class Load, class Store>
GPUFFT_KERNEL(Shape::block_threads, Shape::blocks)
stockham_kernel(transform_arguments arguments)
{
    constexpr int last = Shape::pass_count - 1;
    const int lane = threadIdx.x % Shape::threads;
    const int slot = threadIdx.x / Shape::threads;
    const unsigned long long first = blockIdx.x * (unsigned long long)Shape::transforms;
    const bool active = first + slot < arguments.frames;
    complex32* block_shared = shared_memory<complex32>();
    complex32* shared = block_shared + slot * Shape::stride;
    complex32 points[Shape::points()] = {};

    if constexpr (Shape::load_end::is_staged) {
        read_frames<Shape, Load>(arguments, first, block_shared);
        synchronize<Shape>();
        constexpr int count = Shape::n / Shape::passes::template radix<0>();
        for_each_point<Shape, 0>(lane, [&](int i, int k, int j) {
            points[i] = shared[Shape::load_end::pad::template of_input<count>(j, k)];
        });
    } else if (active) {
        constexpr int count = Shape::n / Shape::passes::template radix<0>();
        for_each_point<Shape, 0>(lane, [&](int i, int k, int j) {
            points[i] =
                Load::template get<Shape::n>(arguments, first + slot, j + k * count);
        });
    }
    transform<Shape>(
        points, shared, arguments.twiddles, lane, Shape::load_end::is_staged);

    constexpr int span = Shape::template span<last>();
    if constexpr (Shape::store_end::is_staged) {
        if (Shape::pass_count > 1 || Shape::load_end::is_staged)
            synchronize<Shape>();
        for_each_point<Shape, last>(lane, [&](int i, int k, int j) {
            shared[Shape::store_end::pad::template of_input<span>(j, k)] = points[i];
        });
        synchronize<Shape>();
        write_frames<Shape, Store>(arguments, first, block_shared);
    } else if (active) {
        for_each_point<Shape, last>(lane, [&](int i, int k, int j) {
            Store::template put<Shape::n>(
                arguments, first + slot, j + k * span, points[i]);
        });
    }
}

// Computes  for every unit u the partial power sum over its frames f:
//           output[u N + k] = sum_f |sum_m Load(f, m) exp(-2 pi j m k / N)|^2, unscaled.
// Layout    unit u is part u mod parts of row floor(u / parts); its frames are those of
//           transform_arguments. Block b takes units b Transforms ... (b+1) Transforms -
//           1, frame after frame.
// Launch    grid = ceil(units / Transforms), block and shared as stockham_kernel.
// Requires  average_kernel after it on the same stream.
template <class Shape, class Load, bool Shifted>
GPUFFT_KERNEL(Shape::block_threads, Shape::blocks)
stockham_power_kernel(transform_arguments arguments)
{
    constexpr int last = Shape::pass_count - 1;
    constexpr int count = Shape::n / Shape::passes::template radix<0>();
    constexpr int span = Shape::template span<last>();
    const int lane = threadIdx.x % Shape::threads;
    const unsigned long long unit =
        blockIdx.x * (unsigned long long)Shape::transforms + threadIdx.x / Shape::threads;
    complex32* shared =
        shared_memory<complex32>() + (threadIdx.x / Shape::threads) * Shape::stride;
    const frame_range frames = frames_of_unit(arguments, unit);

    float power[Shape::points()];
    for (float& p : power)
        p = 0.0f;
    // Every thread of the block goes round as often as the longest unit: it synchronizes.
    for (unsigned long long round = 0; round < arguments.group; ++round) {
        const bool active = frames.begin + round < frames.end;
        complex32 points[Shape::points()] = {};
        if (active)
            for_each_point<Shape, 0>(lane, [&](int i, int k, int j) {
                points[i] = Load::template get<Shape::n>(
                    arguments, frames.begin + round, j + k * count);
            });
        transform<Shape>(points, shared, arguments.twiddles, lane, true);
        if (active)
            for_each_point<Shape, last>(
                lane, [&](int i, int, int) { power[i] += squared_magnitude(points[i]); });
    }
    if (unit < arguments.units) {
        float* row = static_cast<float*>(arguments.output) + unit * Shape::n;
        for_each_point<Shape, last>(lane, [&](int i, int k, int j) {
            row[stored_at<Shape::n, Shifted>(j + k * span)] = power[i];
        });
    }
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
