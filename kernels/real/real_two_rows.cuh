// SPDX-License-Identifier: GPL-3.0-or-later
//
// Real transforms of odd length N: rows 2v and 2v+1 are the real and the imaginary parts
// of vector v of N points, whose bins Z[k] give both rows:
//     r2c      X[k] = (Z[k] + Z*[N-k]) / 2 and -j (Z[k] - Z*[N-k]) / 2
//     dct2     from these y[k] = 2 Re(W X[k]), y[N-k] = -2 Im(W X[k]),
//              W = exp(-j pi k / 2N), as for even N
//     dct4     y[k] = 2 Re(exp(-2 pi j u b / 8) X[v b mod N]), b = 2k + 1, u N = 1 mod 8
//              and 8 v = 1 mod N, of the row that turned_row makes (Chinese remainders)
//     c2r      y[m] = z[m];  dct3 the same of v, see real_pack.cuh
//
// With Rows = 1 the second row is zero, so that the bits of a row depend on no other row.
//
// Functions take a row, or the first of two, by its number, or by its address in a tile
// in shared memory (frame_tiles.cuh).

#ifndef INCLUDED_GPUFFT_KERNELS_REAL_TWO_ROWS_CUH
#define INCLUDED_GPUFFT_KERNELS_REAL_TWO_ROWS_CUH

#include "real/real_ends.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// Bins 0 ... N-1 of a real row from its first half: c2r.
template <class Half>
struct mirrored_bins {
    typedef typename Half::item item;
    static constexpr int n = Half::n, row_items = Half::row_items;
    static constexpr bool is_hermitian = true; // number N-m is the conjugate of number m

    template <class Place>
    static GPUFFT_DEVICE complex get(const transform_arguments& arguments,
                                     Place row,
                                     int k)
    {
        const bool is_low = 2 * k < n;
        const complex x = Half::get(arguments, row, is_low ? k : n - k);
        return is_low ? x : conjugate(x);
    }
};

// V[k] of dct3, 0 <= k < N. Its root is computed: a table's latency would not be hidden.
template <class Row>
struct cosine_spectrum {
    typedef typename Row::item item;
    static constexpr int n = Row::n, row_items = Row::row_items;
    static constexpr bool is_hermitian = true;

    template <class Place>
    static GPUFFT_DEVICE complex get(const transform_arguments& arguments,
                                     Place row,
                                     int k)
    {
        const real opposite = k == 0 ? real(0) : Row::get(arguments, row, n - k);
        return conjugate(root_of_unity<4 * n>(k)) *
               complex{ Row::get(arguments, row, k), -opposite };
    }
};

// The numbers of a row as they are: r2c.
template <class Row>
struct plain_row {
    typedef typename Row::item item;
    static constexpr int n = Row::n, row_items = Row::row_items;
    static constexpr bool is_hermitian = false;

    template <class Place>
    static GPUFFT_DEVICE real get(const transform_arguments& arguments, Place row, int m)
    {
        return Row::get(arguments, row, m);
    }
};

// The numbers of a row in the order in which dct2 transforms them.
template <class Row>
struct cosine_row {
    typedef typename Row::item item;
    static constexpr int n = Row::n, row_items = Row::row_items;
    static constexpr bool is_hermitian = false;

    template <class Place>
    static GPUFFT_DEVICE real get(const transform_arguments& arguments, Place row, int m)
    {
        return Row::get(arguments, row, cosine_place<n>(m));
    }
};

// The numbers of a row for dct4. Continue x to all odd numbers 2i+1 modulo 8N: of every
// four equal values (up to the sign), one is at a = 1 mod 8, which is number m = a mod N
// of the row.
template <class Row>
struct turned_row {
    typedef typename Row::item item;
    static constexpr int n = Row::n, row_items = Row::row_items;
    static constexpr bool is_hermitian = false;

    template <class Place>
    static GPUFFT_DEVICE real get(const transform_arguments& arguments, Place row, int m)
    {
        // a = m + n t = 1 mod 8; n is its own inverse modulo 8
        int a = m + n * ((n & 7) * (1 - m) & 7);
        if (a > 4 * n)
            a = 8 * n - a;
        const bool is_negative = a > 2 * n;
        if (is_negative)
            a = 4 * n - a;
        const real x = Row::get(arguments, row, (a - 1) / 2);
        return is_negative ? -x : x;
    }
};

