// SPDX-License-Identifier: GPL-3.0-or-later
//
// The textbook FFT on the GPU, for comparison (Tsai, "Fast Fourier Transform on CPU and
// GPU", 2025): radix 2 in place in shared memory after a bit reversal, one block per
// vector.

#ifndef INCLUDED_GPUFFT_KERNELS_COOLEY_TUKEY_CUH
#define INCLUDED_GPUFFT_KERNELS_COOLEY_TUKEY_CUH

#include "load.cuh"
#include "store.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// The lowest Bits bits of i in reverse order.
template <int Bits>
GPUFFT_DEVICE int reversed_bits(int i)
{
    int reversed = 0;
#pragma unroll
    for (int bit = 0; bit < Bits; ++bit)
        reversed |= (i >> bit & 1) << (Bits - 1 - bit);
    return reversed;
}

// Computes  for every frame f: Store(sum_m Load(f, m) exp(-2 pi j m k / N)), N = 2^Bits.
// Layout    block f takes frame f; a thread takes butterflies lane, lane + Threads, ...
// Launch    grid = frames, block = Threads, shared = N * sizeof(complex).
// Requires  twiddles are exp(-2 pi j e / N), e = 0 ... N/2 - 1; Bits >= 1.
template <int Bits, int Threads, class Load, class Store>
GPUFFT_KERNEL(Threads, 1)
cooley_tukey_kernel(transform_arguments arguments)
{
    begin_kernel();
    constexpr int n = 1 << Bits;
    const unsigned long long frame = blockIdx.x;
    const int lane = threadIdx.x;
    complex* points = shared_memory<complex>();

    for (int i = lane; i < n; i += Threads)
        points[reversed_bits<Bits>(i)] = Load::template get<n>(arguments, frame, i);
#pragma unroll
    for (int pass = 0; pass < Bits; ++pass) {
        __syncthreads();
        const int span = 1 << pass;
        for (int i = lane; i < n / 2; i += Threads) {
            const int j = i & (span - 1), first = 2 * i - j;
            const complex root =
                load_constant(arguments.twiddles + (j << (Bits - 1 - pass)));
            const complex even = points[first], odd = points[first + span] * root;
            points[first] = even + odd;
            points[first + span] = even - odd;
        }
    }
    __syncthreads();
    for (int i = lane; i < n; i += Threads)
        Store::template put<n>(arguments, frame, i, points[i]);
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
