// SPDX-License-Identifier: GPL-3.0-or-later
//
// The last level of real transforms that store runs of neighbours upward and downward. No
// tile can begin on a sector in both directions, and a sector that two blocks store in
// parts costs four times its bytes. So tiles share a column: each run of `own` neighbours
// begins on a sector, with the tile's first column in one direction, and with its second
// in the other. There the shared column's value goes through shared memory to the lane
// that would have stored the first column's value.

#ifndef INCLUDED_GPUFFT_KERNELS_SECTOR_TILES_CUH
#define INCLUDED_GPUFFT_KERNELS_SECTOR_TILES_CUH

#include "real/mirrored_tiles.cuh"
#include "real/real_split.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// The last pass of a tile that shares a column; `spare` has room for a column.
template <class Shape, class Tile, class Pair>
GPUFFT_DEVICE void last_pass_in_sectors(const transform_arguments& arguments,
                                        unsigned long long vector,
                                        const Tile& tile,
                                        bool up_is_later,
                                        complex* shared,
                                        complex* spare)
{
    constexpr int radix = Shape::passes::template radix<Shape::pass_count - 1>();
    constexpr int count = Tile::template count<radix>, product = Pair::points / Shape::n;
    static_assert(Tile::template pairs<radix> == Shape::threads, "a pair for a thread");
    const auto two = tile.template pair<radix>(threadIdx.x);
    const int s = Tile::template column_of_pair<radix>(threadIdx.x);
    const int q = Tile::template butterfly_of_pair<radix>(threadIdx.x);
    complex points[2][radix];
    butterflies_of_pair<Shape>(shared, arguments.twiddles, two, points);
    if (tile.has_own())
        store_own_pair<Shape, Tile, Pair, false>(arguments, vector, tile, shared, points);
    const auto to = Pair::at(arguments, vector, two.at);
    static_for<0, radix>([&](auto i) {
        complex &up = points[0][i], &down = points[1][radix - 1 - i];
        const both_ways x =
            Pair::template values<decltype(i)::value, radix>(to, up, down);
        up = x.up;
        down = x.down;
        if (s == Tile::own)
            spare[q + i * count] = up_is_later ? up : down;
    });
    __syncthreads();

    const bool has_shared = tile.has(Tile::own);
    const auto beyond =
        Pair::at(arguments, vector, tile.first() + Tile::own + product * q);
    const bool is_zero = tile.first() + s == 0; // other code stores column 0's pairs
    const bool replaces = s == 0 && !is_zero;
    const bool stores = two.is_active && !two.is_own && s < Tile::own;
    const bool takes_up = replaces && up_is_later, takes_down = replaces && !up_is_later;
    const bool stores_up = takes_up ? has_shared : stores;
    const bool stores_down = takes_down ? has_shared : stores;
    const auto up = takes_up ? beyond : to, down = takes_down ? beyond : to;
    static_for<0, radix>([&](auto i) {
        constexpr int at = decltype(i)::value;
        complex x = points[0][at], y = points[1][radix - 1 - at];
        if (takes_up)
            x = spare[q + at * count];
        if (takes_down)
            y = spare[q + at * count];
        if (stores_up)
            Pair::template put_up<at, radix>(arguments, up, x);
        if (stores_down)
            Pair::template put_down<at, radix>(arguments, down, y);
    });
    if (s == 0 && is_zero && has_shared)
        static_for<0, radix>([&](auto i) {
            constexpr int at = decltype(i)::value;
            const complex taken = spare[q + at * count];
            if (up_is_later)
                Pair::template put_up<at, radix>(arguments, beyond, taken);
            else
                Pair::template put_down<at, radix>(arguments, beyond, taken);
        });
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
