// SPDX-License-Identifier: GPL-3.0-or-later
//
// Roots of unity computed in the kernel, where a table would cost more traffic than the
// points themselves. The angle is reduced to an octant exactly, in integers; a polynomial
// computes the root, correct to one unit in the last place.

#ifndef INCLUDED_GPUFFT_KERNELS_ROOTS_CUH
#define INCLUDED_GPUFFT_KERNELS_ROOTS_CUH

#include "complex.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// exp(-2 pi j t), |t| <= 1/8 turn (a little more is harmless), by minimax polynomials
// from interpolation at Chebyshev's points; the sine's first coefficient is in two parts.
#ifdef GPUFFT_DOUBLE
GPUFFT_DEVICE complex root_of_octant(double t)
{
    const double t2 = t * t;
    double cosine = -1.6988814945012136;
    cosine = fma(cosine, t2, 7.9032003085131740);
    cosine = fma(cosine, t2, -26.426253169802808);
    cosine = fma(cosine, t2, 60.244641351924784);
    cosine = fma(cosine, t2, -85.456817206641261);
    cosine = fma(cosine, t2, 64.939394022668240);
    cosine = fma(cosine, t2, -19.739208802178717);
    cosine = fma(cosine, t2, 1.0);
    double sine = 3.7860995949995250;
    sine = fma(sine, t2, -15.094042389106873);
    sine = fma(sine, t2, 42.058689036838565);
    sine = fma(sine, t2, -76.705859734913987);
    sine = fma(sine, t2, 81.605249276050510);
    sine = fma(sine, t2, -41.341702240399755);
    sine = fma(sine, t2, 2.4492935982947064e-16);
    sine = fma(t, 6.2831853071795865, t * sine);
    return { cosine, -sine };
}
#else
GPUFFT_DEVICE complex root_of_octant(float t)
{
    const float t2 = t * t;
    float cosine = 59.4224739f;
    cosine = fmaf(cosine, t2, -85.4487915f);
    cosine = fmaf(cosine, t2, 64.9393692f);
    cosine = fmaf(cosine, t2, -19.7392082f);
    cosine = fmaf(cosine, t2, 1.0f);
    float sine = -75.3990250f;
    sine = fmaf(sine, t2, 81.5924911f);
    sine = fmaf(sine, t2, -41.3416634f);
    sine = fmaf(sine, t2, -1.9436723e-7f);
    sine = fmaf(t, 6.28318548f, t * sine);
    return { cosine, -sine };
}
#endif

// The distance of 4 e from `quarter` times N, divided by 4 N: a fraction of a turn.
template <int N>
GPUFFT_DEVICE real turns_left(int e, int quarter)
{
    if constexpr (sizeof(real) == 4 && N <= 1 << 22) // 4 e - quarter N is exact in float
        return fmaf(-static_cast<float>(quarter), static_cast<float>(N), 4.0f * e) *
               (0.25f / N);
    const int left = // the difference fits, its terms may not
        static_cast<int>(4u * static_cast<unsigned>(e) -
                         static_cast<unsigned>(quarter) * static_cast<unsigned>(N));
    if constexpr (sizeof(real) == 4) {
        return static_cast<float>(left) * (0.25f / N);
    } else {
        constexpr double part = 0.25 / N, high = static_cast<float>(part);
        constexpr double rest = (0.25 - high * N - (part - high) * N) / N;
        return static_cast<real>(fma(double(left), part, left * rest));
    }
}

// exp(-2 pi j e / N), 0 <= e < N <= 2^30, correct to one unit in the last place.
template <int N>
GPUFFT_DEVICE complex root_of_unity(int e)
{
    // nearest quarter turn; an error of one at the edge only enlarges the octant
    const int quarter = static_cast<int>(fmaf(static_cast<float>(e), 4.0f / N, 0.5f));
    const complex root = root_of_octant(turns_left<N>(e, quarter));
    // exp(-pi j quarter / 2) root
    const complex turned =
        quarter & 1 ? complex{ root.im, -root.re } : complex{ root.re, root.im };
    return quarter & 2 ? complex{ -turned.re, -turned.im } : turned;
}

// first step^k for k = 0 ... Count - 1, requested in this order, from step^1, step^2,
// step^4, ...: one complex product each, at most log2(Count) deep.
template <int Count>
class power_sequence
{
public:
    static constexpr int bits = bits_below(Count);

    GPUFFT_DEVICE void set_first(complex first) { d_first = first; }

    // step^(2^bit), bit = 0 ... bits - 1
    GPUFFT_DEVICE void set_power(int bit, complex power) { d_powers[bit] = power; }

    // k is a constant after unrolling, so that all this stays in registers.
    GPUFFT_DEVICE complex next(int k)
    {
        if (k == 0)
            return d_first;
        const int parent = k & (k - 1); // without its lowest bit
        const int bit = lowest_bit(k);
        d_found[bit] =
            (parent == 0 ? d_first : d_found[lowest_bit(parent)]) * d_powers[bit];
        return d_found[bit];
    }

private:
    complex d_first;
    complex d_powers[bits + 1];
    complex d_found[bits + 1]; // the last k with this lowest bit
};

// exp(-2 pi j (first + k step) / N) for k = 0 ... Count - 1, requested in this order,
// from roots that are correct to one unit.
template <int N, int Count>
class root_sequence
{
public:
    // 0 <= step (Count - 1) < N
    GPUFFT_DEVICE void set_step(int step)
    {
#pragma unroll
        for (int bit = 0; bit < power_sequence<Count>::bits; ++bit)
            d_powers.set_power(bit, root_of_unity<N>(step << bit));
    }

    // 0 <= first < N
    GPUFFT_DEVICE void set_first(int first)
    {
        d_powers.set_first(root_of_unity<N>(first));
    }

    GPUFFT_DEVICE complex next(int k) { return d_powers.next(k); }

private:
    power_sequence<Count> d_powers;
};

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
