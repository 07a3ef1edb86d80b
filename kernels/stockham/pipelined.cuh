// SPDX-License-Identifier: GPL-3.0-or-later
//
// The Stockham FFT of vectors so long that a multiprocessor holds only one. A block
// transforms one vector after the other, and while it computes, the samples of the next
// vector are copied to shared memory. To leave room for them, passes exchange points by
// halves: real parts first, then imaginary parts.

#ifndef INCLUDED_GPUFFT_KERNELS_PIPELINED_CUH
#define INCLUDED_GPUFFT_KERNELS_PIPELINED_CUH

#include "bulk_copy.cuh"
#include "load.cuh"
#include "stockham/stockham.cuh"
#include "store.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// Exchanges one part (&complex::re or im) of all points, from the outputs of pass P to
// the inputs of pass P + 1. Other threads may still be reading `shared`.
template <class Shape, int P>
GPUFFT_DEVICE void
exchange_part(complex* points, real* shared, int lane, real complex::*part)
{
    __syncthreads();
    for_each_point<Shape, P>(lane, [&](int i, int k, int j) {
        shared[Shape::template exchanged_at<P>(j, k)] = points[i].*part;
    });
    __syncthreads();
    for_each_point<Shape, P + 1>(lane, [&](int i, int k, int j) {
        points[i].*part = shared[Shape::template taken_at<P + 1>(j, k)];
    });
}

// All passes from P on; the results stay in `points`. Calls meanwhile(constant<s>()) for
// s = 1, 2, ... 2 (passes - 1) where the memory pipe has time for it.
template <class Shape, int P = 0, class Meanwhile>
GPUFFT_DEVICE void transform_by_halves(complex* points,
                                       real* shared,
                                       const complex* twiddles,
                                       int lane,
                                       Meanwhile&& meanwhile)
{
    butterflies_of_pass<Shape, P>(points, twiddles, lane);
    if constexpr (P + 1 < Shape::pass_count) {
        exchange_part<Shape, P>(points, shared, lane, &complex::re);
        meanwhile(constant<2 * P + 1>());
        exchange_part<Shape, P>(points, shared, lane, &complex::im);
        meanwhile(constant<2 * P + 2>());
        transform_by_halves<Shape, P + 1>(points, shared, twiddles, lane, meanwhile);
    }
}

// How the samples of the next frame arrive. Part 0 must not touch shared memory yet;
// parts 1 ... 2 (passes - 1) may, because all threads have read the last samples.

// Each thread copies its own samples, 4, 8 or 16 bytes each. The memory pipe takes the
// copies in order with all other accesses. All copies at once would delay the exchanges,
// so parts of them start between the exchanges.
template <class Shape, class Load>
class copies_by_threads
{
    typedef typename Load::item item;
    static constexpr int held =
        Shape::template rounds<0>() * Shape::passes::template radix<0>();
    static constexpr int parts = 2 * Shape::pass_count - 1;

public:
    static constexpr int bytes = // bytes of shared memory
        held * Shape::threads * static_cast<int>(sizeof(complex));

    GPUFFT_DEVICE explicit copies_by_threads(unsigned char* shared) : d_shared(shared) {}

    template <int Part>
    GPUFFT_DEVICE void start(const transform_arguments& arguments,
                             unsigned long long frame)
    {
        constexpr int count = Shape::n / Shape::passes::template radix<0>();
        for_each_point<Shape, 0>(threadIdx.x, [&](int i, int k, int j) {
            if (i * parts / held == Part)
                start_copy(own(i),
                           Load::template at<Shape::n>(arguments, frame, j, k * count));
        });
    }

    GPUFFT_DEVICE void wait() { wait_for_copies(); }

    // Sample m, which is point i of this thread before the first pass.
    GPUFFT_DEVICE item sample(int i, int) const { return *own(i); }

private:
    // This thread may overwrite its sample after its own read: no other thread reads it.
    GPUFFT_DEVICE item* own(int i) const
    {
        return reinterpret_cast<item*>(d_shared) + i * Shape::threads + threadIdx.x;
    }

    unsigned char* const d_shared;
};

// The copy engine (compute capability 9.0 and later) reads the frame if it lies at a
// multiple of 16 bytes; else the threads read it.
template <class Shape, class Load>
class copies_by_card
{
    typedef typename Load::item item;
    static constexpr int frame_bytes = Shape::n * static_cast<int>(sizeof(item));

public:
    static constexpr int bytes = Shape::n * static_cast<int>(sizeof(complex)) + 16;
    static_assert(frame_bytes % 16 == 0 && Load::in_order, "the card copies such frames");

