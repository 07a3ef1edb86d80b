// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs of memory between global and shared memory, moved by all threads of a block: 16
// bytes a thread, side by side, whatever lies in them. A run lies in shared memory as far
// from a multiple of 16 bytes as in global memory, so both sides can be moved that way.

#ifndef INCLUDED_GPUFFT_KERNELS_TILE_MOVES_CUH
#define INCLUDED_GPUFFT_KERNELS_TILE_MOVES_CUH

#include "bulk_copy.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// 16 bytes, moved at once.
struct alignas(16) moved_together {
    unsigned long long x[2];
};

// Reads `count` vectors of 16 bytes, at most Most; vector i goes to at(i). A thread
// starts up to eight loads before it waits for the first.
template <int Most, int Threads, class At>
GPUFFT_DEVICE void read_vectors(void* to, const void* from, int count, At&& at)
{
    constexpr int rounds = (Most + Threads - 1) / Threads, together = 8;
    auto* const inside = static_cast<moved_together*>(to);
    const auto* const outside = static_cast<const moved_together*>(from);
#pragma unroll
    for (int first = 0; first < rounds; first += together) {
        moved_together moved[together];
#pragma unroll
        for (int t = 0; t < together && first + t < rounds; ++t)
            if (const int i = threadIdx.x + (first + t) * Threads; i < count)
                moved[t] = outside[i];
#pragma unroll
        for (int t = 0; t < together && first + t < rounds; ++t)
            if (const int i = threadIdx.x + (first + t) * Threads; i < count)
                inside[at(i)] = moved[t];
    }
}

// Stores `count` vectors, at most Most; vector i comes from at(i).
template <int Most, int Threads, class At>
GPUFFT_DEVICE void store_vectors(void* to, const void* from, int count, At&& at)
{
    constexpr int rounds = (Most + Threads - 1) / Threads;
    auto* const outside = static_cast<moved_together*>(to);
    const auto* const inside = static_cast<const moved_together*>(from);
#pragma unroll
    for (int round = 0; round < rounds; ++round)
        if (const int i = threadIdx.x + round * Threads; i < count)
            outside[i] = inside[at(i)];
}

// Stores a run of `count` items, at most Most: vectors, and items at both ends.
template <int Most, int Threads, class Item>
GPUFFT_DEVICE void store_run(Item* to, const Item* from, int count)
{
    constexpr int together = 16 / static_cast<int>(sizeof(Item));
    const int beyond = bytes_beyond_16(to) / static_cast<int>(sizeof(Item));
    const int before = beyond == 0 ? 0 : together - beyond;
    const int vectors = count > before ? (count - before) / together : 0;
    store_vectors<Most / together, Threads>(
        to + before, from + before, vectors, [](int i) { return i; });
    for (int e = threadIdx.x; e < count - vectors * together; e += Threads) {
        const int i = e < before ? e : e + vectors * together;
        to[i] = from[i];
    }
}

// Reads a run of `count` items, at most Most, to `to`, which begins as far from a
// multiple of 16 bytes as the run.
template <int Most, int Threads, class Item>
GPUFFT_DEVICE void read_run(Item* to, const Item* from, int count)
{
    constexpr int together = 16 / static_cast<int>(sizeof(Item));
    const int beyond = bytes_beyond_16(from) / static_cast<int>(sizeof(Item));
    const int before = beyond == 0 ? 0 : together - beyond;
    const int vectors = count > before ? (count - before) / together : 0;
    for (int e = threadIdx.x; e < count - vectors * together; e += Threads) {
        const int i = e < before ? e : e + vectors * together;
        to[i] = from[i];
    }
    read_vectors<Most / together, Threads>(
        to + before, from + before, vectors, [](int i) { return i; });
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
