// SPDX-License-Identifier: GPL-3.0-or-later
//
// The points z[m] of the complex transform inside a real one, from a row of N real
// numbers x (or of N/2+1 bins). If N allows it, there are half as many points:
//     r2c      z[m] = x[2m] + j x[2m+1]
//     dct2     the same of v, v[i] = x[2i] for 2i < N, else x[2N-1-2i] (Makhoul, "A fast
//              cosine transform in one and two dimensions", 1980)
//     dct4     z[m] = (x[2m] + j x[N-1-2m]) exp(-j pi (4m+1) / (4N))
//     dct1     as r2c of the even extension of 2N-2 numbers; dst1 of the odd one of 2N+2
//     c2r      Z[k] = X[k] + X*[L-k] + j exp(2 pi j k / N) (X[k] - X*[L-k]), L = N/2
//     dct3     the same of V[k] = exp(j pi k / (2N)) (x[k] - j x[N-k])
// Odd N: see real_two_rows.cuh.
//
// point() gives one z[m]. If has_pairs, both(m) gives z[m] and its partner from the same
// samples, m <= L/2: z[L-m], or with is_between z[L-1-m]. Its parts are at(m), which
// several loads share, and both_at<I, Parts>(), for z[m + I L / Parts] and its partner.

#ifndef INCLUDED_GPUFFT_KERNELS_REAL_PACK_CUH
#define INCLUDED_GPUFFT_KERNELS_REAL_PACK_CUH

#include "real/real_roots.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// Whether point k = first + I L / Parts, first < L / Parts, is past the middle.
template <int I, int Parts, int Points>
GPUFFT_DEVICE bool is_upper(int k)
{
    return Parts % 2 == 0 ? 2 * I >= Parts : 2 * k >= Points;
}

// A single pair.
template <class Pack>
struct both_alone {
    static GPUFFT_DEVICE void both(const transform_arguments& arguments,
                                   unsigned long long vector,
                                   int m,
                                   complex& z,
                                   complex& partner)
    {
        Pack::template both_at<0, 2>(
            arguments, Pack::at(arguments, vector, m), z, partner);
    }
};

// Z[k] and Z[L-k] of c2r from X[k], X[L-k] and exp(-2 pi j k / N).
struct packed_bins {
    complex low, high;

    GPUFFT_DEVICE packed_bins(complex x, complex mirrored, complex root)
    {
        const complex sum = x + conjugate(mirrored);
        const complex turned = times_j(conjugate(root) * (x - conjugate(mirrored)));
        low = sum + turned;
        high = conjugate(sum - turned);
    }
};

// r2c, N even.
template <class Row>
struct pack_pairs {
    typedef Row input;
    static constexpr int points = Row::n / 2;
    static constexpr bool has_pairs = false;
    static constexpr bool is_inverse = false;

    static GPUFFT_DEVICE complex point(const transform_arguments& arguments,
                                       unsigned long long vector,
                                       int m)
    {
        real x[2];
        if constexpr (Row::is_shifted) {
            x[0] = Row::get(arguments, vector, 2 * m);
            x[1] = Row::get(arguments, vector, 2 * m + 1);
        } else {
            Row::read(arguments, vector, 2 * m, x);
        }
        return { x[0], x[1] };
    }
};

// v[i] of the cosine transforms lies at x[cosine_place(i)].
template <int N>
GPUFFT_DEVICE int cosine_place(int i)
{
    return 2 * i < N ? 2 * i : 2 * N - 1 - 2 * i;
}

// dct2, N even.
template <class Row>
struct pack_cosine : both_alone<pack_cosine<Row>> {
    typedef Row input;
    static constexpr int n = Row::n, points = n / 2;
    static constexpr bool has_pairs = n % 4 == 0, is_between = true;
    static constexpr bool is_inverse = false;

    static GPUFFT_DEVICE complex point(const transform_arguments& arguments,
                                       unsigned long long vector,
                                       int m)
    {
        return { Row::get(arguments, vector, cosine_place<n>(2 * m)),
                 Row::get(arguments, vector, cosine_place<n>(2 * m + 1)) };
    }

