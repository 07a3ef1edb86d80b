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

#include "butterfly.cuh"
#include "load_polyphase.cuh"
#include "stockham/stockham_shape.cuh"
#include "store.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// exp(-2 pi i (j mod S) k / (S r)) for input k > 0 of butterfly j in pass P. IsInside: j
// is always a butterfly of the pass, never one past the last, whose results are unused.
template <class Shape, int P, bool IsInside = false>
GPUFFT_DEVICE complex twiddle(const complex* twiddles, int k, int j)
{
    constexpr int span = Shape::template twiddle_span<P>();
    constexpr int columns = Shape::template span<P>() / span;
    constexpr int butterflies = Shape::elements / Shape::passes::template radix<P>();
    constexpr int length = IsInside && span * columns == butterflies ? 0 : span;
    const int at = digit_of<columns, length>(j);
    return load_constant(twiddles + at +
                         (Shape::template twiddles_at<P>() + (k - 1) * span));
}

// The twiddles of one butterfly, requested in the order k = 1, 2, 3, ... A table that
// would displace others from the L1 cache is read only for powers of two k; the other
// twiddles are products, at most log2(radix) - 1 deep.
template <class Shape, int P, bool IsInside = false>
class twiddle_sequence
{
public:
    // k is a constant after unrolling, so that all this stays in registers.
    GPUFFT_DEVICE complex next(const complex* twiddles, int k, int j)
    {
        if constexpr (!is_long)
            return twiddle<Shape, P, IsInside>(twiddles, k, j);
        const int bit = lowest_bit(k), parent = k & (k - 1);
        if (parent == 0)
            d_found[bit] = d_powers[bit] = twiddle<Shape, P, IsInside>(twiddles, k, j);
        else
            d_found[bit] = d_found[lowest_bit(parent)] * d_powers[bit];
        return d_found[bit];
    }

private:
    static constexpr int radix = Shape::passes::template radix<P>();
    static constexpr bool is_long = // more than 60 KB
        Shape::template twiddle_span<P>() * (radix - 1) *
            static_cast<int>(sizeof(complex)) >
        60 * 1024;

    static constexpr int bits = is_long ? bits_below(radix) : 1;

    complex d_powers[bits]; // k = 1, 2, 4, ...
    complex d_found[bits];  // the last k with this lowest bit
};

// The last pass, with as many butterflies at a time as the registers of the other passes
// hold. Calls store(i, k, j, output k of butterfly j).
template <class Shape, class Store>
GPUFFT_DEVICE void
last_pass(const complex* shared, const complex* twiddles, int lane, Store&& store)
{
    constexpr int last = Shape::pass_count - 1;
    constexpr int radix = Shape::passes::template radix<last>();
    constexpr int rounds = Shape::template rounds<last>();
    constexpr int fitting = Shape::points() / radix;
    constexpr int together = fitting < rounds ? fitting : rounds;
#pragma unroll
    for (int first = 0; first < rounds; first += together) {
        complex points[together * radix] = {};
#pragma unroll
        for (int t = 0; t < together && first + t < rounds; ++t) {
            twiddle_sequence<Shape, last, true> roots;
            for_each_point_of_round<Shape, last>(first + t, lane, [&](int, int k, int j) {
                complex& x = points[t * radix + k];
                x = shared[Shape::template taken_at<last>(j, k)];
                if (Shape::template is_twiddled<last>() && k > 0)
                    x = x * roots.next(twiddles, k, j);
            });
        }
#pragma unroll
        for (int t = 0; t < together; ++t)
            butterfly<radix>(points + t * radix);
#pragma unroll
        for (int t = 0; t < together && first + t < rounds; ++t)
            for_each_point_of_round<Shape, last>(
                first + t, lane, [&](int i, int k, int j) {
                    store(i, k, j, points[t * radix + k]);
                });
    }
}

// Twiddles and butterflies of pass P, in `points`.
template <class Shape, int P>
GPUFFT_DEVICE void butterflies_of_pass(complex* points, const complex* twiddles, int lane)
{
    constexpr int radix = Shape::passes::template radix<P>();
    if constexpr (Shape::template is_twiddled<P>()) {
        twiddle_sequence<Shape, P, true> roots;
        for_each_point<Shape, P>(lane, [&](int i, int k, int j) {
            if (k > 0)
                points[i] = points[i] * roots.next(twiddles, k, j);
        });
    }
#pragma unroll
    for (int round = 0; round < Shape::template rounds<P>(); ++round)
        butterfly<radix>(points + round * radix);
}

template <class Shape, int P, class Last>
GPUFFT_DEVICE void transform_from_shared(complex* points,
                                         complex* shared,
                                         const complex* twiddles,
                                         int lane,
                                         Last&& last);