// Whether the vector has a second row; the last one may not. arguments.average is the
// number of rows.
template <int Rows>
GPUFFT_DEVICE bool has_second(const transform_arguments& arguments,
                              unsigned long long vector)
{
    return Rows == 2 && 2 * vector + 1 < arguments.average;
}

// The points of a vector.
template <class Row, bool Inverse, int Rows = 2>
struct pack_two {
    typedef Row input;
    typedef typename Row::item item;
    static constexpr int n = Row::n, points = n, row_items = Row::row_items;
    static constexpr int rows = Rows;
    static constexpr bool has_pairs = false;
    static constexpr bool is_inverse = Inverse;

    static GPUFFT_DEVICE complex sum(real a, real b) { return { a, b }; }
    static GPUFFT_DEVICE complex sum(complex a, complex b) { return a + times_j(b); }

    static GPUFFT_DEVICE complex point(const transform_arguments& arguments,
                                       unsigned long long vector,
                                       int m)
    {
        decltype(Row::get(arguments, vector, m)) second{};
        if (has_second<Rows>(arguments, vector))
            second = Row::get(arguments, 2 * vector + 1, m);
        return sum(Row::get(arguments, Rows * vector, m), second);
    }

    // Point m from the rows at `first`.
    static GPUFFT_DEVICE complex point(const transform_arguments& arguments,
                                       const item* first,
                                       int m)
    {
        return sum(Row::get(arguments, first, m), second_of(arguments, first, m));
    }

    // Points m and N-m, m > 0.
    static GPUFFT_DEVICE void pair(const transform_arguments& arguments,
                                   const item* first,
                                   int m,
                                   complex& z,
                                   complex& opposite)
    {
        if constexpr (Row::is_hermitian) {
            const complex a = Row::get(arguments, first, m);
            const complex b = second_of(arguments, first, m);
            z = sum(a, b);
            opposite = sum(conjugate(a), conjugate(b));
        } else {
            z = point(arguments, first, m);
            opposite = point(arguments, first, n - m);
        }
    }

private:
    static GPUFFT_DEVICE auto
    second_of(const transform_arguments& arguments, const item* first, int m)
    {
        if constexpr (Rows == 2)
            return Row::get(arguments, first + row_items, m);
        else
            return decltype(Row::get(arguments, first, m)){};
    }
};

// Stores the numbers of the rows that follow from the bins Z[k] and Z[N-k]. Row::put()
// takes a real row's bin k <= N/2.
template <class Row, int Rows = 2>
struct split_two {
    typedef Row output;
    typedef typename Row::item item;
    static constexpr int points = Row::n, items = points / 2 + 1;
    static constexpr int row_items = Row::row_items, rows = Rows;
    static constexpr bool is_pointwise = false;

    template <class Read>
    static GPUFFT_DEVICE void run(const transform_arguments& arguments,
                                  unsigned long long vector,
                                  int k,
                                  Read&& read)
    {
        const complex z = read(k);
        const complex mirrored = conjugate(read(k == 0 ? 0 : points - k));
        Row::put(arguments, Rows * vector, k, first(z, mirrored));
        if (has_second<Rows>(arguments, vector))
            Row::put(arguments, 2 * vector + 1, k, second(z, mirrored));
    }

    // Into the rows at `row`, 0 <= k < N; Z[0] stands for Z[N].
    static GPUFFT_DEVICE void put_pair(const transform_arguments& arguments,
                                       item* row,
                                       int k,
                                       complex z,
                                       complex opposite)
    {
        const bool is_low = 2 * k < points;
        const int at = is_low ? k : points - k;
        const complex mirrored = conjugate(opposite);
        const complex a = first(z, mirrored), b = second(z, mirrored);
        Row::put(arguments, row, at, is_low ? a : conjugate(a));
        if (Rows == 2)
            Row::put(arguments, row + row_items, at, is_low ? b : conjugate(b));
    }

    // Bin k of either row; `mirrored` is Z*[N-k].
    static GPUFFT_DEVICE complex first(complex z, complex mirrored)
    {
        return (z + mirrored) * real(0.5);
    }

    static GPUFFT_DEVICE complex second(complex z, complex mirrored)
    {
        const complex difference = (z - mirrored) * real(0.5);
        return { difference.im, -difference.re };
    }
};

