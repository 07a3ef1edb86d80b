// SPDX-License-Identifier: GPL-3.0-or-later
//
// A tile of frames of several axes as one Stockham transform of all their points: its
// passes are along one axis after the other, the slowest first, without twiddles between
// axes. Like every Stockham transform it reverses the digits, so its output has the first
// axis fastest: ordered() gives the place in memory.

#ifndef INCLUDED_GPUFFT_KERNELS_CLUSTER_AXES_CUH
#define INCLUDED_GPUFFT_KERNELS_CLUSTER_AXES_CUH

#include "stockham/stockham.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// Tile: a shape with n = the product of Lengths, loaded by rows.
template <class Tile, int... Lengths>
struct axes_tile : Tile {
    typedef typename Tile::passes passes;

    // Points of the axes that are finished before a pass of this span.
    static GPUFFT_DEVICE constexpr int done_before(int span)
    {
        int done = 1;
        for (int length : { Lengths... }) {
            if (done * length > span)
                break;
            done *= length;
        }
        return done;
    }

    // The same for all axes but the last, and for the last.
    static GPUFFT_DEVICE constexpr int before_last() { return done_before(Tile::n - 1); }
    static constexpr int last = (Lengths, ...);

    // As in the shape, but along the pass's own axis.
    template <int P>
    static GPUFFT_DEVICE constexpr int twiddle_span()
    {
        constexpr int span = Tile::template twiddle_span<P>();
        return span / done_before(span);
    }
    template <int P>
    static GPUFFT_DEVICE constexpr bool is_twiddled()
    {
        return twiddle_span<P>() > 1;
    }
    template <int P>
    static GPUFFT_DEVICE constexpr int twiddles_at()
    {
        if constexpr (P == 0)
            return 0;
        else if constexpr (is_twiddled<P - 1>())
            return twiddles_at<P - 1>() +
                   twiddle_span<P - 1>() * (passes::template radix<P - 1>() - 1);
        else
            return twiddles_at<P - 1>();
    }

    static GPUFFT_DEVICE int ordered(int output)
    {
        int at = 0;
        (..., (at = at * Lengths + output % Lengths, output /= Lengths));
        return at;
    }
};

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
