// SPDX-License-Identifier: GPL-3.0-or-later
//
// The small DFTs that a thread computes in its registers: X[k] = sum_m x[m] exp(-2 pi j m
// k / R). Radices 2 and 4 need only sums, odd primes use symmetric pairs, and every other
// radix is composed of these by Cooley and Tukey's splitting R = A B.

#ifndef INCLUDED_GPUFFT_KERNELS_BUTTERFLY_CUH
#define INCLUDED_GPUFFT_KERNELS_BUTTERFLY_CUH

#include "complex.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

GPUFFT_DEVICE constexpr int smallest_prime(int radix)
{
    for (int p = 2; p * p <= radix; ++p)
        if (radix % p == 0)
            return p;
    return radix;
}

// The factor A of R = A B: 4 if it divides R, else the smallest prime.
GPUFFT_DEVICE constexpr int first_factor(int radix)
{
    return radix % 4 == 0 ? 4 : smallest_prime(radix);
}

GPUFFT_DEVICE void butterfly_2(complex* x)
{
    const complex difference = x[0] - x[1];
    x[0] = x[0] + x[1];
    x[1] = difference;
}

GPUFFT_DEVICE void butterfly_4(complex* x)
{
    const complex even_sum = x[0] + x[2], even_difference = x[0] - x[2];
    const complex odd_sum = x[1] + x[3], odd_difference = rotate<1, 4>(x[1] - x[3]);
    x[0] = even_sum + odd_sum;
    x[1] = even_difference + odd_difference;
    x[2] = even_sum - odd_sum;
    x[3] = even_difference - odd_difference;
}

// X[k], X[P-k] = x[0] + sum_m (x[m] + x[P-m]) cos(2 pi m k / P)
//                -+ j sum_m (x[m] - x[P-m]) sin(2 pi m k / P),  m = 1 ... (P-1)/2.
template <int P>
GPUFFT_DEVICE void butterfly_odd_prime(complex* x)
{
    constexpr int half = (P - 1) / 2;
    complex sums[half], differences[half];
    complex total = x[0];
#pragma unroll
    for (int m = 0; m < half; ++m) {
        sums[m] = x[m + 1] + x[P - 1 - m];
        differences[m] = x[m + 1] - x[P - 1 - m];
        total = total + sums[m];
    }
    static_for<1, half + 1>([&](auto k) {
        complex even = x[0], odd = { 0, 0 };
        static_for<1, half + 1>([&](auto m) {
            constexpr real c = cosine_of_turn(decltype(m)::value * decltype(k)::value, P);
            constexpr real s = sine_of_turn(decltype(m)::value * decltype(k)::value, P);
            even = even + sums[m - 1] * c;
            odd = odd + differences[m - 1] * s;
        });
        x[k] = { even.re + odd.im, even.im - odd.re };
        x[P - k] = { even.re - odd.im, even.im + odd.re };
    });
    x[0] = total;
}

template <int R>
GPUFFT_DEVICE void butterfly(complex* x);

// With m = B a + b and k = c + A d:
//   X[c + A d] = sum_b exp(-2 pi j b d / B) exp(-2 pi j b c / R)
//                sum_a x[B a + b] exp(-2 pi j a c / A)
template <int A, int B>
GPUFFT_DEVICE void butterfly_composite(complex* x)
{
    complex y[A * B]; // y[B c + b]
    static_for<0, B>([&](auto b) {
        complex column[A];
        static_for<0, A>([&](auto a) { column[a] = x[B * a + b]; });
        butterfly<A>(column);
        static_for<0, A>([&](auto c) {
            y[B * c + b] =
                rotate<decltype(b)::value* decltype(c)::value, A * B>(column[c]);
        });
    });
    static_for<0, A>([&](auto c) {
        butterfly<B>(y + B * c);
        static_for<0, B>([&](auto d) { x[c + A * d] = y[B * c + d]; });
    });
}

template <int R>
GPUFFT_DEVICE void butterfly(complex* x)
{
    if constexpr (R == 2)
        butterfly_2(x);
    else if constexpr (R == 4)
        butterfly_4(x);
    else if constexpr (R > 1 && smallest_prime(R) == R)
        butterfly_odd_prime<R>(x);
    else if constexpr (R > 1)
        butterfly_composite<first_factor(R), R / first_factor(R)>(x);
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
