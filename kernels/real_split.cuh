// SPDX-License-Identifier: GPL-3.0-or-later
//
// From the bins Z[k] of the complex transform inside a real one (see real_pack.cuh) to
// the row that is stored. With L points and N numbers:
//     r2c      X[k] = (Z[k] + Z*[L-k]) / 2 - j exp(-2 pi j k / N) (Z[k] - Z*[L-k]) / 2
//     dct2     of these y[k] = 2 Re(W X[k]), y[N-k] = -2 Im(W X[k]), W = exp(-j pi k /
//     2N) dct4     y[2k] = 2 Re(W Z[k]), y[N-1-2k] = -2 Im(W Z[k]), W = exp(-j pi k / N)
//     dct1     y[k] = Re X[k];  dst1 y[k] = -Im X[k+1]
//     c2r      y[2m] + j y[2m+1] = z[m];  dct3 the same of v
// For odd N the vector's two rows are Z[k] + Z*[N-k] and -j (Z[k] - Z*[N-k]), halved.
//
// run(item) reads the bins that depend on each other and writes all that they give; items
// cover the row. Where is_pointwise, item m needs bin m alone.

#ifndef INCLUDED_GPUFFT_KERNELS_REAL_SPLIT_CUH
#define INCLUDED_GPUFFT_KERNELS_REAL_SPLIT_CUH

#include "real_pack.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// X[k] and X[L-k] of the 2 L numbers whose L pairs were transformed to Z.
struct split_bins {
    complex low, high;

    GPUFFT_DEVICE split_bins(complex z, complex mirrored, complex root)
    {
        const complex even = (z + conjugate(mirrored)) * real(0.5);
        const complex difference = (z - conjugate(mirrored)) * real(0.5);
        const complex odd = root * complex{ difference.im, -difference.re };
        low = even + odd;
        high = conjugate(even - odd);
    }
};

template <int L, class Read>
GPUFFT_DEVICE split_bins split_pair(int k, Read&& read)
{
    return split_bins(read(k), read(k == 0 ? 0 : L - k), root_of_unity<2 * L>(k));
}

// r2c, N even.
template <class Half>
struct split_half {
    static constexpr int points = Half::n / 2, items = points / 2 + 1;
    static constexpr bool is_pointwise = false;

    template <class Read>
    static GPUFFT_DEVICE void run(const transform_arguments& arguments,
                                  unsigned long long vector,
                                  int k,
                                  Read&& read)
    {
        const split_bins x = split_pair<points>(k, read);
        Half::put(arguments, vector, k, x.low);
        Half::put(arguments, vector, points - k, x.high);
    }
};

// y[k] and y[N-k] of dct2 from X[k] and exp(-j pi k / 2N).
template <class Row>
GPUFFT_DEVICE void put_cosines(const transform_arguments& arguments,
                               unsigned long long row,
                               int k,
                               complex x,
                               complex root)
{
    const complex turned = x * root;
    Row::put(arguments, row, k, 2 * turned.re);
    if (k > 0)
        Row::put(arguments, row, Row::n - k, -2 * turned.im);
}

// dct2, N even.
template <class Row>
struct split_cosine {
    static constexpr int n = Row::n, points = n / 2, items = points / 2 + 1;
    static constexpr bool is_pointwise = false;

    template <class Read>
    static GPUFFT_DEVICE void run(const transform_arguments& arguments,
                                  unsigned long long vector,
                                  int k,
                                  Read&& read)
    {
        const split_bins x = split_pair<points>(k, read);
        const complex root = root_of_unity<4 * n>(k);
        put_cosines<Row>(arguments, vector, k, x.low, root);
        // exp(-j pi (L-k) / 2N) = exp(-j pi / 4) exp(j pi k / 2N)
        put_cosines<Row>(
            arguments, vector, points - k, x.high, rotate<1, 8>(conjugate(root)));
    }
};

// dct4, N even.
template <class Row>
struct split_turned {
    static constexpr int n = Row::n, points = n / 2, items = (points + 1) / 2;
    static constexpr bool is_pointwise = false;

    template <class Read>
    static GPUFFT_DEVICE void run(const transform_arguments& arguments,
                                  unsigned long long vector,
                                  int k,
                                  Read&& read)
    {
        const int mirrored = points - 1 - k;
        const complex low = read(k) * root_of_unity<2 * n>(k);
        const complex high = read(mirrored) * root_of_unity<2 * n>(mirrored);
        const real first[2] = { 2 * low.re, -2 * high.im };
        const real last[2] = { 2 * high.re, -2 * low.im };
        Row::write(arguments, vector, 2 * k, first);
        Row::write(arguments, vector, 2 * mirrored, last);
    }
};

