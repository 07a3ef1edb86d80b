// SPDX-License-Identifier: GPL-3.0-or-later
//
// Searches divisors of the hop and lengths of parts.

#include "channel_zones.h"
#include "planner/stockham/stockham.h"

#include <algorithm>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t LINE = 16;            // points in 128 bytes
constexpr std::size_t FEWEST_POINTS = 4;    // of an inverse
constexpr std::size_t SHORTEST_PART = 1024; // points
constexpr std::size_t MOST_ZONES = 512;     // their sum loses little to rounding
constexpr std::size_t LONGEST_PART = std::size_t(1) << 25; // through global memory
constexpr std::size_t LONGEST_INVERSE = 8192;              // points, without spills

// The largest divisor that has radices.
std::size_t smooth_part(std::size_t n)
{
    std::size_t part = 1;
    for (std::size_t prime : { 2, 3, 5, 7, 11, 13 })
        for (; n % prime == 0; n /= prime)
            part *= prime;
    return part;
}

// Lengths of parts of at most `most` points.
std::vector<std::size_t> lengths(const problem& what, std::size_t zones, std::size_t most)
{
    const std::size_t least = std::max(what.n + what.n / 8, SHORTEST_PART);
    std::vector<std::size_t> found;
    for (std::size_t unit : { LINE, FEWEST_POINTS })
        for (std::size_t odd : { 1, 3, 5 }) {
            for (std::size_t length = zones * unit * odd; length <= most; length *= 2)
                if (length >= least)
                    found.push_back(length);
            if (!found.empty())
                return found;
        }
    return found;
}

// The longest part for `zones` zones.
std::size_t longest_part(std::size_t zones, bool has_levels, const device_traits& card)
{
    const std::size_t block = longest_stockham(card);
    return has_levels ? std::min(zones * std::min(block, LONGEST_INVERSE), LONGEST_PART)
                      : block;
}

// The numbers of zones into which parts may be folded: divisors of the hop that have
// radices, largest first.
std::vector<std::size_t> all_zones(const problem& what)
{
    const std::size_t smooth = smooth_part(what.effective_hop());
    std::vector<std::size_t> found;
    for (std::size_t zones = std::min(smooth, MOST_ZONES); zones > 0; --zones)
        if (smooth % zones == 0)
            found.push_back(zones);
    return found;
}

} // namespace

std::vector<std::size_t> zone_lengths(const problem& what,
                                      std::size_t zones,
                                      bool has_levels,
                                      const device_traits& card)
{
    return lengths(what, zones, longest_part(zones, has_levels, card));
}

std::size_t choose_zones(const problem& what, bool has_levels, const device_traits& card)
{
    for (std::size_t zones : all_zones(what))
        if (!zone_lengths(what, zones, has_levels, card).empty())
            return zones;
    return 0;
}

std::size_t most_taps(problem what, const device_traits& card)
{
    const std::size_t zones = all_zones(what).front();
    what.n = 1;
    const std::size_t longest =
        std::max(longest_stockham(card), zone_lengths(what, zones, true, card).back());
    return longest / 9 * 8;
}

} // namespace gpufft
} // namespace gr
