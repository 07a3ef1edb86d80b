// SPDX-License-Identifier: GPL-3.0-or-later
//
// Cyclic convolution with a fixed filter inside one block: forward transform, product
// with the filter's spectrum, inverse transform. The M points of a frame are a grid of
// axes, M = r0 r1 ...; every pass transforms along one axis in place. The order of the
// spectrum does not matter, so nothing is transposed. The last axis is transformed
// forward, multiplied and transformed back in registers.
//
// Forward along axis p of length r, with R points on the later axes: point (i, m) is time
// R i + m, and bin k of the axis is multiplied by exp(-2 pi j k m / (r R)) (Gentleman and
// Sande). If r and R share no factor, point (i, m) is time R i + r m mod r R instead, and
// there is no twiddle (Good). Either way the inverse undoes the passes in reverse order.
// The host assigns times to the points of the grid
// (lib/planner/convolution/convolution.h).
//
// If only every D-th output of a convolution is wanted, the bins N / D apart are summed
// and the inverse has N / D points (Crochiere and Rabiner, "Multirate Digital Signal
// Processing", section 7.2.6). On the last axis, whose bins are the slowest digit, these
// bins lie in one thread's registers. Inverse is then the remaining grid, with a last
// axis D times shorter in the same place of shared memory; otherwise it is Shape.

#ifndef INCLUDED_GPUFFT_KERNELS_CONVOLUTION_CUH
#define INCLUDED_GPUFFT_KERNELS_CONVOLUTION_CUH

#include "butterfly.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// One axis: its length, the distance of its points in shared memory, and whether it has
// twiddles against the later axes.
template <int Radix, int Stride, bool Twiddled>
struct axis {
    static constexpr int radix = Radix;
    static constexpr int stride = Stride;
    static constexpr bool twiddled = Twiddled;
};

// Workers share a frame, Frames share a block. The frame is the fastest index of the
// threads, so that a warp reads few different table entries. Stride is the distance of
// frames in shared memory, Work the offset of the grid in a frame's part.
template <int Length,
          int Workers,
          int Frames,
          int Blocks,
          int Stride,
          int Work,
          class... Axes>
struct convolution_shape {
    static constexpr int length = Length;
    static constexpr int workers = Workers;
    static constexpr int frames = Frames;
    static constexpr int blocks = Blocks;
    static constexpr int stride = Stride;
    static constexpr int work = Work;
    static constexpr int block_threads = Workers * Frames;
    static constexpr int axes = sizeof...(Axes);

    template <int P>
    static GPUFFT_DEVICE constexpr int radix()
    {
        constexpr int all[] = { Axes::radix... };
        return all[P];
    }
    template <int P>
    static GPUFFT_DEVICE constexpr int axis_stride()
    {
        constexpr int all[] = { Axes::stride... };
        return all[P];
    }
    template <int P>
    static GPUFFT_DEVICE constexpr bool is_twiddled()
    {
        constexpr bool all[] = { Axes::twiddled... };
        return all[P];
    }

    // Points of the grid of axes P ... axes - 1.
    template <int P>
    static GPUFFT_DEVICE constexpr int points_from()
    {
        if constexpr (P == axes)
            return 1;
        else
            return radix<P>() * points_from<P + 1>();
    }

    // Butterflies along axis P, and the limit for one worker.
    template <int P>
    static GPUFFT_DEVICE constexpr int butterflies()
    {
        return length / radix<P>();
    }
    template <int P>
    static GPUFFT_DEVICE constexpr int rounds()
    {
        return (butterflies<P>() + workers - 1) / workers;
    }

    // Twiddles of the axes before P.
    template <int P>
    static GPUFFT_DEVICE constexpr int twiddles_before()
    {
        if constexpr (P == 0)
            return 0;
        else
            return twiddles_before<P - 1>() +
                   (is_twiddled<P - 1>() ? (radix<P - 1>() - 1) * points_from<P>() : 0);
    }

