// SPDX-License-Identifier: GPL-3.0-or-later
//
// A user's expressions in the load step, in the product of spectra and in the store step.
// An expression is a type made of those below, which lib/problem/expression.cc writes:
// "x * gain" is user_times<user_sample, user_parameter<0>>. Each has of(values), which is
// real or complex.

#ifndef INCLUDED_GPUFFT_KERNELS_USER_STEPS_CUH
#define INCLUDED_GPUFFT_KERNELS_USER_STEPS_CUH

#include "complex.cuh"

#if defined(__CUDACC__) && defined(GPUFFT_PARAMETERS)
extern "C" {
__constant__ float gpufft_parameters[GPUFFT_PARAMETERS];
}
#endif

namespace gr {
namespace gpufft {
namespace kernels {

// What an expression sees: the sample, bin or spectrum x, and h of a product.
struct user_values {
    complex x, h;
};

// Real and complex numbers together.
GPUFFT_DEVICE complex user_complex(real a) { return { a, 0 }; }
GPUFFT_DEVICE complex user_complex(complex a) { return a; }
GPUFFT_DEVICE real user_like(real a, real) { return a; }
template <class A>
GPUFFT_DEVICE complex user_like(A a, complex)
{
    return user_complex(a);
}
GPUFFT_DEVICE complex user_like(complex a, real) { return a; }

GPUFFT_DEVICE real user_quotient(real a, real b) { return a / b; }
GPUFFT_DEVICE complex user_quotient(complex a, real b) { return { a.re / b, a.im / b }; }
template <class A>
GPUFFT_DEVICE complex user_quotient(A a, complex b)
{
    const complex p = user_complex(a) * complex{ b.re, -b.im };
    const real n = squared_magnitude(b);
    return { p.re / n, p.im / n };
}

GPUFFT_DEVICE real user_product(real a, real b) { return a * b; }
GPUFFT_DEVICE complex user_product(real a, complex b) { return b * a; }
GPUFFT_DEVICE complex user_product(complex a, real b) { return a * b; }
GPUFFT_DEVICE complex user_product(complex a, complex b) { return a * b; }

struct user_sample {
    static GPUFFT_DEVICE complex of(const user_values& all) { return all.x; }
};

struct user_response {
    static GPUFFT_DEVICE complex of(const user_values& all) { return all.h; }
};

// A number by the bits of its float.
template <unsigned Bits>
struct user_number {
    static GPUFFT_DEVICE real of(const user_values&)
    {
#ifdef __CUDACC__
        return __uint_as_float(Bits);
#else
        return user_float(Bits);
#endif
    }
};

template <class A>
struct user_imaginary {
    static GPUFFT_DEVICE complex of(const user_values& all) { return { 0, A::of(all) }; }
};

#if !defined(__CUDACC__) || defined(GPUFFT_PARAMETERS)
template <int I>
struct user_parameter {
    static GPUFFT_DEVICE real of(const user_values&) { return gpufft_parameters[I]; }
};
#endif

template <class A, class B>
struct user_plus {
    static GPUFFT_DEVICE auto of(const user_values& all)
    {
        const auto a = A::of(all);
        const auto b = B::of(all);
        return user_like(a, b) + user_like(b, a);
    }
};

template <class A, class B>
struct user_minus {
    static GPUFFT_DEVICE auto of(const user_values& all)
    {
        const auto a = A::of(all);
        const auto b = B::of(all);
        return user_like(a, b) - user_like(b, a);
    }
};

template <class A, class B>
struct user_times {
    static GPUFFT_DEVICE auto of(const user_values& all)
    {
        return user_product(A::of(all), B::of(all));
    }
};

template <class A, class B>
struct user_over {
    static GPUFFT_DEVICE auto of(const user_values& all)
    {
        return user_quotient(A::of(all), B::of(all));
    }
};

template <class A>
struct user_negative {
    static GPUFFT_DEVICE auto of(const user_values& all)
    {
        return user_product(real(-1), A::of(all));
    }
};

// A if C, else B.
template <class C, class A, class B>
struct user_choice {
    static GPUFFT_DEVICE auto of(const user_values& all)
    {
        const auto a = A::of(all);
        const auto b = B::of(all);
        return C::of(all) ? user_like(a, b) : user_like(b, a);
    }
};

// Conditions, and functions of one to three real numbers.
#define GPUFFT_USER_PAIR(NAME, RESULT, VALUE)                                            \
    template <class A, class B>                                                          \
    struct user_##NAME {                                                                 \
        static GPUFFT_DEVICE RESULT of(const user_values& all)                           \
        {                                                                                \
            const real a = A::of(all), b = B::of(all);                                   \
            return VALUE;                                                                \
        }                                                                                \
    };
GPUFFT_USER_PAIR(less, bool, a < b)
GPUFFT_USER_PAIR(less_equal, bool, a <= b)
GPUFFT_USER_PAIR(equal, bool, a == b)
GPUFFT_USER_PAIR(unequal, bool, a != b)
GPUFFT_USER_PAIR(power, real, powf(a, b))
GPUFFT_USER_PAIR(atan2, real, atan2f(a, b))
GPUFFT_USER_PAIR(min, real, fminf(a, b))
GPUFFT_USER_PAIR(max, real, fmaxf(a, b))
#undef GPUFFT_USER_PAIR

template <class A, class Low, class High>
struct user_clip {
    static GPUFFT_DEVICE real of(const user_values& all)
    {
        return fminf(fmaxf(A::of(all), Low::of(all)), High::of(all));
    }
};

#define GPUFFT_USER_REAL(NAME, VALUE)                                                    \
    template <class A>                                                                   \
    struct user_##NAME {                                                                 \
        static GPUFFT_DEVICE real of(const user_values& all)                             \
        {                                                                                \
            const real a = A::of(all);                                                   \
            return VALUE;                                                                \
        }                                                                                \
    };
GPUFFT_USER_REAL(sqrt, sqrtf(a))
GPUFFT_USER_REAL(log, logf(a))
GPUFFT_USER_REAL(log2, log2f(a))
GPUFFT_USER_REAL(log10, log10f(a))
GPUFFT_USER_REAL(sin, sinf(a))
GPUFFT_USER_REAL(cos, cosf(a))
GPUFFT_USER_REAL(tan, tanf(a))
GPUFFT_USER_REAL(tanh, tanhf(a))
GPUFFT_USER_REAL(floor, floorf(a))
GPUFFT_USER_REAL(round, rintf(a))
#undef GPUFFT_USER_REAL

// Functions of a complex number.
#define GPUFFT_USER_COMPLEX(NAME, RESULT, VALUE)                                         \
    template <class A>                                                                   \
    struct user_##NAME {                                                                 \
        static GPUFFT_DEVICE RESULT of(const user_values& all)                           \
        {                                                                                \
            const complex a = user_complex(A::of(all));                                  \
            return VALUE;                                                                \
        }                                                                                \
    };
