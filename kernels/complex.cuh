// SPDX-License-Identifier: GPL-3.0-or-later
//
// Complex arithmetic, and the roots of unity as compile-time constants.

#ifndef INCLUDED_GPUFFT_KERNELS_COMPLEX_CUH
#define INCLUDED_GPUFFT_KERNELS_COMPLEX_CUH

#include "arguments.cuh"
#include "device.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

GPUFFT_DEVICE complex operator+(complex a, complex b)
{
    return { a.re + b.re, a.im + b.im };
}

GPUFFT_DEVICE complex operator-(complex a, complex b)
{
    return { a.re - b.re, a.im - b.im };
}

GPUFFT_DEVICE complex operator*(complex a, complex b)
{
    return { a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re };
}

GPUFFT_DEVICE complex operator*(complex a, real b) { return { a.re * b, a.im * b }; }

GPUFFT_DEVICE real squared_magnitude(complex a) { return a.re * a.re + a.im * a.im; }

// The problem's factor, in the working precision.
GPUFFT_DEVICE real scale_of(const transform_arguments& arguments)
{
#ifdef GPUFFT_DOUBLE
    return arguments.double_scale;
#else
    return arguments.scale;
#endif
}

// Place of number i of N: i, or with Shifted (fftshift of what is stored, ifftshift of
// what is read) (i + floor(N/2)) mod N.
template <int N, bool Shifted>
GPUFFT_DEVICE int shifted_at(int i)
{
    if constexpr (Shifted)
        return i < N - N / 2 ? i + N / 2 : i - (N - N / 2);
    return i;
}

// Position of the lowest bit of k > 0 that is set.
GPUFFT_DEVICE constexpr int lowest_bit(int k)
{
    return k & 1 ? 0 : 1 + lowest_bit(k >> 1);
}

// Binary digits of the numbers 0 ... count - 1.
GPUFFT_DEVICE constexpr int bits_below(int count)
{
    return count <= 1 ? 0 : 1 + bits_below((count + 1) / 2);
}

// Inverse transforms run the forward kernel on exchanged parts: with x' = im + j re,
// IDFT(x) = (DFT(x'))'. The exchange only renames registers, and is free.
GPUFFT_DEVICE complex exchange_parts(complex a) { return { a.im, a.re }; }

// cos and sin of 2 pi k / n, 0 <= k / n <= 1/8, by their Taylor series: the last term is
// far below the precision of double, so the constants are right to the last bit of float.
constexpr double TWO_PI = 6.283185307179586476925286766559;

GPUFFT_DEVICE constexpr double cosine_series(double x)
{
    double sum = 1, term = 1;
    for (int i = 1; i <= 12; ++i)
        sum += term *= -x * x / ((2 * i - 1) * (2 * i));
    return sum;
}

GPUFFT_DEVICE constexpr double sine_series(double x)
{
    double sum = x, term = x;
    for (int i = 1; i <= 12; ++i)
        sum += term *= -x * x / ((2 * i) * (2 * i + 1));
    return sum;
}

// cos(2 pi k / n) for any k, reduced to the first octant in integers.
GPUFFT_DEVICE constexpr double cosine_of_turn(int k, int n)
{
    k = (k % n + n) % n;
    if (2 * k > n) // cos(-a) = cos(a)
        k = n - k;
    if (4 * k > n) // cos(pi - a) = -cos(a)
        return -cosine_of_turn(n - 2 * k, 2 * n);
    if (8 * k > n) // cos(pi/2 - a) = sin(a)
        return sine_series(TWO_PI * (n - 4 * k) / (4.0 * n));
    return cosine_series(TWO_PI * k / n);
}

GPUFFT_DEVICE constexpr double sine_of_turn(int k, int n)
{
    return cosine_of_turn(4 * k - n, 4 * n); // sin(a) = cos(a - pi/2)
}

// a exp(-2 pi j K / N), by a cheaper form for special angles.
template <int K, int N>
GPUFFT_DEVICE complex rotate(complex a)
{
    constexpr int k = K % N;
    constexpr real half_root = 0.70710678118654752440;
    if constexpr (k == 0)
        return a;
    else if constexpr (4 * k == N)
        return { a.im, -a.re };
    else if constexpr (2 * k == N)
        return { -a.re, -a.im };
    else if constexpr (4 * k == 3 * N)
        return { -a.im, a.re };
    else if constexpr (8 * k == N)
        return { (a.re + a.im) * half_root, (a.im - a.re) * half_root };
    else if constexpr (8 * k == 3 * N)
        return { (a.im - a.re) * half_root, -(a.re + a.im) * half_root };
    else if constexpr (8 * k == 5 * N)
        return { -(a.re + a.im) * half_root, (a.re - a.im) * half_root };
    else if constexpr (8 * k == 7 * N)
        return { (a.re - a.im) * half_root, (a.re + a.im) * half_root };
    else {
        constexpr real c = cosine_of_turn(k, N);
        constexpr real s = sine_of_turn(k, N);
        return { a.re * c + a.im * s, a.im * c - a.re * s };
    }
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
