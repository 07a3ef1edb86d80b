// SPDX-License-Identifier: GPL-3.0-or-later
//
// Draws lengths evenly over their logarithm, the same ones for the same seed everywhere.

#ifndef INCLUDED_GPUFFT_BENCH_LOTTERY_H
#define INCLUDED_GPUFFT_BENCH_LOTTERY_H

#include "planner/number_theory.h"
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>

namespace gr {
namespace gpufft {

constexpr std::size_t SMALLEST_PRIME = 17; // the first one that is not called smooth

inline bool is_smooth(std::size_t n) { return is_smooth_to(n, SMALLEST_PRIME - 1); }

// The distributions of <random> differ from library to library; the generator does not.
class lottery
{
public:
    explicit lottery(std::uint64_t seed) : d_random(seed) {}

    std::size_t below(std::size_t count) { return d_random() % count; }
    bool chance(double share)
    {
        return static_cast<double>(d_random() >> 11) < share * 0x1p53;
    }

    // least ... most
    std::size_t length(std::size_t least, std::size_t most)
    {
        const double share = static_cast<double>(d_random() >> 11) * 0x1p-53;
        const double drawn =
            static_cast<double>(least) *
            std::pow(static_cast<double>(most + 1) / double(least), share);
        return std::clamp(static_cast<std::size_t>(drawn), least, most);
    }
    std::size_t smooth(std::size_t least, std::size_t most)
    {
        return length_that(is_smooth, least, most);
    }
    std::size_t prime(std::size_t least, std::size_t most)
    {
        return length_that([](std::size_t n) { return is_prime(n); }, least, most);
    }
    // Mostly smooth, as users' lengths are.
    std::size_t any(std::size_t least, std::size_t most)
    {
        return chance(0.75) ? smooth(least, most) : length(least, most);
    }

private:
    std::size_t
    length_that(bool (*is_one)(std::size_t), std::size_t least, std::size_t most)
    {
        for (;;) {
            const std::size_t drawn = length(least, most);
            if (is_one(drawn))
                return drawn;
        }
    }

    std::mt19937_64 d_random;
};

} // namespace gpufft
} // namespace gr

#endif
