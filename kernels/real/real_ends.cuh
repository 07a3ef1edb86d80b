// SPDX-License-Identifier: GPL-3.0-or-later
//
// Real rows at the ends of another transform's kernels: load steps that make its points
// (real_pack.cuh), store steps for its bins (real_split.cuh).

#ifndef INCLUDED_GPUFFT_KERNELS_REAL_ENDS_CUH
#define INCLUDED_GPUFFT_KERNELS_REAL_ENDS_CUH

#include "async_copy.cuh"
#include "real/real_split.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// The load step of another transform: point m of a vector. Exchanged: the transform
// computes an inverse as a forward one of exchanged parts.
template <class Pack, bool Exchanged>
struct load_packed {
    struct item {
    }; // each point is made of several samples
    static constexpr bool from_both_ends = Pack::has_pairs;
    static constexpr bool has_factors = true;

    template <int N>
    static GPUFFT_DEVICE complex get(const transform_arguments& arguments,
                                     unsigned long long vector,
                                     int m,
                                     int offset = 0)
    {
        const complex z = Pack::point(arguments, vector, m + offset);
        return Exchanged ? exchange_parts(z) : z;
    }
};

// The store step if a bin needs no other bins.
template <class Split, bool Exchanged>
struct store_split {
    static_assert(Split::is_pointwise, "bins that need others take whole frames");
    struct item {
    };
    static constexpr bool rows_are_neighbours = false;

    template <int N>
    static GPUFFT_DEVICE void put(const transform_arguments& arguments,
                                  unsigned long long vector,
                                  int k,
                                  complex value,
                                  int offset = 0)
    {
        Split::run(arguments, vector, k + offset, [&](int) {
            return Exchanged ? exchange_parts(value) : value;
        });
    }
};

// The store step if bins need other bins, in kernels with a whole frame in shared memory.
template <class Split, bool Exchanged>
struct store_frames {
    struct item {
    };
    static constexpr bool rows_are_neighbours = false;
    static constexpr int items = Split::items;

    template <class Read>
    static GPUFFT_DEVICE void run(const transform_arguments& arguments,
                                  unsigned long long vector,
                                  int i,
                                  Read&& read)
    {
        Split::run(arguments, vector, i, [&](int k) {
            return Exchanged ? exchange_parts(read(k)) : read(k);
        });
    }
};

// The load step of a point and its partner from the same samples, by Pack::both_at().
template <class Pack, bool Exchanged>
struct load_pairs : Pack {
    static_assert(Pack::has_pairs, "samples of two points");

    static GPUFFT_DEVICE complex point(const transform_arguments& arguments,
                                       unsigned long long vector,
                                       int m)
    {
        const complex z = Pack::point(arguments, vector, m);
        return Exchanged ? exchange_parts(z) : z;
    }

    template <int I, int Parts>
    static GPUFFT_DEVICE void both_at(const transform_arguments& arguments,
                                      const typename Pack::place& from,
                                      complex& z,
                                      complex& partner)
    {
        Pack::template both_at<I, Parts>(arguments, from, z, partner);
        if (Exchanged) {
            z = exchange_parts(z);
            partner = exchange_parts(partner);
        }
    }
};

// The load step of points that are two neighbours in memory, which are copied to shared
// memory together.
template <class Row>
struct load_neighbours {
    typedef numbers<typename Row::item, 2> item;
    static constexpr bool in_order = true;
    static constexpr bool has_factors = Row::is_windowed;

    template <int N>
    static GPUFFT_DEVICE const item* at(const transform_arguments& arguments,
                                        unsigned long long vector,
                                        int m,
                                        int offset = 0)
    {
        return reinterpret_cast<const item*>(Row::cursor(arguments, vector, 2 * m)) +
               offset;
    }

    static GPUFFT_DEVICE void start(item* to, const item* from)
    {
        if (is_aligned(from, 0, sizeof(item)))
            start_copy(to, from);
        else { // reads without a copy, and waits
            const auto* const lowest = reinterpret_cast<const typename Row::item*>(from);
            for (int i = 0; i < 2; ++i)
                to->x[i] = lowest[i];
        }
    }

    template <int N>
    static GPUFFT_DEVICE complex value(const transform_arguments& arguments,
                                       int m,
                                       item samples)
    {
        real x[2];
        Row::values(arguments, 2 * m, samples, x);
        return { x[0], x[1] };
    }

    template <int N>
    static GPUFFT_DEVICE complex get(const transform_arguments& arguments,
                                     unsigned long long vector,
                                     int m,
                                     int offset = 0)
    {
        return pack_pairs<Row>::point(arguments, vector, m + offset);
    }
};

// The store step of two bins that belong together, by Pair::run_at().
template <class Pair, bool Exchanged>
struct store_pairs : Pair {
    static GPUFFT_DEVICE void run(const transform_arguments& arguments,
                                  unsigned long long vector,
                                  int k,
                                  complex z,
                                  complex partner)
    {
        run_at<0, 2>(arguments, Pair::at(arguments, vector, k), z, partner);
    }

    template <int I, int Parts>
    static GPUFFT_DEVICE void run_at(const transform_arguments& arguments,
                                     const typename Pair::place& bin,
                                     complex z,
                                     complex partner)
    {
        if (Exchanged)
            Pair::template run_at<I, Parts>(
                arguments, bin, exchange_parts(z), exchange_parts(partner));
        else
            Pair::template run_at<I, Parts>(arguments, bin, z, partner);
    }
};

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
