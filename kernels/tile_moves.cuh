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
// starts up to 16 loads before it waits for the first.
template <int Most, int Threads, class At>
GPUFFT_DEVICE void read_vectors(void* to, const void* from, int count, At&& at)
{
    constexpr int rounds = (Most + Threads - 1) / Threads, together = rounds < 1 ? 1
                                                                      : rounds < 16
                                                                          ? rounds
                                                                          : 16;
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

// The multiple of 16 bytes before an address, or after it.
template <class Item>
GPUFFT_DEVICE Item* round_down_16(Item* address)
{
    return reinterpret_cast<Item*>(reinterpret_cast<unsigned long long>(address) &
                                   ~15ull);
}

template <class Item>
GPUFFT_DEVICE Item* round_up_16(Item* address)
{
    return reinterpret_cast<Item*>((reinterpret_cast<unsigned long long>(address) + 15) &
                                   ~15ull);
}

// Where a run lies in `area`, which begins at a multiple of 16 bytes: as far from one as
// in global memory.
template <class Item>
GPUFFT_DEVICE Item* beside(const Item* outside, void* area)
{
    return static_cast<Item*>(area) +
           bytes_beyond_16(outside) / static_cast<int>(sizeof(Item));
}

// The vectors of a run, and the items at both ends that do not fill one.
template <class Item>
struct run_parts {
    static constexpr int together = 16 / static_cast<int>(sizeof(Item));
    int before, vectors;

    GPUFFT_DEVICE run_parts(const Item* outside, int count)
        : before(-bytes_beyond_16(outside) / static_cast<int>(sizeof(Item)) &
                 (together - 1)),
          vectors(count > before ? (count - before) / together : 0)
    {
    }

    template <int Threads, class Body>
    GPUFFT_DEVICE void for_each_end(int count, Body&& body) const
    {
        for (int e = threadIdx.x; e < count - vectors * together; e += Threads)
            body(e < before ? e : e + vectors * together);
    }
};

// The first vector of such a run in its area.
template <class Item>
GPUFFT_DEVICE Item* first_vector(const Item* outside, void* area)
{
    return static_cast<Item*>(area) +
           (bytes_beyond_16(outside) + 15) / 16 * run_parts<Item>::together;
}

// Stores a run of `count` items, at most Most, which lies beside(to, area).
template <int Most, int Threads, class Item>
GPUFFT_DEVICE void store_run(Item* to, void* area, int count)
{
    const run_parts<Item> parts(to, count);
    const Item* const from = beside(to, area);
    parts.template for_each_end<Threads>(count, [&](int i) { to[i] = from[i]; });
    store_vectors<Most / parts.together, Threads>(
        round_up_16(to), first_vector(to, area), parts.vectors, [](int i) { return i; });
}

// Reads a run of `count` items, at most Most, to beside(from, area).
template <int Most, int Threads, class Item>
GPUFFT_DEVICE void read_run(void* area, const Item* from, int count)
{
    const run_parts<Item> parts(from, count);
    Item* const to = beside(from, area);
    parts.template for_each_end<Threads>(count, [&](int i) { to[i] = from[i]; });
    read_vectors<Most / parts.together, Threads>(first_vector(from, area),
                                                 round_up_16(from),
                                                 parts.vectors,
                                                 [](int i) { return i; });
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