    GPUFFT_DEVICE explicit copies_by_card(unsigned char* shared)
        : d_arrived(reinterpret_cast<transfer_barrier*>(shared)),
          d_samples(reinterpret_cast<item*>(shared + 16))
    {
        if (threadIdx.x == 0)
            start_barrier(d_arrived, 1);
        __syncthreads();
    }

    template <int Part>
    GPUFFT_DEVICE void start(const transform_arguments& arguments,
                             unsigned long long frame)
    {
        if constexpr (Part == 1) {
            const item* first = Load::template at<Shape::n>(arguments, frame, 0);
            d_by_card = reinterpret_cast<unsigned long long>(first) % 16 == 0;
            if (!d_by_card) {
#pragma unroll 1
                for (int m = threadIdx.x; m < Shape::n; m += Shape::threads)
                    start_copy(d_samples + m, first + m);
            } else if (threadIdx.x == 0) {
                arrive_and_expect(d_arrived, frame_bytes);
                start_bulk_load(reinterpret_cast<complex*>(d_samples),
                                reinterpret_cast<const complex*>(first),
                                frame_bytes,
                                d_arrived);
            }
        }
    }

    GPUFFT_DEVICE void wait()
    {
        if (d_by_card) {
            wait_for_phase(d_arrived, d_phase);
            d_phase ^= 1;
        } else {
            wait_for_copies();
            __syncthreads();
        }
    }

    GPUFFT_DEVICE item sample(int, int m) const { return d_samples[m]; }

private:
    transfer_barrier* const d_arrived;
    item* const d_samples;
    bool d_by_card = false;
    unsigned d_phase = 0;
};

// One block's work on one frame after another.
template <class Shape, class Load, class Store, template <class, class> class Copies>
class pipeline
{
    // Points that a thread holds in pass P or a later one.
    template <int P = 0>
    static GPUFFT_DEVICE constexpr int held()
    {
        constexpr int here =
            Shape::template rounds<P>() * Shape::passes::template radix<P>();
        if constexpr (P + 1 < Shape::pass_count) {
            constexpr int later = held<P + 1>();
            return here > later ? here : later;
        }
        return here;
    }

    static constexpr int last = Shape::pass_count - 1;
    static_assert(last > 0 && Shape::columns == 1 && Shape::transforms == 1,
                  "one frame, exchanged");

public:
    GPUFFT_DEVICE explicit pipeline(const transform_arguments& arguments)
        : d_arguments(arguments),
          d_copies(shared_memory<unsigned char>()),
          d_exchanged(reinterpret_cast<real*>(shared_memory<unsigned char>() +
                                              Copies<Shape, Load>::bytes))
    {
    }

    GPUFFT_DEVICE void run()
    {
        constexpr int span = Shape::template span<last>();
        unsigned long long frame = blockIdx.x;
        static_for<0, 2 * last + 1>([&](auto part) { start<part.value>(frame); });
        for (; frame < d_arguments.frames; frame += gridDim.x) {
            const unsigned long long next = frame + gridDim.x;
            d_copies.wait();
            read();
            start<0>(next);
            const int lane = recomputed(threadIdx.x);
            transform_by_halves<Shape>(
                d_points, d_exchanged, d_arguments.twiddles, lane, [&](auto part) {
                    start<part.value>(next);
                });
            for_each_point<Shape, last>(lane, [&](int i, int k, int j) {
                Store::template put<Shape::n>(
                    d_arguments, frame, j, d_points[i], k * span);
            });
        }
    }

private:
    GPUFFT_DEVICE void read()
    {
        constexpr int count = Shape::n / Shape::passes::template radix<0>();
        for_each_point<Shape, 0>(threadIdx.x, [&](int i, int k, int j) {
            d_points[i] = Load::template value<Shape::n>(
                d_arguments, j + k * count, d_copies.sample(i, j + k * count));
        });
    }

    template <int Part>
    GPUFFT_DEVICE void start(unsigned long long frame)
    {
        if (frame < d_arguments.frames)
            d_copies.template start<Part>(d_arguments, frame);
    }

    const transform_arguments& d_arguments;
    Copies<Shape, Load> d_copies;
    real* const d_exchanged;
    complex d_points[held()] = {};
};

// Computes  for every frame f: Store(sum_m Load(f, m) exp(-2 pi j m k / N)).
// Layout    block b takes the frames b, b + blocks, b + 2 blocks, ...
// Launch    grid = 1 ... frames, block = Threads, shared = Copies::bytes and Stride
//           real numbers.
// Requires  samples of 4 bytes or more, two passes or more; input and output do not
//           overlap.
template <class Shape, class Load, class Store, template <class, class> class Copies>
GPUFFT_KERNEL(Shape::threads, Shape::blocks)
pipelined_kernel(transform_arguments arguments)
{
    begin_kernel();
    pipeline<Shape, Load, Store, Copies>(arguments).run();
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
