// SPDX-License-Identifier: GPL-3.0-or-later
//
// Polyphase banks of real samples: a row's numbers are the sums of samples N apart (see
// load_polyphase.cuh), and the real transform of these stores the bins 0 ... N/2, or some
// of them. So the ends of the real kernels do what load_bank and store_picked do for
// complex samples, at half the arithmetic.

#ifndef INCLUDED_GPUFFT_KERNELS_REAL_POLYPHASE_CUH
#define INCLUDED_GPUFFT_KERNELS_REAL_POLYPHASE_CUH

#include "load_polyphase.cuh"
#include "real/real_pairs.cuh"
#include "store.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// y[m] = sum_p Row[i + p N], p < Taps; i = m, or with Running i = (m - rotation) mod N.
template <class Row, int Taps, bool Running>
struct polyphase_row {
    struct item { // a number is not one sample
    };
    static constexpr int n = Row::n, row_items = n;
    static constexpr bool is_shifted = false, is_windowed = true;

    // y[first] ... y[first + Count - 1]; `first` and N are multiples of Count.
    template <int Count>
    static GPUFFT_DEVICE void read(const transform_arguments& arguments,
                                   unsigned long long row,
                                   int first,
                                   real (&y)[Count])
    {
        const int i = place<Running>(arguments, row, first);
        if (!Running || i % Count == 0) {
            sum(arguments, row, i, y);
            return;
        }
#pragma unroll
        for (int c = 0; c < Count; ++c)
            y[c] = get(arguments, row, first + c);
    }

    static GPUFFT_DEVICE real get(const transform_arguments& arguments,
                                  unsigned long long row,
                                  int m)
    {
        real y[1];
        sum(arguments, row, place<Running>(arguments, row, m), y);
        return y[0];
    }

private:
    template <bool Rotates>
    static GPUFFT_DEVICE int
    place(const transform_arguments& arguments, unsigned long long row, int m)
    {
        if constexpr (!Rotates)
            return m;
        const int i = m - rotation_of<n>(arguments, row);
        return i < 0 ? i + n : i;
    }

    template <int Count>
    static GPUFFT_DEVICE void sum(const transform_arguments& arguments,
                                  unsigned long long row,
                                  int i,
                                  real (&y)[Count])
    {
        const auto from = Row::cursor(arguments, row, i);
        Row::read_at(arguments, from, 0, i, y);
#pragma unroll 16
        for (int p = 1; p < Taps; ++p) {
            real x[Count];
            Row::read_at(arguments, from, p * n, i + p * n, x);
#pragma unroll
            for (int c = 0; c < Count; ++c)
                y[c] += x[c];
        }
    }
};

// The bins X[0] ... X[N/2] of a row; or with Bins > 0 so many of them in any order, see
// store_picked.
template <int N, class Kind, int Bins>
struct bank_output {
    typedef typename Kind::item item;
    static constexpr int n = N, row_items = Bins > 0 ? Bins : N / 2 + 1;

    static GPUFFT_DEVICE void
    put(const transform_arguments& arguments, unsigned long long row, int k, complex x)
    {
        item* const to = static_cast<item*>(arguments.output) + row * row_items;
        if constexpr (Bins == 0)
            to[k] = stored_value<Kind>(arguments, x, scale_of(arguments));
        else
            for (int slot = load_constant(arguments.slots + k); slot >= 0;
                 slot = load_constant(arguments.slots + N + slot))
                to[slot] = stored_value<Kind>(arguments, x, scale_of(arguments));
    }
};

// half_of_bins for these rows: N even. Every bin is stored once, so that each number that
// saturates counts once.
template <class Half, class Roots>
struct bins_of_bank : pair_alone<bins_of_bank<Half, Roots>> {
    typedef Half output;
    static constexpr int points = Half::n / 2;
    static constexpr bool is_between = false;

    struct place {
        unsigned long long row;
        int k;
        complex split;
    };

    static GPUFFT_DEVICE place at(const transform_arguments& arguments,
                                  unsigned long long vector,
                                  int k)
    {
        return { vector, k, Roots::template split<2 * points>(arguments, k) };
    }

    template <int I, int Parts>
    static GPUFFT_DEVICE void run_at(const transform_arguments& arguments,
                                     const place& bin,
                                     complex z,
                                     complex mirrored)
    {
        const int k = bin.k + I * (points / Parts);
        const split_bins x(z, mirrored, rotate<I, 2 * Parts>(bin.split));
        Half::put(arguments, bin.row, k, x.low * real(0.5));
        if (2 * k != points)
            Half::put(arguments, bin.row, points - k, x.high * real(0.5));
    }
};

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