// The row that dct2 makes from such bins.
template <class Row, class Roots>
struct cosines_of_bins {
    typedef typename Row::item item;
    static constexpr int n = Row::n, row_items = Row::row_items;

    template <class Place>
    static GPUFFT_DEVICE void
    put(const transform_arguments& arguments, Place row, int k, complex x)
    {
        const complex turned = x * Roots::template split<4 * n>(arguments, k);
        Row::put(arguments, row, k, 2 * turned.re);
        if (k > 0)
            Row::put(arguments, row, n - k, -2 * turned.im);
    }
};

// dct4.
template <class Row, int Rows = 2>
struct split_two_turned {
    typedef Row output;
    typedef typename Row::item item;
    static constexpr int n = Row::n, points = n, items = n, row_items = Row::row_items;
    static constexpr int rows = Rows;
    static constexpr bool is_pointwise = false;

    static GPUFFT_DEVICE constexpr int inverse_of_8()
    {
        for (int k = 1; k < 8; ++k)
            if ((1 + static_cast<long long>(k) * n) % 8 == 0)
                return static_cast<int>((1 + static_cast<long long>(k) * n) / 8 % n);
        return 0;
    }

    template <class Read>
    static GPUFFT_DEVICE void run(const transform_arguments& arguments,
                                  unsigned long long vector,
                                  int k,
                                  Read&& read)
    {
        constexpr int v = inverse_of_8();
        const int p = static_cast<int>(static_cast<long long>(v) * (2 * k + 1) % n);
        const complex z = read(p), mirrored = conjugate(read(p == 0 ? 0 : n - p));
        Row::put(arguments, Rows * vector, k, turned(k, z + mirrored));
        const complex difference = z - mirrored;
        if (has_second<Rows>(arguments, vector))
            Row::put(arguments,
                     2 * vector + 1,
                     k,
                     turned(k, { difference.im, -difference.re }));
    }

    // Into the rows at `row`, 0 <= p < N; Z[0] stands for Z[N].
    static GPUFFT_DEVICE void put_pair(const transform_arguments& arguments,
                                       item* row,
                                       int p,
                                       complex z,
                                       complex opposite)
    {
        const int k = (4 * p + n / 2) % n; // 2 k + 1 = 8 p mod N
        const complex mirrored = conjugate(opposite), a = z + mirrored;
        const complex b = { z.im - mirrored.im, mirrored.re - z.re };
        Row::put(arguments, row, k, turned(k, a));
        Row::put(arguments, row, n - 1 - k, turned(n - 1 - k, conjugate(a)));
        if (Rows == 2) {
            Row::put(arguments, row + n, k, turned(k, b));
            Row::put(arguments, row + n, n - 1 - k, turned(n - 1 - k, conjugate(b)));
        }
    }

private:
    // Re(exp(-2 pi j u b / 8) x), b = 2k + 1; u = N mod 8 is its own inverse.
    static GPUFFT_DEVICE real turned(int k, complex x)
    {
        constexpr real half_root = 0.70710678118654752440;
        const int eighths = (n & 7) * (2 * k + 1) & 7;
        const real re = (eighths + 1) & 4 ? -x.re : x.re;
        return (eighths & 4 ? re - x.im : re + x.im) * half_root;
    }
};

// c2r (Cosine = false) and dct3.
template <class Row, bool Cosine, int Rows = 2>
struct split_two_rows {
    typedef Row output;
    typedef typename Row::item item;
    static constexpr int n = Row::n, points = n, items = n, row_items = Row::row_items;
    static constexpr int rows = Rows;
    static constexpr bool is_pointwise = true;

    template <class Read>
    static GPUFFT_DEVICE void run(const transform_arguments& arguments,
                                  unsigned long long vector,
                                  int m,
                                  Read&& read)
    {
        const complex z = read(m);
        const int at = Cosine ? cosine_place<n>(m) : m;
        Row::put(arguments, Rows * vector, at, z.re);
        if (has_second<Rows>(arguments, vector))
            Row::put(arguments, 2 * vector + 1, at, z.im);
    }

    // Into the rows at `row`.
    static GPUFFT_DEVICE void
    put(const transform_arguments& arguments, item* row, int m, complex z)
    {
        const int at = Cosine ? cosine_place<n>(m) : m;
        Row::put(arguments, row, at, z.re);
        if (Rows == 2)
            Row::put(arguments, row + row_items, at, z.im);
    }
};

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
