// SPDX-License-Identifier: GPL-3.0-or-later
//
// Makes the stored row from the bins Z[k] of the complex transform inside a real one (see
// real_pack.cuh). With L points and N numbers:
//     r2c      X[k] = (Z[k] + Z*[L-k]) / 2 - j exp(-2 pi j k / N) (Z[k] - Z*[L-k]) / 2
//     dct2     of these y[k] = 2 Re(W X[k]), y[N-k] = -2 Im(W X[k]),
//              W = exp(-j pi k / 2N)
//     dct4     y[2k] = 2 Re(W Z[k]), y[N-1-2k] = -2 Im(W Z[k]), W = exp(-j pi k / N)
//     dct1     y[k] = Re X[k];  dst1 y[k] = -Im X[k+1]
//     c2r      y[2m] + j y[2m+1] = z[m];  dct3 the same of v
// Odd N: see real_two_rows.cuh.
//
// run(item) reads bins that belong together and writes all numbers that follow from them;
// the items cover the row. If is_pointwise, item m only needs bin m. Pairs split run():
// at(k) is the part that stores share, run_at<I, Parts>() stores for bin k + I L / Parts.

#ifndef INCLUDED_GPUFFT_KERNELS_REAL_SPLIT_CUH
#define INCLUDED_GPUFFT_KERNELS_REAL_SPLIT_CUH

#include "real/real_pack.cuh"
#include "real/real_pairs.cuh"
#include "real/real_polyphase.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// r2c, N even.
template <class Half, class Roots>
struct half_of_bins : pair_both_ways<half_of_bins<Half, Roots>> {
    typedef Half output;
    static constexpr int points = Half::n / 2;
    static constexpr bool is_between = false;

    struct place {
        typename Half::item *up, *down;
        complex split;
    };

    static GPUFFT_DEVICE place at(const transform_arguments& arguments,
                                  unsigned long long vector,
                                  int k)
    {
        return { Half::cursor(arguments, vector, k),
                 Half::cursor(arguments, vector, -k),
                 Roots::template split<2 * points>(arguments, k) };
    }

    // X[k] and X[L-k]
    template <int I, int Parts>
    static GPUFFT_DEVICE both_ways values(const place& bin, complex z, complex mirrored)
    {
        const split_bins x(z, mirrored, rotate<I, 2 * Parts>(bin.split));
        return { x.low * real(0.5), x.high * real(0.5) };
    }

    template <int I, int Parts>
    static GPUFFT_DEVICE void
    put_up(const transform_arguments& arguments, const place& bin, complex value)
    {
        Half::put_at(arguments, bin.up, I * (points / Parts), value);
    }

    template <int I, int Parts>
    static GPUFFT_DEVICE void
    put_down(const transform_arguments& arguments, const place& bin, complex value)
    {
        Half::put_at(arguments, bin.down, points - I * (points / Parts), value);
    }

    // Rows of points + 1 bins begin anywhere in a sector, and their downward runs begin
    // elsewhere in it.
    static GPUFFT_DEVICE sector_windows windows(const transform_arguments& arguments,
                                                unsigned long long vector)
    {
        constexpr int of_sector = 32 / static_cast<int>(sizeof(typename Half::item));
        const auto address =
            reinterpret_cast<unsigned long long>(Half::cursor(arguments, vector, 0));
        const int b = address / sizeof(typename Half::item) % of_sector;
        if (of_sector == 4)
            return { b == 1 || b == 2 ? 2 : 0, b % 2 != 0 };
        return { 0, of_sector == 2 && b != 0 };
    }
};

// dct2, N even.
template <class Row, class Roots>
struct cosines_of_pair : pair_both_ways<cosines_of_pair<Row, Roots>> {
    typedef Row output;
    static constexpr int n = Row::n, points = n / 2;
    static constexpr bool is_between = false;

    struct place {
        typename Row::item *up, *down;
        complex split, turn;
        int k;
    };

    static GPUFFT_DEVICE place at(const transform_arguments& arguments,
                                  unsigned long long vector,
                                  int k)
    {
        place bin;
        bin.up = Row::cursor(arguments, vector, k);
        bin.down = Row::cursor(arguments, vector, -k);
        bin.k = k;
        Roots::template split_and_turn<n>(arguments, k, bin.split, bin.turn);
        return bin;
    }

    // y[k] and y[L+k]; y[N-k] and y[L-k]
    template <int I, int Parts>
    static GPUFFT_DEVICE both_ways values(const place& bin, complex z, complex mirrored)
    {
        const complex turn = rotate<I, 8 * Parts>(bin.turn);
        const split_bins x(z, mirrored, rotate<I, 2 * Parts>(bin.split));
        const complex low = x.low * turn;
        // exp(-j pi (L-k) / 2N) = exp(-j pi / 4) exp(j pi k / 2N)
        const complex high = x.high * rotate<1, 8>(conjugate(turn));
        return { { low.re, -high.im }, { -low.im, high.re } };
    }

    template <int I, int Parts>
    static GPUFFT_DEVICE void
    put_up(const transform_arguments& arguments, const place& bin, complex value)
    {
        constexpr int offset = I * (points / Parts);
        const int k = bin.k + offset;
        Row::put_at(arguments, bin.up, offset, k, value.re);
        Row::put_at(arguments, bin.up, points + offset, points + k, value.im);
    }

