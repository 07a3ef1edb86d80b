// SPDX-License-Identifier: GPL-3.0-or-later
//
// How points pass through shared memory: padding against bank conflicts, the smallest
// barrier that suffices, and staged reads and writes of whole frames.

#ifndef INCLUDED_GPUFFT_KERNELS_SHARED_EXCHANGE_CUH
#define INCLUDED_GPUFFT_KERNELS_SHARED_EXCHANGE_CUH

#include "read_polyphase.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// Element i lies at i + floor(i / Every) By. The planner chooses Every and By so that the
// accesses of a half warp fall into different banks (lib/planner/exchange.h).
template <int Every, int By>
struct padding {
    static GPUFFT_DEVICE int at(int i)
    {
        if constexpr (Every == 0)
            return i;
        else
            return i + i / Every * By;
    }

    // Input k of butterfly j: element j + k Count, with one division if that suffices.
    template <int Count>
    static GPUFFT_DEVICE int of_input(int j, int k)
    {
        if constexpr (Every != 0 && Count % Every == 0)
            return at(j) + k * (Count + Count / Every * By);
        else
            return at(j + k * Count);
    }

    // Element row Row + offset + k Span, where offset + k Span < Row.
    template <int Span, int Row>
    static GPUFFT_DEVICE int of_row(int row, int offset, int k)
    {
        const int first = row * Row + offset;
        if constexpr (Every != 0 && Every % Row == 0)
            return first + row / (Every / Row) * By + k * Span;
        else if constexpr (Every != 0 && Span % Every == 0)
            return at(first) + k * (Span + Span / Every * By);
        else
            return at(first + k * Span);
    }

    // Output k of butterfly j: element floor(j / Span) Row + j mod Span + k Span, where a
    // row is Span * radix elements.
    template <int Span, int Row>
    static GPUFFT_DEVICE int of_output(int j, int k)
    {
        return of_row<Span, Row>(j / Span, j % Span, k);
    }
};

// How points get from global memory to a transform's registers and back.
struct direct {
    static constexpr bool is_staged = false;
    static constexpr bool is_by_rows = false;
};

struct by_rows {
    static constexpr bool is_staged = false;
    static constexpr bool is_by_rows = true;
};

template <int Every, int By>
struct staged {
    static constexpr bool is_staged = true;
    static constexpr bool is_by_rows = false;
    typedef padding<Every, By> pad;
};

// Waits for the threads of a transform; only for the warp, if they all lie in one warp.
template <class Shape>
GPUFFT_DEVICE void synchronize()
{
    if constexpr (32 % Shape::threads == 0 && Shape::block_threads % 32 == 0)
        __syncwarp();
    else
        __syncthreads();
}

// Calls body(slot, item) for Items items of each frame that one synchronize() covers, the
// frames of a warp or of the block; neighbouring items in neighbouring lanes.
template <class Shape, int Items, class Body>
GPUFFT_DEVICE void
for_each_item(unsigned long long first, unsigned long long frames, Body&& body)
{
    constexpr bool by_warp = 32 % Shape::threads == 0 && Shape::block_threads % 32 == 0;
    constexpr int team = by_warp ? 32 : Shape::block_threads;
    constexpr int all = team / Shape::threads * Items;
    const int slot = threadIdx.x / team * (team / Shape::threads);
#pragma unroll
    for (int round = 0; round < (all + team - 1) / team; ++round) {
        const int e = round * team + threadIdx.x % team;
        const int own = slot + e / Items;
        if ((all % team == 0 || e < all) && first + own < frames)
            body(own, e % Items);
    }
}

// Calls body(slot, m, shared element) for each element of the same frames, in the order
// of global memory, so that frames are read and written in one run.
template <class Shape, class Pad, class Body>
GPUFFT_DEVICE void for_each_element(unsigned long long first,
                                    unsigned long long frames,
                                    complex* block_shared,
                                    Body&& body)
{
    for_each_item<Shape, Shape::n>(first, frames, [&](int own, int m) {
        body(own, m, block_shared[own * Shape::stride + Pad::at(m)]);
    });
}

template <class Shape, class Load>
GPUFFT_DEVICE void read_frames(const transform_arguments& arguments,
                               unsigned long long first,
                               complex* block_shared)
{
    typedef typename Shape::load_end::pad pad;
    if constexpr (shares_samples<Load, Shape::transforms>) {
        read_bank<Shape::n, Shape::transforms, Shape::block_threads, Load>(
            arguments, first, threadIdx.x, [&](int slot, int m, complex point) {
                block_shared[slot * Shape::stride + pad::at(m)] = point;
            });
        __syncthreads(); // a thread writes to the frames of all warps
    } else
        for_each_element<Shape, pad>(first,
                                     arguments.frames,
                                     block_shared,
                                     [&](int slot, int m, complex& element) {
                                         element = Load::template get<Shape::n>(
                                             arguments, first + slot, m);
                                     });
}

template <class Shape, class Store>
GPUFFT_DEVICE void write_frames(const transform_arguments& arguments,
                                unsigned long long first,
                                complex* block_shared)
{
    for_each_element<Shape, typename Shape::store_end::pad>(
        first, arguments.frames, block_shared, [&](int slot, int k, complex& element) {
            Store::template put<Shape::n>(arguments, first + slot, k, element);
        });
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
