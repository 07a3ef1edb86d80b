// SPDX-License-Identifier: GPL-3.0-or-later
//
// Load and store steps for real transforms of odd length whose rows can lie in the tiles
// (frame_tiles.cuh) of another transform.

#ifndef INCLUDED_GPUFFT_KERNELS_REAL_TWO_TILES_CUH
#define INCLUDED_GPUFFT_KERNELS_REAL_TWO_TILES_CUH

#include "real/real_two_rows.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// The load step of another transform, see load_packed.
template <class Pack, bool Exchanged>
struct load_two : load_packed<Pack, Exchanged> {
    typedef typename Pack::item item;
    static constexpr int rows = Pack::rows;
    template <int N>
    static constexpr int row_items = Pack::row_items;

    static GPUFFT_DEVICE unsigned long long
    row_count(const transform_arguments& arguments)
    {
        return arguments.average;
    }

    template <int N>
    static GPUFFT_DEVICE complex sample(const transform_arguments& arguments,
                                        const item* frame,
                                        int m)
    {
        const complex z = Pack::point(arguments, frame, m);
        return Exchanged ? exchange_parts(z) : z;
    }

    template <int N>
    static GPUFFT_DEVICE void pair(const transform_arguments& arguments,
                                   const item* frame,
                                   int m,
                                   complex& z,
                                   complex& opposite)
    {
        Pack::pair(arguments, frame, m, z, opposite);
        if (Exchanged) {
            z = exchange_parts(z);
            opposite = exchange_parts(opposite);
        }
    }
};

// Rows of the working precision, stored in a tile.
template <class Split, bool Exchanged>
struct store_two {
    typedef typename Split::item item;
    static constexpr bool takes_pairs = !Split::is_pointwise;
    static constexpr int rows = Split::rows;
    template <int N>
    static constexpr int row_items = Split::row_items;

    static GPUFFT_DEVICE unsigned long long
    row_count(const transform_arguments& arguments)
    {
        return arguments.average;
    }

    // Bin 0 only, with takes_pairs.
    template <int N>
    static GPUFFT_DEVICE void
    put(const transform_arguments& arguments, item* frame, int k, complex value)
    {
        if constexpr (takes_pairs)
            Split::put_pair(arguments, frame, 0, value, value);
        else
            Split::put(arguments, frame, k, Exchanged ? exchange_parts(value) : value);
    }

    template <int N>
    static GPUFFT_DEVICE void put_pair(const transform_arguments& arguments,
                                       item* frame,
                                       int k,
                                       complex value,
                                       complex opposite)
    {
        Split::put_pair(arguments, frame, k, value, opposite);
    }
};

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
