// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tiles of a level whose elements are needed in pairs. Element d of column c is number c
// + P d of L = P n; its partner L - (c + P d) is element n-1-d of column P-c (with
// is_between: L-1 - ... and P-1-c). So a tile holds columns and their partners, and a
// thread computes two butterflies together: element i of one is the partner of element
// radix-1-i of the other, so that pairs meet in registers.

#ifndef INCLUDED_GPUFFT_KERNELS_MIRRORED_TILES_CUH
#define INCLUDED_GPUFFT_KERNELS_MIRRORED_TILES_CUH

#include "stockham/stockham.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// A tile has Columns / 2 neighbours c, and their partners, out of P columns. With Shared
// = 1 the last neighbour is also the first of the next tile, and the first tile may begin
// `before` columns before 0.
template <class Shape, int P, bool IsBetween, int Shared = 0>
class mirrored_tile
{
public:
    static constexpr int half = Shape::columns / 2, own = half - Shared;
    static constexpr int tiles = (P / 2 + own - 1) / own + Shared; // tiles of a vector
    static_assert(P % 2 == 0 && Shape::n % 2 == 0 && Shape::columns % 2 == 0,
                  "pairs of columns and of elements");

    GPUFFT_DEVICE explicit mirrored_tile(int tile, int before = 0)
        : d_first(tile * own - before)
    {
    }

    // Whether this place of the tile has a column.
    GPUFFT_DEVICE bool has(int place) const
    {
        const int c = d_first + place % half;
        return Shared > 0 ? c >= 0 && c < P / 2 : P / 2 % half == 0 || c < P / 2;
    }

    // The c of the column in this place; if there is none, the c of another column.
    GPUFFT_DEVICE int column(int place) const
    {
        const int beside = d_first + place % half;
        const int c = has(place) ? beside : P / 2 - 1;
        if (place < half)
            return c;
        if (IsBetween)
            return P - 1 - c;
        return c == 0 ? P / 2 : P - c; // 0 is its own partner, as P/2 is
    }

    // Two butterflies of a pass, by their numbers in the tile. Element 0 of the first has
    // number `at`. is_own: each holds the partners of its own elements, see
    // own_element().
    struct butterflies {
        int first, second, at;
        bool is_active, is_own;
    };

    template <int Radix>
    static constexpr int count = Shape::n / Radix; // butterflies of a column

    template <int Radix>
    static constexpr int pairs = half* count<Radix>;

    // Pair e is butterfly q of the tile's column s; pairs of the shared column come last.
    template <int Radix>
    static GPUFFT_DEVICE int column_of_pair(int e)
    {
        return Shared > 0 && e >= own * count<Radix> ? own : e % own;
    }

    template <int Radix>
    static GPUFFT_DEVICE int butterfly_of_pair(int e)
    {
        constexpr int before = own * count<Radix>;
        return Shared > 0 && e >= before ? e - before : e / own;
    }

    // Pair e = 0 ... pairs - 1. The columns 0 and P/2 hold their own partners: butterfly
    // q is paired with count - q, or count - 1 - q. The two butterflies left are pair
    // own_pair().
    template <int Radix>
    GPUFFT_DEVICE butterflies pair(int e) const
    {
        constexpr int columns = Shape::columns, n = count<Radix>;
        const int s = column_of_pair<Radix>(e), q = butterfly_of_pair<Radix>(e);
        const int c = d_first + s;
        const bool is_active = pairs<Radix> % Shape::threads == 0 || e < pairs<Radix>;
        if (IsBetween || c != 0) {
            const int first = q * columns + s, second = (n - 1 - q) * columns + half + s;
            const int at = c + P * q, last = P - IsBetween - c + P * (n - 1 - q);
            // if rows of columns are short, half of the lanes that shared memory serves
            // together begin with the partner, in other banks
            constexpr int lanes = 128 / static_cast<int>(sizeof(complex));
            const bool is_turned =
                Shared == 0 && half < lanes && e / (lanes / 2) % 2 != 0;
            return { is_turned ? second : first,
                     is_turned ? first : second,
                     is_turned ? last : at,
                     is_active && has(s),
                     false };
        }
        if (q == 0)
            return { s, n / 2 * columns + n % 2 * half + s, 0, is_active, true };
        if (q < (n + 1) / 2)
            return { q * columns + s, (n - q) * columns + s, P * q, is_active, false };
        const int u = q - (n + 1) / 2;
        return { u * columns + half + s,
                 (n - 1 - u) * columns + half + s,
                 P / 2 + P * u,
                 is_active,
                 false };
    }

