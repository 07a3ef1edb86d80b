// SPDX-License-Identifier: GPL-3.0-or-later
//
// Formats of numbers in memory, which convert to a value and back: the working
// precision's own, 16-bit floats, and integers of full scale 1, which are rounded to the
// nearest and saturate.

#ifndef INCLUDED_GPUFFT_KERNELS_NUMBERS_CUH
#define INCLUDED_GPUFFT_KERNELS_NUMBERS_CUH

#include "complex.cuh"

#ifdef __CUDACC__

namespace gr {
namespace gpufft {
namespace kernels {

// IEEE 754 half precision: exact to float, from float to the nearest (ties to even).
GPUFFT_DEVICE float half_to_float(unsigned short half)
{
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(half));
    return value;
}

GPUFFT_DEVICE unsigned short half_of_float(float value)
{
    unsigned short half;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(value));
    return half;
}

// The nearest integer (ties to even), within 32 bits; 0 for NaN.
GPUFFT_DEVICE int nearest_integer(float value) { return __float2int_rn(value); }

} // namespace kernels
} // namespace gpufft
} // namespace gr

#else
#include "on_host/numbers_on_host.h"
#endif

namespace gr {
namespace gpufft {
namespace kernels {

struct number_working {
    typedef real item;
    static GPUFFT_DEVICE constexpr bool saturates() { return false; }
    static GPUFFT_DEVICE real value(item x) { return x; }
    static GPUFFT_DEVICE item stored(real x) { return x; }
};

struct number_f16 {
    typedef unsigned short item;
    static GPUFFT_DEVICE constexpr bool saturates() { return false; }
    static GPUFFT_DEVICE real value(item x) { return half_to_float(x); }
    static GPUFFT_DEVICE item stored(real x)
    {
        return half_of_float(static_cast<float>(x));
    }
};

template <class Integer>
struct number_integer {
    typedef Integer item;
    static GPUFFT_DEVICE constexpr bool saturates() { return true; }
    static constexpr int full_scale = sizeof(Integer) == 2 ? 32768 : 128;

    static GPUFFT_DEVICE real value(item x)
    {
        constexpr real unit = 1.0 / full_scale;
        return x * unit;
    }

    // Whether stored() limits x.
    static GPUFFT_DEVICE bool exceeds(real x)
    {
        const int nearest = nearest_integer(static_cast<float>(x * full_scale));
        return nearest < -full_scale || nearest > full_scale - 1;
    }

    static GPUFFT_DEVICE item stored(real x)
    {
        const int nearest = nearest_integer(static_cast<float>(x * full_scale));
        return static_cast<item>(nearest < -full_scale      ? -full_scale
                                 : nearest > full_scale - 1 ? full_scale - 1
                                                            : nearest);
    }
};

typedef number_integer<short> number_s16;
typedef number_integer<signed char> number_s8;

// Integers of Bits bits without gaps, the highest bits first: the bits of the `Count` (1
// or 2) numbers that begin `shift` bits after a byte. No byte beyond them is read.
template <int Count>
GPUFFT_DEVICE unsigned packed_bits(const unsigned char* bytes, int shift)
{
    static_assert(Count == 1 || Count == 2, "one, or two of an item");
    unsigned together = static_cast<unsigned>(bytes[0]) << 24 | bytes[1] << 16;
    if constexpr (Count == 2)
        together |= bytes[2] << 8;
    return together << shift;
}

// Number i of these bits.
template <int Bits>
GPUFFT_DEVICE real packed_value(unsigned together, int i)
{
    constexpr real unit = 1.0 / (1 << (Bits - 1));
    return (static_cast<int>(together << (i * Bits)) >> (32 - Bits)) * unit;
}

template <int Bits>
struct number_packed { // a number is no whole bytes
};

typedef number_packed<12> number_s12;
typedef number_packed<10> number_s10;

// A complex number of two small numbers.
template <class Number>
struct number_pair {
    struct alignas(2 * sizeof(typename Number::item)) item {
        typename Number::item re, im;
    };
    static GPUFFT_DEVICE complex value(item x)
    {
        return { Number::value(x.re), Number::value(x.im) };
    }
    static GPUFFT_DEVICE item stored(complex x)
    {
        return { Number::stored(x.re), Number::stored(x.im) };
    }
};

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
