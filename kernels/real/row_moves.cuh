// SPDX-License-Identifier: GPL-3.0-or-later
//
// Moves the rows of a block between global and shared memory. All threads move them
// together: a row's items lie side by side, and so do the threads' accesses.

#ifndef INCLUDED_GPUFFT_KERNELS_ROW_MOVES_CUH
#define INCLUDED_GPUFFT_KERNELS_ROW_MOVES_CUH

#include "real/real_rows.cuh"
#include "stockham/stockham_shape.cuh"
#include "tile_moves.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// A team: the threads of a block that wait for each other, or of a warp if it has whole
// transforms (see synchronize()); with its number of transforms, and a thread's place.
template <class Shape>
struct team_of {
    static constexpr bool by_warp =
        32 % Shape::threads == 0 && Shape::block_threads % 32 == 0;
    static constexpr int threads = by_warp ? 32 : Shape::block_threads;
    static constexpr int rows = threads / Shape::threads;

    static GPUFFT_DEVICE int number() { return threadIdx.x / threads; }
    static GPUFFT_DEVICE int lane() { return threadIdx.x % threads; }
};

// Calls body(row, i) for the Items items of all rows of a team, neighbours in
// neighbouring lanes.
template <class Team, int Items, class Body>
GPUFFT_DEVICE void for_each_row_item(Body&& body)
{
    constexpr int team = Team::threads, all = Team::rows * Items;
    const int lane = Team::lane();
#pragma unroll
    for (int round = 0; round < (all + team - 1) / team; ++round) {
        const int e = round * team + lane;
        if constexpr (Team::rows == 1) {
            if (all % team == 0 || e < all)
                body(0, e);
        } else if constexpr (team % Items == 0) {
            body(lane / Items + round * (team / Items), lane % Items);
        } else if constexpr (Items % team == 0) {
            body(round / (Items / team), lane + round % (Items / team) * team);
        } else if (all % team == 0 || e < all) {
            body(e / Items, e % Items);
        }
    }
}

// Moves a team's rows of Items items, at most `left` rows, between global memory, where
// they begin `distance` items apart, and shared memory, where they begin Stride items
// apart. Moves 16 bytes at a time if alignment allows it.
template <class Team, class Item, int Items, int Stride, bool Reads>
GPUFFT_DEVICE void
move_rows(Item* rows, unsigned long long distance, Item* area, long long left)
{
    constexpr int together = 16 / static_cast<int>(sizeof(Item));
    const auto move = [&](auto* outside, auto* inside) {
        if constexpr (Reads)
            *inside = *outside;
        else
            *outside = *inside;
    };
    const bool is_whole = left >= Team::rows;
    if constexpr (Items % together == 0 && Stride % together == 0) {
        if (is_whole && is_aligned(rows, distance * sizeof(Item), 16)) {
            auto* const outside = reinterpret_cast<moved_together*>(rows);
            auto* const inside = reinterpret_cast<moved_together*>(area);
            if (distance == Items)
                for_each_row_item<Team, Items / together>([&](int row, int i) {
                    move(outside + row * (Items / together) + i,
                         inside + row * (Stride / together) + i);
                });
            else
                for_each_row_item<Team, Items / together>([&](int row, int i) {
                    move(outside + row * (distance / together) + i,
                         inside + row * (Stride / together) + i);
                });
            return;
        }
    } else if (is_whole && distance == Items) {
        for_each_row_item<Team, Items>([&](int row, int i) {
            move(rows + row * Items + i, area + row * Stride + i);
        });
        return;
    }
#pragma unroll 1
    for (int row = 0; row < Team::rows && row < left; ++row)
#pragma unroll 1
        for (int i = Team::lane(); i < Items; i += Team::threads)
            move(rows + row * distance + i, area + row * Stride + i);
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
