// SPDX-License-Identifier: GPL-3.0-or-later
//
// Something to transform.

#ifndef INCLUDED_GPUFFT_BENCH_RANDOM_SAMPLES_H
#define INCLUDED_GPUFFT_BENCH_RANDOM_SAMPLES_H

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace gr {
namespace gpufft {

// Numerical Recipes' generator: good enough to look like noise, and quick.
inline std::uint32_t next_random(std::uint32_t& state)
{
    return state = 1664525u * state + 1013904223u;
}

// Floats in -1 ... 1, or 16-bit integers.
inline void fill_with_samples(char* data, std::size_t bytes, bool floats)
{
    std::uint32_t state = 1;
    if (floats)
        std::generate_n(reinterpret_cast<float*>(data), bytes / sizeof(float), [&] {
            return static_cast<float>(next_random(state) >> 8) * 0x1p-23f - 1.0f;
        });
    else
        std::generate_n(
            reinterpret_cast<std::int16_t*>(data), bytes / sizeof(std::int16_t), [&] {
                return static_cast<std::int16_t>(next_random(state) >> 16);
            });
}

} // namespace gpufft
} // namespace gr

#endif
