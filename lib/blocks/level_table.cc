// SPDX-License-Identifier: GPL-3.0-or-later
//
// Levels of powers.

#include "level_table.h"
#include <algorithm>
#include <cmath>

namespace gr {
namespace gpufft {

level_table::level_table(double low, double high, int levels)
{
    for (std::uint32_t i = 0; i < SIZE; ++i) {
        const double decibels = 10 * std::log10(std::max(power_of(i), 1e-38f));
        const double level = std::floor((decibels - low) / (high - low) * levels);
        d_levels[i] = static_cast<std::uint8_t>(std::clamp(level, 0.0, levels - 1.0));
    }
}

float level_table::power_of(std::uint32_t index)
{
    const std::uint32_t bits = (index << DROPPED_BITS) | (1u << (DROPPED_BITS - 1));
    float power;
    std::memcpy(&power, &bits, sizeof(power));
    return std::isfinite(power) ? power : 3e38f;
}

} // namespace gpufft
} // namespace gr
