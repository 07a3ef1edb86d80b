// SPDX-License-Identifier: GPL-3.0-or-later
//
// Has one loop for every format, and VOLK where it is faster. Points with gaps are read
// for several lines side by side, because neighbours share cache lines.

#include "line_load.h"
#include "on_host/half_float.h"
#include "rotation.h"

#include <algorithm>
#include <complex>
#include <cstdint>
#include <volk/volk.h>

namespace gr {
namespace gpufft {

namespace {

// Reads sample i of a format as a number.
template <class Sample>
struct number_reader {
    const Sample* samples;
    Sample operator()(std::size_t i) const { return samples[i]; }
};

struct half_reader {
    const std::uint16_t* samples;
    float operator()(std::size_t i) const { return half_to_float(samples[i]); }
};

template <class Integer>
struct integer_reader {
    static constexpr float FULL_SCALE = sizeof(Integer) == 2 ? 32768.0f : 128.0f;
    const Integer* samples;
    float operator()(std::size_t i) const { return samples[i] * (1 / FULL_SCALE); }
};

// Two 12-bit integers in 3 bytes.
struct packed_reader {
    const std::uint8_t* bytes;
    std::complex<float> operator()(std::size_t i) const
    {
        constexpr float UNIT = 1.0f / 32768; // the upper 12 of 16 bits
        const std::uint8_t* const x = bytes + 3 * i;
        return { static_cast<std::int16_t>(x[0] << 8 | (x[1] & 0xf0)) * UNIT,
                 static_cast<std::int16_t>(x[1] << 12 | x[2] << 4) * UNIT };
    }
};

// Real integers of Bits bits without gaps, the highest bits first.
template <int Bits>
struct packed_number_reader {
    const std::uint8_t* bytes;
    float operator()(std::size_t i) const
    {
        constexpr float UNIT = 1.0f / 32768; // the upper ones of 16 bits
        constexpr int UPPER = 0x10000 - (1 << (16 - Bits));
        const std::uint8_t* const x = bytes + Bits * i / 8;
        const int two = (x[0] << 8 | x[1]) << (Bits * i % 8);
        return static_cast<std::int16_t>(two & UPPER) * UNIT;
    }
};

// Reads I/Q pairs with a reader of numbers.
template <class Reader>
struct pair_reader {
    Reader reader;
    std::complex<float> operator()(std::size_t i) const
    {
        return { reader(2 * i), reader(2 * i + 1) };
    }
};

// Loads points, each times taps[m] unless there are no taps.
template <class T, class Reader, class Value>
void load_run(const Reader& read,
              std::size_t first,
              std::size_t points,
              const T* taps,
              Value* to)
{
    if (taps == nullptr)
        for (std::size_t m = 0; m < points; ++m)
            to[m] = Value(read(first + m));
    else
        for (std::size_t m = 0; m < points; ++m)
            to[m] = Value(read(first + m) * taps[m]);
}

void load_run(const number_reader<std::complex<float>>& read,
              std::size_t first,
              std::size_t points,
              const float* taps,
              std::complex<float>* to)
{
    if (taps == nullptr)
        std::copy_n(read.samples + first, points, to);
    else
        volk_32fc_32f_multiply_32fc(to, read.samples + first, taps, unsigned(points));
}

// Converts numbers, which are real and imaginary parts in turns.
template <class Reader>
void convert(const Reader& read, std::size_t first, std::size_t numbers, float* to)
{
    for (std::size_t i = 0; i < numbers; ++i)
        to[i] = read(first + i);
}

void convert(const integer_reader<std::int16_t>& read,
             std::size_t first,
             std::size_t numbers,
             float* to)
{
    volk_16i_s32f_convert_32f(
        to, read.samples + first, read.FULL_SCALE, unsigned(numbers));
}

void convert(const integer_reader<std::int8_t>& read,
             std::size_t first,
             std::size_t numbers,
             float* to)
{
    volk_8i_s32f_convert_32f(
        to, read.samples + first, read.FULL_SCALE, unsigned(numbers));
}

template <class Reader>
void load_run(const pair_reader<Reader>& pairs,
              std::size_t first,
              std::size_t points,
              const float* taps,
              std::complex<float>* to)
{
    convert(pairs.reader, 2 * first, 2 * points, reinterpret_cast<float*>(to));
    if (taps != nullptr)
        volk_32fc_32f_multiply_32fc(to, to, taps, unsigned(points));
}

template <class T, class Value, class Reader>
void load(const line_source& source,
          const Reader& read,
          const std::size_t* places,
          std::size_t count,
          const line_window<T>& window,
          Value* lines,
          std::size_t pitch)
{
    const auto piece = [&](std::size_t from, std::size_t to, std::size_t points) {
        const auto taps_of = [&](std::size_t g) {
            return window.taps + window.places[g] + from * window.stride;
        };
        if (source.stride == 1 && (window.taps == nullptr || window.stride == 1)) {
            for (std::size_t g = 0; g < count; ++g)
                load_run(read,
                         places[g] + from,
                         points,
                         window.taps == nullptr ? nullptr : taps_of(g),
                         lines + g * pitch + to);
            return;
        }
        for (std::size_t m = 0; m < points; ++m)
            for (std::size_t g = 0; g < count; ++g)
                lines[g * pitch + to + m] =
                    Value(read(places[g] + (from + m) * source.stride));
        for (std::size_t g = 0; g < count && window.taps != nullptr; ++g)
            for (std::size_t m = 0; m < points; ++m)
                lines[g * pitch + to + m] *= taps_of(g)[m * window.stride];
    };
    for_each_run(source.n, source.rotation, 0, source.n, piece);
}

// Calls use(reader) for a format of this precision.
template <class Use>
void with_reader(sample_format format, const void* samples, const Use& use, double)
{
    if (format == sample_format::cf64)
        use(number_reader<std::complex<double>>{
            static_cast<const std::complex<double>*>(samples) });
    else
        use(number_reader<double>{ static_cast<const double*>(samples) });
}

template <class Use>
void with_reader(sample_format format, const void* samples, const Use& use, float)
{
    typedef std::complex<float> complex;
    const half_reader halfs{ static_cast<const std::uint16_t*>(samples) };
    const integer_reader<std::int16_t> words{ static_cast<const std::int16_t*>(samples) };
    const integer_reader<std::int8_t> bytes{ static_cast<const std::int8_t*>(samples) };
    switch (format) {
    case sample_format::cf32:
        return use(number_reader<complex>{ static_cast<const complex*>(samples) });
    case sample_format::f32:
        return use(number_reader<float>{ static_cast<const float*>(samples) });
    case sample_format::cf16:
        return use(pair_reader<half_reader>{ halfs });
    case sample_format::f16:
        return use(halfs);
    case sample_format::cs16:
        return use(pair_reader<integer_reader<std::int16_t>>{ words });
    case sample_format::s16:
        return use(words);
    case sample_format::cs8:
        return use(pair_reader<integer_reader<std::int8_t>>{ bytes });
    case sample_format::s8:
        return use(bytes);
    case sample_format::cs12:
        return use(packed_reader{ static_cast<const std::uint8_t*>(samples) });
    case sample_format::s12:
        return use(packed_number_reader<12>{ static_cast<const std::uint8_t*>(samples) });
    case sample_format::s10:
        return use(packed_number_reader<10>{ static_cast<const std::uint8_t*>(samples) });
    case sample_format::cf64:
    case sample_format::f64:
        break;
    }
}

} // namespace

template <class T>
void load_lines(const line_source& source,
                const void* samples,
                const std::size_t* places,
                std::size_t count,
                const line_window<T>& window,
                void* lines,
                std::size_t pitch)
{
    const auto use = [&](const auto& read) {
        typedef std::complex<T> complex;
        typedef decltype(read(0)) value;
        if (source.as_complex)
            load(
                source, read, places, count, window, static_cast<complex*>(lines), pitch);
        else if constexpr (std::is_same_v<value, T>)
            load(source, read, places, count, window, static_cast<T*>(lines), pitch);
    };
    with_reader(source.format, samples, use, T());
}

template void load_lines<float>(const line_source&,
                                const void*,
                                const std::size_t*,
                                std::size_t,
                                const line_window<float>&,
                                void*,
                                std::size_t);
template void load_lines<double>(const line_source&,
                                 const void*,
                                 const std::size_t*,
                                 std::size_t,
                                 const line_window<double>&,
                                 void*,
                                 std::size_t);

} // namespace gpufft
} // namespace gr
