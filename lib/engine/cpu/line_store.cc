// SPDX-License-Identifier: GPL-3.0-or-later
//
// Has one loop for every format, and VOLK where it is faster. Bins with gaps are written
// for several lines side by side, because neighbours share cache lines.

#include "line_store.h"
#include "on_host/half_float.h"
#include "rotation.h"

#include <algorithm>
#include <complex>
#include <cstdint>
#include <volk/volk.h>

namespace gr {
namespace gpufft {

namespace {

// Stores a value in a format.
template <class T>
struct number_writer {
    typedef T stored;
    static constexpr bool saturates = false;
    static T convert(T value) { return value; }
};

struct half_writer {
    typedef std::uint16_t stored;
    static constexpr bool saturates = false;
    static stored convert(float value) { return half_of_float(value); }
};

// Rounds to the nearest and saturates; NaN is 0.
template <class Integer>
struct integer_writer {
    typedef Integer stored;
    static constexpr float FULL_SCALE = sizeof(Integer) == 2 ? 32768.0f : 128.0f;
    static constexpr float ROUNDER = 3 << 22; // leaves no bits below 1
    static constexpr bool saturates = true;
    static stored convert(float value)
    {
        const float scaled = value * FULL_SCALE;
        const float above = scaled < -FULL_SCALE ? -FULL_SCALE : scaled;
        const float limited = above < FULL_SCALE - 1 ? above : FULL_SCALE - 1;
        const float rounded = (limited + ROUNDER) - ROUNDER;
        return static_cast<stored>(
            static_cast<std::int32_t>(scaled == scaled ? rounded : 0.0f));
    }

    // 1 if convert() limits the value. (Halves round to even, as convert() does.)
    static std::uint32_t exceeds(float value)
    {
        const float scaled = value * FULL_SCALE;
        return std::uint32_t(scaled >= FULL_SCALE - 0.5f) |
               std::uint32_t(scaled < -FULL_SCALE - 0.5f);
    }
};

template <class Writer, class T>
std::uint64_t count_saturated(const T* values, std::size_t count, T scale)
{
    constexpr std::size_t PIECE = 1 << 20; // whose count fits 32 bits
    std::uint64_t all = 0;
    for (std::size_t first = 0; first < count; first += PIECE) {
        const std::size_t last = std::min(first + PIECE, count);
        std::uint32_t of_piece = 0;
        for (std::size_t k = first; k < last; ++k)
            of_piece += Writer::exceeds(values[k] * scale);
        all += of_piece;
    }
    return all;
}

template <class Writer, class T>
typename Writer::stored convert(T value)
{
    return Writer::convert(value);
}

template <class Part>
struct complex_number {
    Part real, imag;
};

template <class Writer, class T>
complex_number<typename Writer::stored> convert(std::complex<T> value)
{
    return { Writer::convert(value.real()), Writer::convert(value.imag()) };
}

// Returns how many values saturated.
template <class Writer, class T, class Stored>
std::uint64_t store_run(const T* from, std::size_t length, T scale, Stored* to)
{
    if constexpr (std::is_same_v<Writer, number_writer<float>>) {
        if (scale == 1)
            std::copy_n(from, length, to);
        else
            volk_32f_s32f_multiply_32f(to, from, scale, unsigned(length));
    } else {
        for (std::size_t k = 0; k < length; ++k)
            to[k] = Writer::convert(from[k] * scale);
    }
    if constexpr (Writer::saturates)
        return count_saturated<Writer>(from, length, scale);
    return 0;
}

// Stores real and imaginary parts separately, so that the loop vectorises.
template <class Writer, class T, class Stored>
std::uint64_t
store_run(const std::complex<T>* from, std::size_t length, T scale, Stored* to)
{
    return store_run<Writer>(reinterpret_cast<const T*>(from),
                             2 * length,
                             scale,
                             reinterpret_cast<typename Writer::stored*>(to));
}

// One value, in real and imaginary part if it is complex.
template <class Writer, class Value, class T, class Stored>
std::uint64_t store_one(const Value* from, T scale, Stored* to)
{
    if constexpr (Writer::saturates)
        return store_run<Writer>(from, 1, scale, to);
    *to = convert<Writer>(*from * scale);
    return 0;
}

template <class Writer, class Value, class T>
std::uint64_t store(const line_target& target,
                    const Value* lines,
                    std::size_t pitch,
                    T scale,
                    void* bins,
                    const std::size_t* places,
                    std::size_t count)
{
    auto* stored = static_cast<decltype(convert<Writer>(Value()))*>(bins);
    std::uint64_t saturated = 0;
    if (target.map != nullptr) {
        for (std::size_t g = 0; g < count; ++g)
            for (std::size_t i = 0; i < target.map->size(); ++i)
                saturated += store_one<Writer>(
                    lines + g * pitch + (*target.map)[i], scale, stored + places[g] + i);
        return saturated;
    }
    const auto piece = [&](std::size_t from, std::size_t to, std::size_t length) {
        if (target.stride == 1) {
            for (std::size_t g = 0; g < count; ++g)
                saturated += store_run<Writer>(
                    lines + g * pitch + from, length, scale, stored + places[g] + to);
            return;
        }
        for (std::size_t k = 0; k < length; ++k)
            for (std::size_t g = 0; g < count; ++g)
                saturated +=
                    store_one<Writer>(lines + g * pitch + from + k,
                                      scale,
                                      stored + places[g] + (to + k) * target.stride);
    };
    for_each_run(target.n, target.rotation, 0, target.n, piece);
    return saturated;
}

// Calls use(writer) for a format of single precision.
template <class Use>
std::uint64_t with_writer(number_format format, const Use& use)
{
    switch (format) {
    case number_format::f16:
        return use(half_writer());
    case number_format::s16:
        return use(integer_writer<std::int16_t>());
    case number_format::s8:
        return use(integer_writer<std::int8_t>());
    case number_format::working:
        break;
    }
    return use(number_writer<float>());
}

} // namespace

void store_numbers(number_format format,
                   const float* values,
                   std::size_t count,
                   void* stored,
                   saturation_count& saturated)
{
    saturated += with_writer(format, [&](auto writer) {
        typedef decltype(writer) kind;
        return store_run<kind>(
            values, count, 1.0f, static_cast<typename kind::stored*>(stored));
    });
}

template <class T>
void store_lines(const line_target& target,
                 const void* lines,
                 std::size_t pitch,
                 T scale,
                 void* bins,
                 const std::size_t* places,
                 std::size_t count)
{
    const auto store_as = [&](auto writer) {
        typedef decltype(writer) kind;
        return target.is_complex ? store<kind>(target,
                                               static_cast<const std::complex<T>*>(lines),
                                               pitch,
                                               scale,
                                               bins,
                                               places,
                                               count)
                                 : store<kind>(target,
                                               static_cast<const T*>(lines),
                                               pitch,
                                               scale,
                                               bins,
                                               places,
                                               count);
    };
    std::uint64_t saturated = 0;
    if constexpr (std::is_same_v<T, float>)
        saturated = with_writer(target.format, store_as);
    else
        store_as(number_writer<T>());
    if (saturated > 0 && target.saturated != nullptr)
        *target.saturated += saturated;
}

template void store_lines<float>(const line_target&,
                                 const void*,
                                 std::size_t,
                                 float,
                                 void*,
                                 const std::size_t*,
                                 std::size_t);
template void store_lines<double>(const line_target&,
                                  const void*,
                                  std::size_t,
                                  double,
                                  void*,
                                  const std::size_t*,
                                  std::size_t);

} // namespace gpufft
} // namespace gr