    // Position of point i in the grid of axes Begin ... End - 1, the last axis fastest.
    // IsWhole: i is less than the grid's points; otherwise its higher digits count
    // earlier axes.
    template <int Begin, int End, bool IsWhole = true>
    static GPUFFT_DEVICE int at(int i)
    {
        if constexpr (Begin >= End) {
            return 0;
        } else {
            constexpr int inner = points_from<Begin + 1>() / points_from<End>();
            constexpr int length = IsWhole ? 0 : radix<Begin>();
            const int digit = digit_of<inner, length>(i);
            return digit * axis_stride<Begin>() + at<Begin + 1, End, false>(i);
        }
    }

    // Position of point 0 of butterfly b along axis P; b counts the other axes, the last
    // fastest.
    template <int P>
    static GPUFFT_DEVICE int first_of(int b)
    {
        constexpr int later = points_from<P + 1>();
        if constexpr (later == 1)
            return at<0, P>(b);
        else
            return at<0, P>(b / later) + at<P + 1, axes, P == 0>(b);
    }
};

// Calls body(b) for every butterfly b along axis P of this worker. The loop is not
// unrolled, because the compiler would fetch all twiddles first and spill.
template <class Shape, int P, class Body>
GPUFFT_DEVICE void for_each_butterfly(int worker, Body&& body)
{
#pragma unroll 1
    for (int b = worker; b < Shape::template butterflies<P>(); b += Shape::workers)
        body(b);
}

// Calls body(round, b) for the same; a register array may be indexed by the round.
template <class Shape, int P, class Body>
GPUFFT_DEVICE void for_each_held_butterfly(int worker, Body&& body)
{
    constexpr int butterflies = Shape::template butterflies<P>();
#pragma unroll
    for (int round = 0; round < Shape::template rounds<P>(); ++round) {
        const int b = worker + round * Shape::workers;
        if (butterflies % Shape::workers == 0 || b < butterflies)
            body(round, b);
    }
}

// Multiplies the points of butterfly b along axis P by their twiddles.
template <class Shape, int P>
GPUFFT_DEVICE void multiply_twiddles(complex* points, const complex* twiddles, int b)
{
    if constexpr (Shape::template is_twiddled<P>()) {
        constexpr int later = Shape::template points_from<P + 1>();
        const complex* own = twiddles + Shape::template twiddles_before<P>() + b % later;
#pragma unroll
        for (int k = 1; k < Shape::template radix<P>(); ++k)
            points[k] = points[k] * load_constant(own + (k - 1) * later);
    }
}

template <class Shape, int P>
GPUFFT_DEVICE void read_axis(complex* points, const complex* work, int b)
{
    const complex* first = work + Shape::template first_of<P>(b);
#pragma unroll
    for (int k = 0; k < Shape::template radix<P>(); ++k)
        points[k] = first[k * Shape::template axis_stride<P>()];
}

template <class Shape, int P>
GPUFFT_DEVICE void write_axis(const complex* points, complex* work, int b)
{
    complex* first = work + Shape::template first_of<P>(b);
#pragma unroll
    for (int k = 0; k < Shape::template radix<P>(); ++k)
        first[k * Shape::template axis_stride<P>()] = points[k];
}

// Transforms forward along axis P, from registers to the grid.
template <class Shape, int P>
GPUFFT_DEVICE void
forward_axis(complex* points, complex* work, const complex* twiddles, int b)
{
    butterfly<Shape::template radix<P>()>(points);
    multiply_twiddles<Shape, P>(points, twiddles, b);
    write_axis<Shape, P>(points, work, b);
}

// Transforms back along axis P, from the grid to registers. The parts are exchanged from
// the product with the spectrum on, so this is the forward butterfly.
template <class Shape, int P>
GPUFFT_DEVICE void
inverse_axis(complex* points, const complex* work, const complex* twiddles, int b)
{
    read_axis<Shape, P>(points, work, b);
    multiply_twiddles<Shape, P>(points, twiddles, b);
    butterfly<Shape::template radix<P>()>(points);
}