    // Whether this tile has a pair that is_own, and the number of that pair.
    GPUFFT_DEVICE bool has_own() const
    {
        return !IsBetween && (Shared > 0 ? d_first <= 0 && d_first > -own : d_first == 0);
    }
    GPUFFT_DEVICE int own_pair() const { return -d_first; }

    // The c of the tile's first column; negative if the tile begins before 0.
    GPUFFT_DEVICE int first() const { return d_first; }

    // Item i = 0 ... Radix of that pair: number `at`, which is element `low` of both
    // butterflies (from Radix on: of the second), and its partner `high`.
    struct own_elements {
        int at, low, high;
    };

    template <int Radix>
    static GPUFFT_DEVICE own_elements own_element(int i)
    {
        constexpr int step = count<Radix> * P; // from element to element
        constexpr int of_first = (Radix + 1) / 2;
        constexpr int second = count<Radix> * P / 2; // its element 0
        if (i == Radix) {                            // the middle of all, its own partner
            const int middle = Radix % 2 == 0 ? Radix / 2 : Radix + Radix / 2;
            return { P * Shape::n / 2, middle, middle };
        }
        if (i < of_first)
            return { i * step, i, i == 0 ? 0 : Radix - i };
        const int j = i - of_first;
        return { second + j * step, Radix + j, 2 * Radix - 1 - j };
    }

private:
    const int d_first;
};

// Called by all threads: calls item(i) for i = 0 ... Radix in the lanes of the first
// warp, which see each other's writes to shared memory.
template <class Shape, int Radix, class Item>
GPUFFT_DEVICE void for_own_items(Item&& item)
{
    constexpr int lanes = Shape::threads < 32 ? Shape::threads : 32;
    __syncwarp();
    if (threadIdx.x < lanes)
        for (int i = threadIdx.x; i <= Radix; i += lanes)
            item(i);
    __syncwarp();
}

// The first pass of a tile up to the exchange after it, by Pack::both_at() of every pair.
// Exchanged: for an inverse transform.
template <class Shape, class Tile, class Pack, bool Exchanged>
GPUFFT_DEVICE void pass_of_packed_pairs(const transform_arguments& arguments,
                                        unsigned long long vector,
                                        const Tile& tile,
                                        complex* shared)
{
    constexpr int radix = Shape::passes::template radix<0>();
    constexpr int pairs = Tile::template pairs<radix>;
    constexpr int rounds = (pairs + Shape::threads - 1) / Shape::threads;
    complex points[rounds][2][radix] = {};
    const auto point = [](complex z) { return Exchanged ? exchange_parts(z) : z; };
    const auto at = [&](const typename Tile::butterflies& two, int e) {
        return Shape::template exchanged_at<0>(e < radix ? two.first : two.second,
                                               e % radix);
    };
#pragma unroll
    for (int round = 0; round < rounds; ++round) {
        const auto two = tile.template pair<radix>(threadIdx.x + round * Shape::threads);
        if (!two.is_active || two.is_own)
            continue;
        const auto from = Pack::at(arguments, vector, two.at);
        static_for<0, radix>([&](auto i) {
            complex z, partner;
            Pack::template both_at<decltype(i)::value, radix>(
                arguments, from, z, partner);
            points[round][0][i] = point(z);
            points[round][1][radix - 1 - i] = point(partner);
        });
    }
    if (tile.has_own()) {
        const auto two = tile.template pair<radix>(tile.own_pair());
        for_own_items<Shape, radix>([&](int i) {
            const auto own = Tile::template own_element<radix>(i);
            complex z, partner;
            Pack::both(arguments, vector, own.at, z, partner);
            shared[at(two, own.high)] = point(partner);
            shared[at(two, own.low)] = point(z); // may be its own partner
        });
        if (int(threadIdx.x) == tile.own_pair())
#pragma unroll
            for (int i = 0; i < 2 * radix; ++i)
                points[0][i / radix][i % radix] = shared[at(two, i)];
    }
#pragma unroll
    for (int round = 0; round < rounds; ++round) {
        const auto two = tile.template pair<radix>(threadIdx.x + round * Shape::threads);
#pragma unroll
        for (int b = 0; b < 2; ++b) {
            butterfly<radix>(points[round][b]);
            if (two.is_active || two.is_own)
#pragma unroll
                for (int k = 0; k < radix; ++k)
                    shared[Shape::template exchanged_at<0>(
                        b == 0 ? two.first : two.second, k)] = points[round][b][k];
        }
    }
}

