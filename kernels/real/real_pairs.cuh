// SPDX-License-Identifier: GPL-3.0-or-later
//
// How the stores of real_split.cuh take bins: each bin k with its partner L - k.

#ifndef INCLUDED_GPUFFT_KERNELS_REAL_PAIRS_CUH
#define INCLUDED_GPUFFT_KERNELS_REAL_PAIRS_CUH

#include "real/real_roots.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// 2 X[k] and 2 X[L-k] of 2 L numbers, whose L pairs were transformed to Z.
struct split_bins {
    complex low, high;

    GPUFFT_DEVICE split_bins(complex z, complex mirrored, complex root)
    {
        const complex even = z + conjugate(mirrored);
        const complex difference = z - conjugate(mirrored);
        const complex odd = root * complex{ difference.im, -difference.re };
        low = even + odd;
        high = conjugate(even - odd);
    }
};

// Bins k and L-k of L (item 0 also has the bin L/2, which is its own partner), or with
// Pair::is_between k and L-1-k. Pair::run(arguments, vector, k, Z[k], its partner) stores
// what they give.
template <class Pair>
struct split_pair {
    typedef Pair pair;
    typedef typename Pair::output output;
    static constexpr int points = Pair::points, items = (points + 1) / 2;
    static constexpr bool is_pointwise = false;

    template <class Read>
    static GPUFFT_DEVICE void run(const transform_arguments& arguments,
                                  unsigned long long vector,
                                  int k,
                                  Read&& read)
    {
        const complex z = read(k);
        if constexpr (Pair::is_between) {
            Pair::run(arguments, vector, k, z, read(points - 1 - k));
        } else {
            Pair::run(arguments, vector, k, z, k == 0 ? z : read(points - k));
            if (points % 2 == 0 && k == 0) {
                const complex middle = read(points / 2);
                Pair::run(arguments, vector, points / 2, middle, middle);
            }
        }
    }
};

// run() for a single pair.
template <class Pair>
struct pair_alone {
    static GPUFFT_DEVICE void run(const transform_arguments& arguments,
                                  unsigned long long vector,
                                  int k,
                                  complex z,
                                  complex mirrored)
    {
        Pair::template run_at<0, 2>(
            arguments, Pair::at(arguments, vector, k), z, mirrored);
    }
};

// The values of neighbouring k go to neighbours in memory, up from k and down from L - k.
// windows() says which runs of neighbours fill whole sectors: a run begins `before`
// places before a multiple of its length. up_is_later: upward runs begin with a tile's
// second neighbour, downward runs with its first; otherwise the other way round.
struct both_ways {
    complex up, down;
};

struct sector_windows {
    int before;
    bool up_is_later;
};

template <class Pair>
struct pair_both_ways : pair_alone<Pair> {
    template <int I, int Parts, class Place>
    static GPUFFT_DEVICE void run_at(const transform_arguments& arguments,
                                     const Place& bin,
                                     complex z,
                                     complex mirrored)
    {
        const both_ways x = Pair::template values<I, Parts>(bin, z, mirrored);
        Pair::template put_up<I, Parts>(arguments, bin, x.up);
        Pair::template put_down<I, Parts>(arguments, bin, x.down);
    }
};

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