    template <int I, int Parts>
    static GPUFFT_DEVICE void
    put_down(const transform_arguments& arguments, const place& bin, complex value)
    {
        constexpr int offset = I * (points / Parts);
        const int k = bin.k + offset;
        if (I > 0 || k > 0)
            Row::put_at(arguments, bin.down, n - offset, n - k, value.re);
        Row::put_at(arguments, bin.down, points - offset, points - k, value.im);
    }

    static GPUFFT_DEVICE sector_windows windows(const transform_arguments&,
                                                unsigned long long)
    {
        return { 0, false };
    }
};

// dct1 and dst1 (Odd).
template <class Row, bool Odd, class Roots>
struct extended_of_pair : pair_alone<extended_of_pair<Row, Odd, Roots>> {
    typedef Row output;
    static constexpr int n = Row::n, points = Odd ? n + 1 : n - 1;
    static constexpr bool is_between = false;

    static GPUFFT_DEVICE void
    put(const transform_arguments& arguments, unsigned long long row, int k, complex x)
    {
        if constexpr (!Odd)
            Row::put(arguments, row, k, x.re * real(0.5));
        else if (k > 0 && k < points)
            Row::put(arguments, row, k - 1, x.im * real(-0.5));
    }

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
        put(arguments, bin.row, k, x.low);
        put(arguments, bin.row, points - k, x.high);
    }
};

// dct4, N even.
template <class Row, class Roots>
struct turned_of_pair : pair_alone<turned_of_pair<Row, Roots>> {
    typedef Row output;
    static constexpr int n = Row::n, points = n / 2;
    static constexpr bool is_between = true;

    struct place {
        typename Row::item *up, *down;
        complex low, high; // roots
        int k;
    };

    static GPUFFT_DEVICE place at(const transform_arguments& arguments,
                                  unsigned long long vector,
                                  int k)
    {
        const int opposite = points - 1 - k;
        return { Row::cursor(arguments, vector, 2 * k),
                 Row::cursor(arguments, vector, 2 * opposite),
                 Roots::template last_turn<n>(arguments, k),
                 Roots::template last_turn<n>(arguments, opposite),
                 k };
    }

    template <int I, int Parts>
    static GPUFFT_DEVICE void run_at(const transform_arguments& arguments,
                                     const place& bin,
                                     complex z,
                                     complex mirrored)
    {
        constexpr int offset = I * (points / Parts);
        const int k = bin.k + offset, opposite = points - 1 - k;
        const complex low = z * rotate<I, 4 * Parts>(bin.low);
        const complex high = mirrored * rotate<4 * Parts - I, 4 * Parts>(bin.high);
        const real first[2] = { 2 * low.re, -2 * high.im };
        const real last[2] = { 2 * high.re, -2 * low.im };
        Row::write_at(arguments, bin.up, 2 * offset, 2 * k, first);
        Row::write_at(arguments, bin.down, -2 * offset, 2 * opposite, last);
    }
};

// c2r, N even.
template <class Row>
struct split_pairs {
    typedef Row output;
    static constexpr int points = Row::n / 2, items = points;
    static constexpr bool is_pointwise = true;

    template <class Read>
    static GPUFFT_DEVICE void run(const transform_arguments& arguments,
                                  unsigned long long vector,
                                  int m,
                                  Read&& read)
    {
        const complex z = read(m);
        const real y[2] = { z.re, z.im };
        if constexpr (Row::is_shifted) {
            Row::put(arguments, vector, 2 * m, y[0]);
            Row::put(arguments, vector, 2 * m + 1, y[1]);
        } else {
            Row::write(arguments, vector, 2 * m, y);
        }
    }
};

// dct3, N even: by pairs if N is a multiple of 4, or bin by bin.
template <class Row>
struct cosine_inverse_of_pair : pair_alone<cosine_inverse_of_pair<Row>> {
    typedef Row output;
    static constexpr int points = Row::n / 2;
    static constexpr bool is_between = true;

    struct place {
        typename Row::item *up, *down;
        int k;
    };

    static GPUFFT_DEVICE place at(const transform_arguments& arguments,
                                  unsigned long long vector,
                                  int k)
    {
        return { Row::cursor(arguments, vector, 4 * k),
                 Row::cursor(arguments, vector, 4 * (points - 1 - k)),
                 k };
    }

    template <int I, int Parts>
    static GPUFFT_DEVICE void run_at(const transform_arguments& arguments,
                                     const place& bin,
                                     complex z,
                                     complex mirrored)
    {
        constexpr int offset = I * (points / Parts);
        const int k = bin.k + offset;
        if (is_upper<I, Parts, points>(k)) {
            const real y[4] = { mirrored.re, z.im, mirrored.im, z.re };
            Row::write_at(arguments, bin.down, -4 * offset, 4 * (points - 1 - k), y);
        } else {
            const real y[4] = { z.re, mirrored.im, z.im, mirrored.re };
            Row::write_at(arguments, bin.up, 4 * offset, 4 * k, y);
        }
    }
};

template <class Row>
struct split_cosine_inverse {
    typedef Row output;
    static constexpr int n = Row::n, points = n / 2, items = points;
    static constexpr bool is_pointwise = true;

    template <class Read>
    static GPUFFT_DEVICE void run(const transform_arguments& arguments,
                                  unsigned long long vector,
                                  int m,
                                  Read&& read)
    {
        const complex z = read(m);
        Row::put(arguments, vector, cosine_place<n>(2 * m), z.re);
        Row::put(arguments, vector, cosine_place<n>(2 * m + 1), z.im);
    }
};

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
