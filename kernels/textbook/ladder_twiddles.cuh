// SPDX-License-Identifier: GPL-3.0-or-later
//
// The ways to get the twiddles of a ladder pass, as policies, for a comparison like that
// of Bainville, "OpenCL Fast Fourier Transform", 2010.
//
// multiply<Radix, Span, N>(arguments, points, j): points[k] *= exp(-2 pi i j k / (Span
// Radix)), k = 1 ... Radix - 1, 0 <= j < Span.

#ifndef INCLUDED_GPUFFT_KERNELS_LADDER_TWIDDLES_CUH
#define INCLUDED_GPUFFT_KERNELS_LADDER_TWIDDLES_CUH

#include "roots.cuh"

#ifndef __CUDACC__
#include <cmath>
#endif

namespace gr {
namespace gpufft {
namespace kernels {

// Computes each twiddle, correct to one unit in the last place. The ladder's default.
struct computed_twiddles {
    template <int Radix, int Span, int N>
    static GPUFFT_DEVICE void multiply(const transform_arguments&, complex* points, int j)
    {
#pragma unroll
        for (int k = 1; k < Radix; ++k)
            points[k] = points[k] * root_of_unity<Span * Radix>(j * k);
    }
};

// Computes one twiddle and its powers: w^k = w^floor(k/2) w^ceil(k/2). Each product adds
// a rounding, at most log2 Radix roundings in total.
struct power_twiddles {
    template <int Radix, int Span, int N>
    static GPUFFT_DEVICE void multiply(const transform_arguments&, complex* points, int j)
    {
        complex powers[Radix];
        powers[1] = root_of_unity<Span * Radix>(j);
#pragma unroll
        for (int k = 2; k < Radix; ++k)
            powers[k] = powers[k / 2] * powers[k - k / 2];
#pragma unroll
        for (int k = 1; k < Radix; ++k)
            points[k] = points[k] * powers[k];
    }
};

// Reads each twiddle from a table of exp(-2 pi i e / N), e = 0 ... N - 1.
struct table_twiddles {
    template <int Radix, int Span, int N>
    static GPUFFT_DEVICE void
    multiply(const transform_arguments& arguments, complex* points, int j)
    {
        constexpr int step = N / (Span * Radix);
#pragma unroll
        for (int k = 1; k < Radix; ++k)
            points[k] = points[k] * load_constant(arguments.twiddles + j * k * step);
    }
};

// cos(pi x) - i sin(pi x) by the compiler's library.
GPUFFT_DEVICE complex library_root(real x)
{
    real sine, cosine;
#if defined(__CUDACC__) && defined(GPUFFT_DOUBLE)
    sincospi(x, &sine, &cosine);
#elif defined(__CUDACC__)
    sincospif(x, &sine, &cosine);
#else
    sine = static_cast<real>(std::sin(M_PI * x));
    cosine = static_cast<real>(std::cos(M_PI * x));
#endif
    return { cosine, -sine };
}

#ifndef GPUFFT_DOUBLE
// The same by the card's special function unit: absolute errors up to 2^-21. It works
// best for angles of -pi ... pi.
GPUFFT_DEVICE complex intrinsic_root(float x)
{
    constexpr float pi = 3.14159265358979323846f;
    const float angle = pi * (x > 1.0f ? x - 2.0f : x);
#ifdef __CUDACC__
    return { __cosf(angle), -__sinf(angle) };
#else
    return { std::cos(angle), -std::sin(angle) };
#endif
}

#endif

// Takes each twiddle from the library, at a rounded angle, like Bainville's sincos.
struct library_twiddles {
    template <int Radix, int Span, int N>
    static GPUFFT_DEVICE void multiply(const transform_arguments&, complex* points, int j)
    {
#pragma unroll
        for (int k = 1; k < Radix; ++k)
            points[k] =
                points[k] * library_root(j * (real(2) * k / (real(1) * Span * Radix)));
    }
};

#ifndef GPUFFT_DOUBLE
// The same by intrinsics, like Bainville's native_sin and native_cos.
struct intrinsic_twiddles {
    template <int Radix, int Span, int N>
    static GPUFFT_DEVICE void multiply(const transform_arguments&, complex* points, int j)
    {
#pragma unroll
        for (int k = 1; k < Radix; ++k)
            points[k] = points[k] * intrinsic_root(static_cast<float>(j) *
                                                   (2.0f * k / (1.0f * Span * Radix)));
    }
};
#endif

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
