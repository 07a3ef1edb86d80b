// SPDX-License-Identifier: GPL-3.0-or-later
//
// Maps a power to one of a few levels in dB without a logarithm. A float's upper bits,
// exponent and mantissa, are the index of a table with the level of the smallest power
// with these bits. Comparing with the levels' edges shows whether a higher level applies.

#ifndef INCLUDED_GPUFFT_LEVEL_TABLE_H
#define INCLUDED_GPUFFT_LEVEL_TABLE_H

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace gr {
namespace gpufft {

class level_table
{
public:
    static constexpr int MAX_LEVELS = 256;

    // Level 0 begins at `low` dB, the last level ends at `high`; both also take powers
    // beyond. Powers are multiplied by `scale` first.
    level_table(double low, double high, int levels, double scale = 1.0)
    {
        d_edges.fill(std::numeric_limits<float>::quiet_NaN()); // no power is above
        for (int level = 1; level < levels && scale > 0; ++level)
            d_edges[level - 1] = static_cast<float>(
                std::pow(10, (low + level * (high - low) / levels) / 10) / scale);
        int level = 0;
        for (std::uint32_t i = 0; i < SIZE; ++i) {
            while (power_of(i) >= d_edges[level])
                ++level;
            d_levels[i] = static_cast<std::uint8_t>(level);
        }
    }

    int operator()(float power) const
    {
        int level = d_levels[index(power)];
        while (power >= d_edges[level])
            ++level;
        return level;
    }

private:
    static constexpr int MANTISSA_BITS = 7;
    static constexpr int DROPPED_BITS = 23 - MANTISSA_BITS;
    static constexpr std::size_t SIZE = 1 << (8 + MANTISSA_BITS); // without the sign

    static std::uint32_t index(float power)
    {
        std::uint32_t bits;
        std::memcpy(&bits, &power, sizeof(bits));
        return (bits >> DROPPED_BITS) % SIZE;
    }

    // The smallest power with this index.
    static float power_of(std::uint32_t index)
    {
        const std::uint32_t bits = index << DROPPED_BITS;
        float power;
        std::memcpy(&power, &bits, sizeof(power));
        return power;
    }

    std::array<float, MAX_LEVELS> d_edges; // between a level and the next
    std::array<std::uint8_t, SIZE> d_levels;
};

} // namespace gpufft
} // namespace gr

#endif
