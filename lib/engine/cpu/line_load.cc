// SPDX-License-Identifier: GPL-3.0-or-later
//
// One loop for every format. Points with gaps are read for several lines side by side,
// because neighbours share cache lines.

#include "line_load.h"
#include "on_host/half_float.h"
#include "rotation.h"

#include <complex>
#include <cstdint>

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

// Reads I/Q pairs with any of these readers.
template <class Reader>
struct pair_reader {
    Reader reader;
    std::complex<float> operator()(std::size_t i) const
    {
        return { reader(2 * i), reader(2 * i + 1) };
    }
};

template <class Value, class Reader>
void load_run(const Reader& read, std::size_t first, std::size_t points, Value* to)
{
    for (std::size_t m = 0; m < points; ++m)
        to[m] = Value(read(first + m));
}

// By parts, which vectorises.
template <class Reader>
void load_run(const pair_reader<Reader>& pairs,
              std::size_t first,
              std::size_t points,
              std::complex<float>* to)
{
    float* parts = reinterpret_cast<float*>(to);
    for (std::size_t i = 0; i < 2 * points; ++i)
        parts[i] = pairs.reader(2 * first + i);
}

template <class Value, class Reader>
void load(const line_source& source,
          const Reader& read,
          const std::size_t* places,
          std::size_t count,
          Value* lines,
          std::size_t pitch)
{
    const auto piece = [&](std::size_t from, std::size_t to, std::size_t points) {
        if (source.stride == 1) {
            for (std::size_t g = 0; g < count; ++g)
                load_run(read, places[g] + from, points, lines + g * pitch + to);
            return;
        }
        for (std::size_t m = 0; m < points; ++m)
            for (std::size_t g = 0; g < count; ++g)
                lines[g * pitch + to + m] =
                    Value(read(places[g] + (from + m) * source.stride));
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
                void* lines,
                std::size_t pitch)
{
    const auto use = [&](const auto& read) {
        typedef std::complex<T> complex;
        typedef decltype(read(0)) value;
        if (source.as_complex)
            load(source, read, places, count, static_cast<complex*>(lines), pitch);
        else if constexpr (std::is_same_v<value, T>)
            load(source, read, places, count, static_cast<T*>(lines), pitch);
    };
    with_reader(source.format, samples, use, T());
}

template <class T>
void multiply_lines(const line_source& source,
                    const T* taps,
                    std::size_t stride,
                    const std::size_t* places,
                    std::size_t count,
                    void* lines,
                    std::size_t pitch)
{
    const auto multiply = [&](auto* values) {
        for_each_run(source.n,
                     source.rotation,
                     0,
                     source.n,
                     [&](std::size_t from, std::size_t to, std::size_t points) {
                         for (std::size_t g = 0; g < count; ++g)
                             for (std::size_t m = 0; m < points; ++m)
                                 values[g * pitch + to + m] *=
                                     taps[places[g] + (from + m) * stride];
                     });
    };
    if (source.as_complex)
        multiply(static_cast<std::complex<T>*>(lines));
    else
        multiply(static_cast<T*>(lines));
}

#define GPUFFT_INSTANTIATE(T)                                                            \
    template void load_lines<T>(const line_source&,                                      \
                                const void*,                                             \
                                const std::size_t*,                                      \
                                std::size_t,                                             \
                                void*,                                                   \
                                std::size_t);                                            \
    template void multiply_lines<T>(const line_source&,                                  \
                                    const T*,                                            \
                                    std::size_t,                                         \
                                    const std::size_t*,                                  \
                                    std::size_t,                                         \
                                    void*,                                               \
                                    std::size_t);
GPUFFT_INSTANTIATE(float)
GPUFFT_INSTANTIATE(double)
#undef GPUFFT_INSTANTIATE

} // namespace gpufft
} // namespace gr
