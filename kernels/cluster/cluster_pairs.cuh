// SPDX-License-Identifier: GPL-3.0-or-later
//
// The rows (or columns) of a block of a cluster: neighbours, or neighbours and their
// partners if a load or store step works by pairs of points. Point i = c + R d of L = R M
// has its partner L - i in row R - c (rows 0 and R/2 contain their own partners); with
// is_between the partner is L - 1 - i in row R - 1 - c. Both lie at M - 1 - d along the
// row (in row 0 at M - d).

#ifndef INCLUDED_GPUFFT_KERNELS_CLUSTER_PAIRS_CUH
#define INCLUDED_GPUFFT_KERNELS_CLUSTER_PAIRS_CUH

#include "stockham/stockham.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// Whether a load or store step works by pairs; such a step defines is_between.
template <class End, class = void>
constexpr bool works_by_pairs = false;

template <class End>
constexpr bool works_by_pairs<End, decltype(static_cast<void>(End::is_between))> = true;

// All rows, Width in each of Blocks: slot s of block `rank` is row rank Width + s.
template <int All, int Width, int Blocks>
struct neighbour_rows {
    // Number of the block's rows, in slots 0 ... own - 1; the last blocks may have fewer.
    static GPUFFT_DEVICE int own(int rank)
    {
        if constexpr (Width * Blocks == All)
            return Width;
        const int left = All - rank * Width;
        return left < 0 ? 0 : left < Width ? left : Width;
    }
    static GPUFFT_DEVICE bool has(int rank, int slot) { return slot < own(rank); }
    static GPUFFT_DEVICE int row(int rank, int slot) { return rank * Width + slot; }

    // Block and slot of row q + k Step, k < Count, with one division for all k: adding k
    // Step carries nothing into q's digits.
    template <int Step, int Count>
    static GPUFFT_DEVICE void place(int q, int k, int& rank, int& slot)
    {
        if constexpr (Step % Width == 0) {
            rank = q / Width + k * (Step / Width);
            slot = q % Width;
        } else if constexpr (Width % (Step * Count) == 0) {
            rank = q / Width;
            slot = q % Width + k * Step;
        } else if constexpr (Width % Step == 0 && Step * Count == All) { // q < Step
            rank = k / (Width / Step);
            slot = q + k % (Width / Step) * Step;
        } else {
            rank = (q + k * Step) / Width;
            slot = (q + k * Step) % Width;
        }
    }
};

// Half of a block's rows are neighbours from the first half of all rows, the others are
// their partners; row All / 2 goes with row 0.
template <int All, int Width, int Blocks, bool Between>
struct partner_rows {
    static_assert(All % 2 == 0 && Width % 2 == 0, "every row has a partner");
    static constexpr int pairs = All / 2, half = Width / 2;
    typedef neighbour_rows<pairs, half, Blocks> lower;

    static GPUFFT_DEVICE int own(int rank) { return 2 * lower::own(rank); }
    static GPUFFT_DEVICE bool has(int rank, int slot)
    {
        return lower::has(rank, slot % half);
    }
    static GPUFFT_DEVICE int row(int rank, int slot)
    {
        if (slot < half)
            return rank * half + slot;
        const int c = rank * half + slot - half;
        return Between ? All - 1 - c : c == 0 ? pairs : All - c;
    }

    template <int Step, int Count>
    static GPUFFT_DEVICE void place(int q, int k, int& rank, int& slot)
    {
        static_assert(Step * Count == All, "q is less than a step");
        const int c = q + k * Step;
        const bool is_upper = pairs % Step == 0 ? k >= pairs / Step : c >= pairs;
        if (!is_upper) {
            lower::template place<Step, (Count + 1) / 2>(q, k, rank, slot);
            return;
        }
        unsigned partner = Between ? All - 1 - c : All - c;
        if (partner == pairs) // row All / 2
            partner = 0;
        rank = partner / half;
        slot = half + partner % half;
    }
};

// The rows of a tile whose end (load or store) works by pairs, or not.
template <class End, int All, int Width, int Blocks, bool ByPairs = works_by_pairs<End>>
struct rows_of {
    typedef neighbour_rows<All, Width, Blocks> type;
};

template <class End, int All, int Width, int Blocks>
struct rows_of<End, All, Width, Blocks, true> {
    typedef partner_rows<All, Width, Blocks, End::is_between> type;
};

// The points of pass P of a tile by pairs: inputs of the first pass or outputs of the
// last. A thread takes the first half of each butterfly, k < radix / 2; the other halves
// are exchanged through shared memory.
template <class Tile, int P, bool Between>
class tile_pairs
{
public:
    static constexpr int radix = Tile::passes::template radix<P>();
    static_assert(radix % 2 == 0, "a butterfly has two halves");
    static constexpr int exchanged = Tile::elements / 2; // elements of shared memory

    GPUFFT_DEVICE explicit tile_pairs(int rank) : d_rank(rank) {}

    // The place where point k >= radix / 2 of butterfly j is exchanged.
    static GPUFFT_DEVICE int upper(int j, int k)
    {
        return j + (k - radix / 2) * (count * width);
    }

    // Whether the point is its own partner: point 0.
    GPUFFT_DEVICE bool is_alone(int j, int k) const
    {
        return !Between && k == 0 && j == 0 && d_rank == 0;
    }

    // The place where the partner of point k < radix / 2 of butterfly j is exchanged.
    GPUFFT_DEVICE int partner(int j, int k) const
    {
        const int slot = j % width, d = j / width;
        constexpr int half = width / 2;
        if (Between || d_rank > 0 || slot % half != 0) {
            const int opposite = slot < half ? slot + half : slot - half;
            return (count - 1 - d) * width + opposite +
                   (radix / 2 - 1 - k) * (count * width);
        }
        const int shift = slot == 0; // row 0: M - d
        return (count - 1 - d + shift) * width + slot +
               (radix / 2 - 1 - k) * (count * width);
    }

private:
    static constexpr int width = Tile::columns;
    static constexpr int count = Tile::n / radix;
    const int d_rank;
};

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
