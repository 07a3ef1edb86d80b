// SPDX-License-Identifier: GPL-3.0-or-later
//
// The same numbers on the host.

#include "random_data.h"
#include <cmath>
#include <type_traits>

namespace gr {
namespace gpufft {

namespace {

GPUFFT_RANDOM_NUMBERS

// What an unsigned short holds is a 16-bit float.
double value_of(unsigned short half)
{
    const int exponent = half >> 10 & 31, fraction = half & 1023;
    const double sign = half >> 15 != 0 ? -1 : 1;
    if (exponent == 31)
        return fraction != 0 ? std::nan("") : sign * HUGE_VAL;
    return sign * (exponent == 0 ? std::ldexp(fraction, -24)
                                 : std::ldexp(fraction + 1024, exponent - 25));
}

double value_of(float number) { return number; }
double value_of(double number) { return number; }
double value_of(short number) { return number / 32768.0; }
double value_of(signed char number) { return number / 128.0; }

template <class Number>
void fill(Number* data, std::size_t first, std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i)
        set_random(data[i], first + i);
}

// Calls use(data as numbers of that type).
template <class Data, class Use>
void with_type(Data* data, number_type type, Use&& use)
{
    const auto as = [&](auto example) {
        typedef decltype(example) number;
        use(static_cast<std::conditional_t<std::is_const_v<Data>, const number, number>*>(
            data));
    };
    switch (type) {
    case number_type::f32:
        return as(float());
    case number_type::f64:
        return as(double());
    case number_type::f16:
        return as(static_cast<unsigned short>(0));
    case number_type::s16:
        return as(static_cast<short>(0));
    case number_type::s8:
        return as(static_cast<signed char>(0));
    }
}

} // namespace

number_type input_type(const problem& what)
{
    switch (what.input) {
    case sample_format::cf64:
    case sample_format::f64:
        return number_type::f64;
    case sample_format::cf16:
    case sample_format::f16:
        return number_type::f16;
    case sample_format::cs16:
    case sample_format::s16:
        return number_type::s16;
    case sample_format::cs8:
    case sample_format::s8:
        return number_type::s8;
    default:
        return number_type::f32;
    }
}

number_type output_type(const problem& what)
{
    switch (what.stored) {
    case number_format::f16:
        return number_type::f16;
    case number_format::s16:
        return number_type::s16;
    case number_format::s8:
        return number_type::s8;
    default:
        return what.is_double() ? number_type::f64 : number_type::f32;
    }
}

std::size_t bytes_of(number_type type)
{
    constexpr std::size_t BYTES[] = { 4, 8, 2, 2, 1 };
    return BYTES[static_cast<int>(type)];
}

const char* type_name(number_type type)
{
    constexpr const char* NAMES[] = {
        "float", "double", "unsigned short", "short", "signed char"
    };
    return NAMES[static_cast<int>(type)];
}

void fill_random(void* data, number_type type, std::size_t first, std::size_t count)
{
    with_type(data, type, [&](auto* numbers) { fill(numbers, first, count); });
}

std::vector<double> read_numbers(const void* data, number_type type, std::size_t count)
{
    std::vector<double> values(count);
    with_type(data, type, [&](const auto* numbers) {
        for (std::size_t i = 0; i < count; ++i)
            values[i] = value_of(numbers[i]);
    });
    return values;
}

} // namespace gpufft
} // namespace gr
