// SPDX-License-Identifier: GPL-3.0-or-later
//
// The FFT in global memory, a launch for each radix-R pass in Stockham's order
// (Govindaraju et al., SC'08, section IV.A; Bainville, "OpenCL Fast Fourier Transform",
// 2010): no shared memory, no barrier, every pass reads and writes all points.
//
// Pass of radix R and span S, the product of the radices before it, N / R butterflies j:
//     input k of butterfly j   element j + k N / R,
//                              times exp(-2 pi i (j mod S) k / (S R))
//     output k of butterfly j  element floor(j / S) S R + (j mod S) + k S

#ifndef INCLUDED_GPUFFT_KERNELS_LADDER_CUH
#define INCLUDED_GPUFFT_KERNELS_LADDER_CUH

#include "butterfly.cuh"
#include "load.cuh"
#include "store.cuh"
#include "textbook/ladder_twiddles.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// Points between two passes: [frame][point], N per frame.
struct load_pass {
    template <int N>
    static GPUFFT_DEVICE complex get(const transform_arguments& arguments,
                                     unsigned long long frame,
                                     int m)
    {
        return static_cast<const complex*>(arguments.input)[frame * N + m];
    }
};

struct store_pass {
    template <int N>
    static GPUFFT_DEVICE void put(const transform_arguments& arguments,
                                  unsigned long long frame,
                                  int k,
                                  complex value)
    {
        static_cast<complex*>(arguments.output)[frame * N + k] = value;
    }
};

// Computes  one pass of every frame: what Load gives, times the twiddles, through
//           butterfly<Radix>, to Store.
// Layout    a thread computes one butterfly. Frames with fewer butterflies than the block
//           has threads share a block, which has whole frames only.
// Launch    grid = ceil(frames / floor(Threads R / N)) if N / R < Threads, else frames *
//           ceil(N / (R Threads)); block = Threads, no shared memory.
// Requires  Span Radix divides N <= 2^30; input and output do not overlap.
template <int N,
          int Radix,
          int Span,
          int Threads,
          class Twiddles,
          class Load,
          class Store>
GPUFFT_KERNEL(Threads, 1)
ladder_kernel(transform_arguments arguments)
{
    begin_kernel();
    constexpr int butterflies = N / Radix;
    constexpr int frames_per_block = butterflies < Threads ? Threads / butterflies : 1;
    constexpr unsigned blocks_per_frame = (butterflies + Threads - 1) / Threads;
    const int place = blockIdx.x % blocks_per_frame * Threads + threadIdx.x;
    const int slot = place / butterflies, j = place % butterflies;
    const unsigned long long frame =
        blockIdx.x / blocks_per_frame * (unsigned long long)frames_per_block + slot;
    if (slot >= frames_per_block || frame >= arguments.frames)
        return;

    complex points[Radix];
#pragma unroll
    for (int k = 0; k < Radix; ++k)
        points[k] = Load::template get<N>(arguments, frame, j + k * butterflies);
    if constexpr (Span > 1)
        Twiddles::template multiply<Radix, Span, N>(arguments, points, j % Span);
    butterfly<Radix>(points);
    const int first = j / Span * (Span * Radix) + j % Span;
#pragma unroll
    for (int k = 0; k < Radix; ++k)
        Store::template put<N>(arguments, frame, first + k * Span, points[k]);
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
