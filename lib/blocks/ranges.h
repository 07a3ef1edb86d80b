// SPDX-License-Identifier: GPL-3.0-or-later
//
// Checks of the blocks' parameters. Errors name the parameter, the value and the range in
// one line.

#ifndef INCLUDED_GPUFFT_RANGES_H
#define INCLUDED_GPUFFT_RANGES_H

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <spdlog/fmt/fmt.h>
#include <stdexcept>

namespace gr {
namespace gpufft {

constexpr std::int64_t MAX_COUNT = std::int64_t(1) << 40; // limit of hop, average
constexpr std::int64_t MAX_ROW = std::int64_t(1) << 28;   // bins of a float vector port
constexpr std::int64_t MAX_ROW_WITH_DENSITY = std::int64_t(1) << 27; // 3 floats per bin
constexpr std::int64_t MAX_STREAMS = 1 << 16; // a process can have fewer buffers
constexpr int MAX_THREADS = 1024;
constexpr int MAX_DEVICE = 1023;

inline std::int64_t
check_range(const char* name, std::int64_t value, std::int64_t low, std::int64_t high)
{
    if (value < low || value > high)
        throw std::invalid_argument(
            fmt::format("{} is {}: must be {} ... {}", name, value, low, high));
    return value;
}

// Samples from one frame of `samples` to the next, if a share of each is repeated.
inline std::int64_t hop_of_overlap(double overlap, std::int64_t samples)
{
    if (!(overlap >= 0 && overlap < 1))
        throw std::invalid_argument(
            fmt::format("overlap is {}: must be >= 0 and < 1", overlap));
    return std::max<std::int64_t>(1, std::llrint(samples * (1 - overlap)));
}

inline double check_positive(const char* name, double value)
{
    if (!(value > 0) || !std::isfinite(value))
        throw std::invalid_argument(
            fmt::format("{} is {}: must be a finite number > 0", name, value));
    return value;
}

// A tap has `parts` numbers, 2 if it is complex.
inline void check_taps(const float* numbers, std::size_t count, std::size_t parts = 1)
{
    for (std::size_t i = 0; i < count * parts; ++i)
        if (!std::isfinite(numbers[i]))
            throw std::invalid_argument(
                fmt::format("tap {} is {}: must be finite", i / parts, numbers[i]));
}

inline double check_weight(const char* name, double value)
{
    if (!(value > 0 && value <= 1))
        throw std::invalid_argument(
            fmt::format("{} is {}: must be > 0 and <= 1", name, value));
    return value;
}

} // namespace gpufft
} // namespace gr

#endif
