// SPDX-License-Identifier: GPL-3.0-or-later
//
// IEEE 754 half precision as 16 bits: conversion to and from float without branches, so
// that the compiler vectorises it.

#ifndef INCLUDED_GPUFFT_HALF_FLOAT_H
#define INCLUDED_GPUFFT_HALF_FLOAT_H

#include <cstdint>
#include <cstring>

namespace gr {
namespace gpufft {

inline float float_of_bits(std::uint32_t bits)
{
    float value;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
}

inline std::uint32_t bits_of_float(float value)
{
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    return bits;
}

// a where the condition holds, else b, without a branch.
inline std::uint32_t select_bits(bool condition, std::uint32_t a, std::uint32_t b)
{
    const std::uint32_t mask = 0u - static_cast<std::uint32_t>(condition);
    return (a & mask) | (b & ~mask);
}

// The exact value.
inline float half_to_float(std::uint16_t half)
{
    constexpr std::uint32_t REBIAS = (127 - 15) << 23;
    constexpr std::uint32_t SMALLEST_NORMAL = (127 - 14) << 23;
    const std::int32_t exponent = half & 0x7c00;
    const std::uint32_t magnitude = (half & 0x7fffu) << 13;
    const std::uint32_t subnormal = bits_of_float(
        float_of_bits(magnitude + SMALLEST_NORMAL) - float_of_bits(SMALLEST_NORMAL));
    const std::uint32_t normal = magnitude + REBIAS;
    const std::uint32_t finite = select_bits(exponent == 0, subnormal, normal);
    const std::uint32_t bits = select_bits(exponent == 0x7c00, normal + REBIAS, finite);
    return float_of_bits(bits | (half & 0x8000u) << 16);
}

// Rounded to nearest, ties to even; to infinity from 65520 on.
inline std::uint16_t half_of_float(float value)
{
    constexpr std::int32_t INFINITE = 0x7f800000, OVERFLOWS = (127 + 16) << 23;
    constexpr std::int32_t SMALLEST_NORMAL = (127 - 14) << 23;
    constexpr std::uint32_t HALF = 126 << 23; // 0.5, whose last bit is a subnormal's
    const std::uint32_t bits = bits_of_float(value), magnitude = bits & 0x7fffffffu;
    const std::int32_t size = static_cast<std::int32_t>(magnitude);
    const std::uint32_t subnormal =
        bits_of_float(float_of_bits(magnitude) + float_of_bits(HALF)) - HALF;
    const std::uint32_t normal =
        (magnitude - ((127 - 15) << 23) + 0xfff + (magnitude >> 13 & 1)) >> 13;
    const std::uint32_t finite = select_bits(size < SMALLEST_NORMAL, subnormal, normal);
    const std::uint32_t infinite = select_bits(size > INFINITE, 0x7e00, 0x7c00);
    const std::uint32_t half = select_bits(size >= OVERFLOWS, infinite, finite);
    return static_cast<std::uint16_t>(half | (bits >> 16 & 0x8000u));
}

} // namespace gpufft
} // namespace gr

#endif