// dct1 and dst1 (Odd).
template <class Row, bool Odd>
struct split_extended {
    static constexpr int n = Row::n, points = Odd ? n + 1 : n - 1;
    static constexpr int items = points / 2 + 1;
    static constexpr bool is_pointwise = false;

    static GPUFFT_DEVICE void
    put(const transform_arguments& arguments, unsigned long long row, int k, complex x)
    {
        if constexpr (!Odd)
            Row::put(arguments, row, k, x.re);
        else if (k > 0 && k < points)
            Row::put(arguments, row, k - 1, -x.im);
    }

    template <class Read>
    static GPUFFT_DEVICE void run(const transform_arguments& arguments,
                                  unsigned long long vector,
                                  int k,
                                  Read&& read)
    {
        const split_bins x = split_pair<points>(k, read);
        put(arguments, vector, k, x.low);
        put(arguments, vector, points - k, x.high);
    }
};

// c2r, N even.
template <class Row>
struct split_pairs {
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

// dct3, N even.
template <class Row>
struct split_cosine_inverse {
    static constexpr int n = Row::n, points = n / 2;
    static constexpr bool is_pointwise = n % 4 != 0;
    static constexpr int items = is_pointwise ? points : n / 4;

    template <class Read>
    static GPUFFT_DEVICE void run(const transform_arguments& arguments,
                                  unsigned long long vector,
                                  int item,
                                  Read&& read)
    {
        const complex z = read(item);
        if constexpr (is_pointwise) {
            Row::put(arguments, vector, cosine_place<n>(2 * item), z.re);
            Row::put(arguments, vector, cosine_place<n>(2 * item + 1), z.im);
        } else {
            const complex mirrored = read(points - 1 - item);
            const real y[4] = { z.re, mirrored.im, z.im, mirrored.re };
            Row::write(arguments, vector, 4 * item, y);
        }
    }
};

// N odd, two rows from the pair k, N-k. Row::put() takes a real row's bin k <= N/2.
template <class Row>
struct split_two {
    static constexpr int points = Row::n, items = points / 2 + 1;
    static constexpr bool is_pointwise = false;

    template <class Read>
    static GPUFFT_DEVICE void run(const transform_arguments& arguments,
                                  unsigned long long vector,
                                  int k,
                                  Read&& read)
    {
        const complex z = read(k);
        const complex mirrored = conjugate(read(k == 0 ? 0 : points - k));
        Row::put(arguments, 2 * vector, k, (z + mirrored) * real(0.5));
        const complex difference = (z - mirrored) * real(0.5);
        if (2 * vector + 1 < arguments.average)
            Row::put(
                arguments, 2 * vector + 1, k, complex{ difference.im, -difference.re });
    }
};

// The row that dct2 makes of such bins.
template <class Row>
struct cosines_of_bins {
    static constexpr int n = Row::n;
    static GPUFFT_DEVICE void
    put(const transform_arguments& arguments, unsigned long long row, int k, complex x)
    {
        put_cosines<Row>(arguments, row, k, x, root_of_unity<4 * n>(k));
    }
};

// dct4, N odd: y[k] = 2 Re(exp(-2 pi j u b / 8) G[v b mod N]) with b = 2k + 1, u N = 1
// mod 8 and 8 v = 1 mod N, where G are the bins of turned_row (Chinese remainders).
template <class Row>
struct split_two_turned {
    static constexpr int n = Row::n, points = n, items = n;
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
        const int b = 2 * k + 1;
        const int p = static_cast<int>(static_cast<long long>(v) * b % n);
        const complex z = read(p), mirrored = conjugate(read(p == 0 ? 0 : n - p));
        const complex root = root_of_unity<8>(n * (b & 7) & 7);
        Row::put(arguments, 2 * vector, k, (root * (z + mirrored)).re);
        const complex difference = z - mirrored;
        if (2 * vector + 1 < arguments.average)
            Row::put(arguments,
                     2 * vector + 1,
                     k,
                     (root * complex{ difference.im, -difference.re }).re);
    }
};

// c2r (Cosine = false) and dct3, N odd.
template <class Row, bool Cosine>
struct split_two_rows {
    static constexpr int n = Row::n, points = n, items = n;
    static constexpr bool is_pointwise = true;

    template <class Read>
    static GPUFFT_DEVICE void run(const transform_arguments& arguments,
                                  unsigned long long vector,
                                  int m,
                                  Read&& read)
    {
        const complex z = read(m);
        const int at = Cosine ? cosine_place<n>(m) : m;
        Row::put(arguments, 2 * vector, at, z.re);
        if (2 * vector + 1 < arguments.average)
            Row::put(arguments, 2 * vector + 1, at, z.im);
    }
};

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