    struct place {
        const typename Row::item *up, *down;
        int m;
    };

    static GPUFFT_DEVICE place at(const transform_arguments& arguments,
                                  unsigned long long vector,
                                  int m)
    {
        return { Row::cursor(arguments, vector, 4 * m),
                 Row::cursor(arguments, vector, 4 * (points - 1 - m)),
                 m };
    }

    template <int I, int Parts>
    static GPUFFT_DEVICE void both_at(const transform_arguments& arguments,
                                      const place& from,
                                      complex& z,
                                      complex& partner)
    {
        constexpr int offset = I * (points / Parts);
        const int m = from.m + offset;
        real x[4];
        if (is_upper<I, Parts, points>(m)) {
            Row::read_at(arguments, from.down, -4 * offset, 4 * (points - 1 - m), x);
            z = { x[3], x[1] };
            partner = { x[0], x[2] };
        } else {
            Row::read_at(arguments, from.up, 4 * offset, 4 * m, x);
            z = { x[0], x[2] };
            partner = { x[3], x[1] };
        }
    }
};

// dct4, N even.
template <class Row, class Roots>
struct pack_turned : both_alone<pack_turned<Row, Roots>> {
    typedef Row input;
    static constexpr int n = Row::n, points = n / 2;
    static constexpr bool has_pairs = true, is_between = true;
    static constexpr bool is_inverse = false;

    static GPUFFT_DEVICE complex point(const transform_arguments& arguments,
                                       unsigned long long vector,
                                       int m)
    {
        return complex{ Row::get(arguments, vector, 2 * m),
                        Row::get(arguments, vector, n - 1 - 2 * m) } *
               Roots::template first_turn<n>(arguments, m);
    }

    struct place {
        const typename Row::item *up, *down;
        complex low, high; // roots
        int m;
    };

    static GPUFFT_DEVICE place at(const transform_arguments& arguments,
                                  unsigned long long vector,
                                  int m)
    {
        const int opposite = points - 1 - m;
        return { Row::cursor(arguments, vector, 2 * m),
                 Row::cursor(arguments, vector, 2 * opposite),
                 Roots::template first_turn<n>(arguments, m),
                 Roots::template first_turn<n>(arguments, opposite),
                 m };
    }

    template <int I, int Parts>
    static GPUFFT_DEVICE void both_at(const transform_arguments& arguments,
                                      const place& from,
                                      complex& z,
                                      complex& partner)
    {
        constexpr int offset = I * (points / Parts);
        const int m = from.m + offset, opposite = points - 1 - m;
        real low[2], high[2];
        Row::read_at(arguments, from.up, 2 * offset, 2 * m, low);
        Row::read_at(arguments, from.down, -2 * offset, 2 * opposite, high);
        z = complex{ low[0], high[1] } * rotate<I, 4 * Parts>(from.low);
        partner =
            complex{ high[0], low[1] } * rotate<4 * Parts - I, 4 * Parts>(from.high);
    }
};

// dct1 (Odd = false: n - 1 points) and dst1 (n + 1 points).
template <class Row, bool Odd>
struct pack_extended {
    typedef Row input;
    static constexpr int n = Row::n, points = Odd ? n + 1 : n - 1;
    static constexpr bool has_pairs = false;
    static constexpr bool is_inverse = false;

    // Number i of the extension's 2 points, 0 <= i < 2 points.
    static GPUFFT_DEVICE real extended(const transform_arguments& arguments,
                                       unsigned long long vector,
                                       int i)
    {
        const int j = i <= points ? i : 2 * points - i;
        if constexpr (!Odd)
            return Row::get(arguments, vector, j);
        if (j == 0 || j == points)
            return 0;
        const real x = Row::get(arguments, vector, j - 1);
        return i < points ? x : -x;
    }

    static GPUFFT_DEVICE complex point(const transform_arguments& arguments,
                                       unsigned long long vector,
                                       int m)
    {
        return { extended(arguments, vector, 2 * m),
                 extended(arguments, vector, 2 * m + 1) };
    }
};