// The inverse's twiddles, which follow those of Shape if the two differ.
template <class Shape, class Inverse>
GPUFFT_DEVICE const complex* inverse_twiddles(const complex* twiddles)
{
    return Inverse::length == Shape::length
               ? twiddles
               : twiddles + Shape::template twiddles_before<Shape::axes>();
}

// Sums the bins that lie Left apart.
template <int Bins, int Left>
GPUFFT_DEVICE void fold_bins(complex* bins)
{
#pragma unroll
    for (int k = Left; k < Bins; ++k)
        bins[k % Left] = bins[k % Left] + bins[k];
}

// Transforms butterfly b of the last axis forward, multiplies, transforms it back. For
// bin 0 of the grid calls at_zero(bin), which may read the bin and change the product.
template <class Shape, class Inverse = Shape, class AtZero>
GPUFFT_DEVICE void
multiply_spectrum(complex* points, const complex* spectrum, int b, AtZero&& at_zero)
{
    constexpr int last = Shape::axes - 1;
    constexpr int radix = Shape::template radix<last>();
    constexpr int left = Inverse::template radix<last>();
    constexpr int butterflies = Shape::template butterflies<last>();
    butterfly<radix>(points);
    const complex zero = points[0];
#pragma unroll
    for (int k = 0; k < radix; ++k)
        points[k] = points[k] * load_constant(spectrum + k * butterflies + b);
    if (b == 0)
        points[0] = points[0] + at_zero(zero);
    fold_bins<radix, left>(points);
#pragma unroll
    for (int k = 0; k < left; ++k)
        points[k] = exchange_parts(points[k]);
    butterfly<left>(points);
}

// Everything between forward_axis<Shape, 0> and inverse_axis<Inverse, 0>; at the end the
// threads of the block have waited for each other.
template <class Shape, int P, class Inverse = Shape, class AtZero>
GPUFFT_DEVICE void convolve_inner_axes(complex* work,
                                       const complex* twiddles,
                                       const complex* spectrum,
                                       int worker,
                                       AtZero&& at_zero)
{
    constexpr int radix = Shape::template radix<P>();
    __syncthreads();
    for_each_butterfly<Shape, P>(worker, [&](int b) {
        complex points[radix];
        read_axis<Shape, P>(points, work, b);
        if constexpr (P + 1 == Shape::axes) {
            multiply_spectrum<Shape, Inverse>(points, spectrum, b, at_zero);
            write_axis<Inverse, P>(points, work, b);
        } else {
            forward_axis<Shape, P>(points, work, twiddles, b);
        }
    });
    if constexpr (P + 1 < Shape::axes) {
        convolve_inner_axes<Shape, P + 1, Inverse>(
            work, twiddles, spectrum, worker, at_zero);
        for_each_butterfly<Inverse, P>(worker, [&](int b) {
            complex points[radix];
            inverse_axis<Inverse, P>(
                points, work, inverse_twiddles<Shape, Inverse>(twiddles), b);
            write_axis<Inverse, P>(points, work, b);
        });
    }
    __syncthreads();
}

// Calls body(frame of the block, sample) for N samples of every frame of the block, in
// the order of global memory: sample after sample, or frame after frame.
template <class Shape, int N, bool FrameFastest = false, class Body>
GPUFFT_DEVICE void for_each_sample(Body&& body)
{
    constexpr int samples = N * Shape::frames;
#pragma unroll 8
    for (int round = 0;
         round < (samples + Shape::block_threads - 1) / Shape::block_threads;
         ++round) {
        const int e = round * Shape::block_threads + threadIdx.x;
        if (samples % Shape::block_threads == 0 || e < samples)
            FrameFastest ? body(e % Shape::frames, e / Shape::frames)
                         : body(e / N, e % N);
    }
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
