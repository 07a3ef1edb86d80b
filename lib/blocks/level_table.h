// SPDX-License-Identifier: GPL-3.0-or-later
//
// Power to one of a few levels in dB without a logarithm: a float's upper bits are
// exponent and mantissa, and a table has the level of each. Seven bits of the mantissa
// are finer than 0.04 dB.

#ifndef INCLUDED_GPUFFT_LEVEL_TABLE_H
#define INCLUDED_GPUFFT_LEVEL_TABLE_H

#include <array>
#include <cstdint>
#include <cstring>

namespace gr {
namespace gpufft {

class level_table
{
public:
    static constexpr int MAX_LEVELS = 256;

    // Level 0 begins at `low` dB, and the last ends at `high`; what is beyond is in
    // these.
    level_table(double low, double high, int levels);

    int operator()(float power) const { return d_levels[index(power)]; }

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
    static float power_of(std::uint32_t index); // middle of what has this index

    std::array<std::uint8_t, SIZE> d_levels;
};

} // namespace gpufft
} // namespace gr

#endif