// The two butterflies of a pair in the last pass, from shared memory.
template <class Shape, class Two, int Radix>
GPUFFT_DEVICE void butterflies_of_pair(const complex* shared,
                                       const complex* twiddles,
                                       const Two& two,
                                       complex (&points)[2][Radix])
{
    constexpr int last = Shape::pass_count - 1;
#pragma unroll
    for (int b = 0; b < 2; ++b) {
        const int j = b == 0 ? two.first : two.second;
        twiddle_sequence<Shape, last> roots;
#pragma unroll
        for (int k = 0; k < Radix; ++k) {
            points[b][k] = shared[Shape::template taken_at<last>(j, k)];
            if (k > 0)
                points[b][k] = points[b][k] * roots.next(twiddles, k, j);
        }
        butterfly<Radix>(points[b]);
    }
}

// Stores the rows from the pair that is_own, whose results thread own_pair() has.
template <class Shape, class Tile, class Pair, bool Exchanged, int Radix>
GPUFFT_DEVICE void store_own_pair(const transform_arguments& arguments,
                                  unsigned long long vector,
                                  const Tile& tile,
                                  complex* shared,
                                  const complex (&points)[2][Radix])
{
    constexpr int last = Shape::pass_count - 1;
    const auto two = tile.template pair<Radix>(tile.own_pair());
    const auto place = [&](int i) -> complex& { // no other thread reads this place
        return shared[Shape::template taken_at<last>(i < Radix ? two.first : two.second,
                                                     i % Radix)];
    };
    if (int(threadIdx.x) == tile.own_pair())
#pragma unroll
        for (int i = 0; i < 2 * Radix; ++i) {
            const complex z = points[i / Radix][i % Radix];
            place(i) = Exchanged ? exchange_parts(z) : z;
        }
    for_own_items<Shape, Radix>([&](int i) {
        const auto own = Tile::template own_element<Radix>(i);
        Pair::run(arguments, vector, own.at, place(own.low), place(own.high));
    });
}

// The last pass of a tile, two butterflies at a time, by Pair::run_at() of every pair of
// results. Exchanged: for an inverse transform.
template <class Shape, class Tile, class Pair, bool Exchanged>
GPUFFT_DEVICE void last_pass_of_pairs(const transform_arguments& arguments,
                                      unsigned long long vector,
                                      const Tile& tile,
                                      complex* shared)
{
    constexpr int radix = Shape::passes::template radix<Shape::pass_count - 1>();
    constexpr int pairs = Tile::template pairs<radix>;
    const auto result = [](complex z) { return Exchanged ? exchange_parts(z) : z; };
#pragma unroll
    for (int round = 0; round * Shape::threads < pairs; ++round) {
        const int e = threadIdx.x + round * Shape::threads;
        const auto two = tile.template pair<radix>(e);
        complex points[2][radix] = {};
        if (pairs % Shape::threads == 0 || e < pairs)
            butterflies_of_pair<Shape>(shared, arguments.twiddles, two, points);
        if (two.is_active && !two.is_own) {
            const auto to = Pair::at(arguments, vector, two.at);
            static_for<0, radix>([&](auto i) {
                Pair::template run_at<decltype(i)::value, radix>(
                    arguments,
                    to,
                    result(points[0][i]),
                    result(points[1][radix - 1 - i]));
            });
        }
        if (round == 0 && tile.has_own())
            store_own_pair<Shape, Tile, Pair, Exchanged>(
                arguments, vector, tile, shared, points);
    }
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
