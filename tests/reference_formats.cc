// SPDX-License-Identifier: GPL-3.0-or-later
//
// Numbers in the formats that samples come and bins are stored in.

#include "reference_formats.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace gr {
namespace gpufft {

namespace {

double half_value(std::uint16_t bits)
{
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    const double magnitude = exponent == 31
                                 ? (fraction == 0 ? INFINITY : NAN)
                                 : std::ldexp(fraction + (exponent == 0 ? 0 : 1024),
                                              std::max(exponent, 1) - 25);
    return bits >> 15 == 0 ? magnitude : -magnitude;
}

template <class T>
T value_at(const void* values, std::size_t i)
{
    T value;
    std::memcpy(&value, static_cast<const char*>(values) + i * sizeof(T), sizeof(T));
    return value;
}

double half_at(const void* values, std::size_t i)
{
    return half_value(value_at<std::uint16_t>(values, i));
}

double int16_at(const void* values, std::size_t i)
{
    return value_at<std::int16_t>(values, i) / 32768.0;
}

double int8_at(const void* values, std::size_t i)
{
    return value_at<std::int8_t>(values, i) / 128.0;
}

// An integer of `bits` bits from bit `at` on, of bytes whose highest bits come first.
double bits_at(int bits, const void* bytes, std::size_t at)
{
    const int half = 1 << (bits - 1);
    int value = 0;
    for (std::size_t bit = at; bit < at + bits; ++bit)
        value = 2 * value + (value_at<std::uint8_t>(bytes, bit / 8) >> (7 - bit % 8) & 1);
    return (value < half ? value : value - 2 * half) / double(half);
}

// What rounding to the format may change at the most.
long double rounding_at(number_format format, long double value)
{
    switch (format) {
    case number_format::f16:
        return std::ldexp(
            0.5L, value == 0 ? -24 : std::max(std::ilogb(std::abs(value)), -14) - 10);
    case number_format::s16:
        return 0.5L / 32768;
    case number_format::s8:
        return 0.5L / 128;
    case number_format::working:
        break;
    }
    return 0;
}

long double saturated(number_format format, long double value)
{
    if (format == number_format::s16)
        return std::clamp(value, -1.0L, 32767 / 32768.0L);
    if (format == number_format::s8)
        return std::clamp(value, -1.0L, 127 / 128.0L);
    return value;
}

} // namespace

std::complex<long double>
sample_at(sample_format format, const void* samples, std::size_t i)
{
    switch (format) {
    case sample_format::cf64:
        return value_at<std::complex<double>>(samples, i);
    case sample_format::cf32:
        return value_at<std::complex<float>>(samples, i);
    case sample_format::cf16:
        return { half_at(samples, 2 * i), half_at(samples, 2 * i + 1) };
    case sample_format::cs16:
        return { int16_at(samples, 2 * i), int16_at(samples, 2 * i + 1) };
    case sample_format::cs12:
        return { bits_at(12, samples, 24 * i), bits_at(12, samples, 24 * i + 12) };
    case sample_format::s12:
        return bits_at(12, samples, 12 * i);
    case sample_format::s10:
        return bits_at(10, samples, 10 * i);
    case sample_format::cs8:
        return { int8_at(samples, 2 * i), int8_at(samples, 2 * i + 1) };
    case sample_format::f64:
        return value_at<double>(samples, i);
    case sample_format::f32:
        return value_at<float>(samples, i);
    case sample_format::f16:
        return half_at(samples, i);
    case sample_format::s16:
        return int16_at(samples, i);
    case sample_format::s8:
        return int8_at(samples, i);
    }
    return NAN;
}

double number_at(number_format format, bool is_double, const void* values, std::size_t i)
{
    switch (format) {
    case number_format::f16:
        return half_at(values, i);
    case number_format::s16:
        return int16_at(values, i);
    case number_format::s8:
        return int8_at(values, i);
    case number_format::working:
        break;
    }
    return is_double ? value_at<double>(values, i) : value_at<float>(values, i);
}

long double step_of(number_format format)
{
    return format == number_format::s8 ? 1 / 128.0L : 1 / 32768.0L;
}

long double largest(number_format format) { return 1 - step_of(format); }

long double excess(number_format format, long double actual, long double expected)
{
    const long double difference = std::abs(actual - saturated(format, expected));
    const long double allowed = rounding_at(format, expected);
    return difference <= allowed ? 0 : difference - allowed; // NaN stays
}

} // namespace gpufft
} // namespace gr