// Points from pairs of bins k, L-k: c2r and dct3, N even. Bins::pair_at() gives X[k] and
// X[L-k], and the root of k.
template <class Bins, class Roots>
struct pack_bins : both_alone<pack_bins<Bins, Roots>> {
    typedef typename Bins::input input;
    static constexpr int n = Bins::n, points = n / 2;
    static constexpr bool has_pairs = true, is_between = false, is_inverse = true;
    typedef typename Bins::place place;

    static GPUFFT_DEVICE complex point(const transform_arguments& arguments,
                                       unsigned long long vector,
                                       int m)
    {
        const bool is_low = 2 * m <= points;
        complex z, partner;
        pack_bins::both(arguments, vector, is_low ? m : points - m, z, partner);
        return is_low ? z : partner;
    }

    static GPUFFT_DEVICE place at(const transform_arguments& arguments,
                                  unsigned long long vector,
                                  int m)
    {
        return Bins::template at<Roots>(arguments, vector, m);
    }

    template <int I, int Parts>
    static GPUFFT_DEVICE void both_at(const transform_arguments& arguments,
                                      const place& from,
                                      complex& z,
                                      complex& partner)
    {
        complex x, mirrored;
        Bins::template pair_at<I, Parts>(arguments, from, x, mirrored);
        const packed_bins found(x, mirrored, rotate<I, 2 * Parts>(from.split));
        z = found.low;
        partner = found.high;
    }
};

// The bins of c2r, as stored in memory.
template <class Half>
struct stored_bins {
    typedef Half input;
    static constexpr int n = Half::n, points = n / 2;

    struct place {
        const typename Half::item *up, *down;
        complex split;
        int k;
    };

    template <class Roots>
    static GPUFFT_DEVICE place at(const transform_arguments& arguments,
                                  unsigned long long row,
                                  int k)
    {
        return { Half::cursor(arguments, row, k),
                 Half::cursor(arguments, row, -k),
                 Roots::template split<n>(arguments, k),
                 k };
    }

    template <int I, int Parts>
    static GPUFFT_DEVICE void pair_at(const transform_arguments& arguments,
                                      const place& from,
                                      complex& x,
                                      complex& mirrored)
    {
        constexpr int offset = I * (points / Parts);
        const int k = from.k + offset;
        x = Half::template get_at<(I > 0)>(arguments, from.up, offset, k);
        mirrored = Half::template get_at<(I > 0)>(
            arguments, from.down, points - offset, points - k);
    }
};

// V[k] of dct3 from a row of numbers.
template <class Row>
struct cosine_bins {
    typedef Row input;
    static constexpr int n = Row::n;

    struct place {
        const typename Row::item *up, *down;
        complex split, turn;
        int k;
    };

    template <class Roots>
    static GPUFFT_DEVICE place at(const transform_arguments& arguments,
                                  unsigned long long row,
                                  int k)
    {
        place from;
        from.up = Row::cursor(arguments, row, k);
        from.down = Row::cursor(arguments, row, -k);
        from.k = k;
        Roots::template split_and_turn<n>(arguments, k, from.split, from.turn);
        return from;
    }

    // V[k] and V[N/2-k], 0 <= k < N/2
    template <int I, int Parts>
    static GPUFFT_DEVICE void pair_at(const transform_arguments& arguments,
                                      const place& from,
                                      complex& v,
                                      complex& mirrored)
    {
        constexpr int half = n / 2, offset = I * (half / Parts);
        const int k = from.k + offset;
        const complex turn = conjugate(rotate<I, 8 * Parts>(from.turn));
        const real x = Row::get_at(arguments, from.up, offset, k);
        const real opposite = I == 0 && k == 0
                                  ? real(0)
                                  : Row::get_at(arguments, from.down, n - offset, n - k);
        v = turn * complex{ x, -opposite };
        // exp(j pi (N/2 - k) / 2N) = exp(j pi / 4) exp(-j pi k / 2N)
        mirrored = rotate<7, 8>(conjugate(turn)) *
                   complex{ Row::get_at(arguments, from.down, half - offset, half - k),
                            -Row::get_at(arguments, from.up, half + offset, half + k) };
    }
};

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