// Pass P, whose inputs are in `points`, and all later passes but the last; then last()
// can take its inputs from shared memory. If `shared_is_read`, other threads may still be
// reading shared memory, so this waits for them before the first write.
template <class Shape, int P, class Last>
GPUFFT_DEVICE void transform_to_shared(complex* points,
                                       complex* shared,
                                       const complex* twiddles,
                                       int lane,
                                       bool shared_is_read,
                                       Last&& last)
{
    butterflies_of_pass<Shape, P>(points, twiddles, lane);
    if (P > 0 || shared_is_read)
        synchronize<Shape>();
    for_each_point<Shape, P>(lane, [&](int i, int k, int j) {
        shared[Shape::template exchanged_at<P>(j, k)] = points[i];
    });
    transform_from_shared<Shape, P + 1>(points, shared, twiddles, lane, last);
}

// The same, with the inputs of pass P in shared memory.
template <class Shape, int P, class Last>
GPUFFT_DEVICE void transform_from_shared(complex* points,
                                         complex* shared,
                                         const complex* twiddles,
                                         int lane,
                                         Last&& last)
{
    synchronize<Shape>();
    if constexpr (P + 1 == Shape::pass_count) {
        last();
    } else {
        for_each_point<Shape, P>(lane, [&](int i, int k, int j) {
            points[i] = shared[Shape::template taken_at<P>(j, k)];
        });
        transform_to_shared<Shape, P>(points, shared, twiddles, lane, true, last);
    }
}

// All passes, with inputs in `points`; shared_is_read as above. Calls store(i, k, j,
// output k of butterfly j in the last pass).
template <class Shape, class Store>
GPUFFT_DEVICE void transform(complex* points,
                             complex* shared,
                             const complex* twiddles,
                             int lane,
                             bool shared_is_read,
                             Store&& store)
{
    if constexpr (Shape::pass_count == 1) {
        butterflies_of_pass<Shape, 0>(points, twiddles, lane);
        for_each_point<Shape, 0>(lane,
                                 [&](int i, int k, int j) { store(i, k, j, points[i]); });
    } else {
        transform_to_shared<Shape, 0>(
            points, shared, twiddles, lane, shared_is_read, [&] {
                last_pass<Shape>(shared, twiddles, lane, store);
            });
    }
}

// All passes and the store step for the frames of a block from `first` on; `points` has
// the inputs of the first pass, shared_is_read as above.
template <class Shape, class Store>
GPUFFT_DEVICE void transform_frames(const transform_arguments& arguments,
                                    unsigned long long first,
                                    complex* points,
                                    bool shared_is_read)
{
    constexpr int last = Shape::pass_count - 1;
    constexpr int span = Shape::template span<last>();
    const int lane = threadIdx.x % Shape::threads;
    const int slot = threadIdx.x / Shape::threads;
    complex* block_shared = shared_memory<complex>();
    complex* shared = block_shared + slot * Shape::stride;
    if constexpr (Shape::store_end::is_staged) {
        complex results[Shape::results()];
        transform<Shape>(points,
                         shared,
                         arguments.twiddles,
                         lane,
                         shared_is_read,
                         [&](int i, int, int, complex value) { results[i] = value; });
        if (last > 0 || shared_is_read)
            synchronize<Shape>();
        for_each_point<Shape, last>(lane, [&](int i, int k, int j) {
            shared[Shape::store_end::pad::template of_input<span>(j, k)] = results[i];
        });
        synchronize<Shape>();
        write_frames<Shape, Store>(arguments, first, block_shared);
    } else {
        transform<Shape>(points,
                         shared,
                         arguments.twiddles,
                         lane,
                         shared_is_read,
                         [&](int, int k, int j, complex value) {
                             if (first + slot < arguments.frames)
                                 Store::template put<Shape::n>(
                                     arguments, first + slot, j + k * span, value);
                         });
    }
}

// The inputs of the first pass, from a staged load.
template <class Shape>
GPUFFT_DEVICE void take_staged(complex* points)
{
    constexpr int count = Shape::n / Shape::passes::template radix<0>();
    const complex* shared =
        shared_memory<complex>() + threadIdx.x / Shape::threads * Shape::stride;
    for_each_point<Shape, 0>(threadIdx.x % Shape::threads, [&](int i, int k, int j) {
        points[i] = shared[Shape::load_end::pad::template of_input<count>(j, k)];
    });
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
    begin_kernel();
    static_assert(Shape::columns == 1, "columns are for tiles");
    constexpr int count = Shape::n / Shape::passes::template radix<0>();
    const unsigned long long first = blockIdx.x * (unsigned long long)Shape::transforms;
    const unsigned long long own = first + threadIdx.x / Shape::threads;
    complex points[Shape::points()] = {};

    if constexpr (Shape::load_end::is_staged) {
        read_frames<Shape, Load>(arguments, first, shared_memory<complex>());
        synchronize<Shape>();
        take_staged<Shape>(points);
    } else if (own < arguments.frames) {
        for_each_point<Shape, 0>(threadIdx.x % Shape::threads, [&](int i, int k, int j) {
            points[i] = Load::template get<Shape::n>(arguments, own, j + k * count);
        });
    }
    transform_frames<Shape, Store>(arguments, first, points, Shape::load_end::is_staged);
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