GPUFFT_USER_COMPLEX(abs, real, hypotf(a.re, a.im))
GPUFFT_USER_COMPLEX(norm, real, squared_magnitude(a))
GPUFFT_USER_COMPLEX(arg, real, atan2f(a.im, a.re))
GPUFFT_USER_COMPLEX(real, kernels::real, a.re)
GPUFFT_USER_COMPLEX(imag, kernels::real, a.im)
#undef GPUFFT_USER_COMPLEX

GPUFFT_DEVICE real user_conjugate(real a) { return a; }
GPUFFT_DEVICE complex user_conjugate(complex a) { return { a.re, -a.im }; }
GPUFFT_DEVICE real user_exponential(real a) { return expf(a); }
GPUFFT_DEVICE complex user_exponential(complex a)
{
    return complex{ cosf(a.im), sinf(a.im) } * expf(a.re);
}

template <class A>
struct user_conj {
    static GPUFFT_DEVICE auto of(const user_values& all)
    {
        return user_conjugate(A::of(all));
    }
};

template <class A>
struct user_exp {
    static GPUFFT_DEVICE auto of(const user_values& all)
    {
        return user_exponential(A::of(all));
    }
};

template <class A>
struct user_expj {
    static GPUFFT_DEVICE complex of(const user_values& all)
    {
        const kernels::real a = A::of(all);
        return { cosf(a), sinf(a) };
    }
};

// The place of these expressions: samples of a format, and bins of a kind (store.cuh).
template <class Format, class Step>
struct user_format {
    typedef typename Format::item item;
    static GPUFFT_DEVICE complex convert(item x)
    {
        return user_complex(Step::of({ Format::convert(x), { 0, 0 } }));
    }
};

template <class Step>
struct user_bin {
    static GPUFFT_DEVICE complex of(complex x, real scale)
    {
        return user_complex(Step::of({ x * scale, { 0, 0 } }));
    }
};

// The product of a spectrum of N bins and a response, over N.
struct plain_product {
    template <int N>
    static GPUFFT_DEVICE complex of(complex x, complex h) // h is over N already
    {
        return x * h;
    }
};

template <class Step>
struct user_spectrum_product {
    template <int N>
    static GPUFFT_DEVICE complex of(complex x, complex h)
    {
        return user_complex(Step::of({ x, h })) * (real(1) / N);
    }
};

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
