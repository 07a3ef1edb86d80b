// SPDX-License-Identifier: GPL-3.0-or-later
//
// The early passes of the FFT in global memory with an exchange in shared memory
// (Govindaraju et al., SC'08, section IV.A): a butterfly's outputs lie Span points apart,
// too near for a warp to write whole sectors, so a block gathers the outputs of its
// butterflies, which follow each other in memory, and writes them in order. No pass reads
// what another block wrote in the same launch.

#ifndef INCLUDED_GPUFFT_KERNELS_LADDER_EXCHANGE_CUH
#define INCLUDED_GPUFFT_KERNELS_LADDER_EXCHANGE_CUH

#include "textbook/ladder.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// Where point i of a block lies in shared memory: a gap after every 16 points keeps
// butterflies of 16 and 32 points apart from bank conflicts.
GPUFFT_DEVICE int exchange_place(int i) { return i + i / 16; }

// Computes  the same pass as ladder_kernel.
// Layout    a thread computes one butterfly; the block's butterflies j follow each other,
// and so
//           do their outputs, which thread t stores from place t, t + Threads, ...
// Launch    grid = frames * N / (R Threads); block = Threads,
//           shared = (R Threads + R Threads / 16) * sizeof(complex).
// Requires  Span divides Threads, which divides N / R; 16 divides R Threads; input and
// output do
//           not overlap.
template <int N,
          int Radix,
          int Span,
          int Threads,
          class Twiddles,
          class Load,
          class Store>
GPUFFT_KERNEL(Threads, 1)
ladder_exchange_kernel(transform_arguments arguments)
{
    begin_kernel();
    constexpr int butterflies = N / Radix;
    constexpr unsigned blocks_per_frame = butterflies / Threads;
    const unsigned long long frame = blockIdx.x / blocks_per_frame;
    const int first = blockIdx.x % blocks_per_frame * Threads;
    const int lane = threadIdx.x, j = first + lane;
    complex* exchange = shared_memory<complex>();

    complex points[Radix];
#pragma unroll
    for (int k = 0; k < Radix; ++k)
        points[k] = Load::template get<N>(arguments, frame, j + k * butterflies);
    if constexpr (Span > 1)
        Twiddles::template multiply<Radix, Span, N>(arguments, points, j % Span);
    butterfly<Radix>(points);
    const int place = lane / Span * (Span * Radix) + lane % Span;
#pragma unroll
    for (int k = 0; k < Radix; ++k)
        exchange[exchange_place(place + k * Span)] = points[k];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < Radix; ++k)
        Store::template put<N>(arguments,
                               frame,
                               first * Radix + lane + k * Threads,
                               exchange[exchange_place(lane + k * Threads)]);
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
