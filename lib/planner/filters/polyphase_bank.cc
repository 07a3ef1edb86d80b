// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds multiples of the hop near multiples of n, and lists the places of each bin.

#include "polyphase_bank.h"
#include "planner/cost_constants.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gr {
namespace gpufft {

namespace {

constexpr long MOST_APART = 16;

// At the ends of an arm a thread sums some points for fewer frames than it could: an
// eighth of the points, if a thread has eight frames.
constexpr long LEAST_POINTS_OF_A_DRIFT = 64;

using namespace fitted::polyphase;

constexpr long MOST_FRAMES = 16; // of which a thread holds sums; more save little
constexpr int CLUSTERS[] = { 2, 4, 8 };

} // namespace

sample_sharing sharing_of(const problem& what)
{
    const long n = long(what.n), hop = long(what.effective_hop());
    for (long apart = 1; apart <= MOST_APART; ++apart) {
        const long shift = (apart * hop + n / 2) / n, drift = apart * hop - shift * n;
        if (shift > 0 && std::abs(drift) * LEAST_POINTS_OF_A_DRIFT <= n)
            return { apart, shift, drift };
    }
    return { n, hop, 0 };
}

double bank_cost(const problem& what, int threads, int frames, int cluster)
{
    if (what.taps == 1)
        return 0;
    const long tile = long(frames) * cluster; // frames up to `apart` share nothing
    const double together =
        tile > sharing_of(what).apart ? double(std::min(tile, MOST_FRAMES)) : 1.0;
    const double between = double(what.effective_hop()) / double(what.n);
    return COST_READ * ((together - 1) * between + double(what.taps)) / together +
           COST_BLOCK * (cluster - 1) +
           (together > 1 ? COST_THREADS * std::max(0.0, threads / LEAST_THREADS - 1) : 0);
}

int bank_blocks(const problem& what,
                int threads,
                int points,
                int blocks,
                const device_traits& card)
{
    if (what.taps == 1)
        return blocks;
    const int registers =
        std::max(REGISTERS_OF_SUMS, 2 * points + REGISTERS_BESIDE_POINTS);
    const int most = blocks_with_registers(registers, whole_warps(threads), card);
    return std::max(1, blocks == 0 ? most : std::min(blocks, most));
}

std::vector<recipe>
in_clusters(const recipe& how, const problem& what, const device_traits& card)
{
    std::vector<recipe> found;
    if (what.taps == 1 || what.is_power() || !card.has_clusters())
        return found;
    for (int cluster : CLUSTERS) {
        const long frames = long(how.shape().transforms) * cluster;
        if (frames <= sharing_of(what).apart || frames > MOST_FRAMES)
            continue;
        found.push_back(how);
        if (std::holds_alternative<convolution_fields>(how.fields))
            found.back().set<convolution_fields>().cluster = cluster;
        else
            found.back().set<block_fields>().cluster = cluster;
    }
    return found;
}

std::vector<int> slots_of(const problem& what, const std::vector<int>& map)
{
    std::vector<int> slots(what.n + map.size(), -1);
    for (std::size_t i = 0; i < map.size(); ++i)
        slots[what.n + i] = std::exchange(slots[map[i]], int(i));
    return slots;
}

} // namespace gpufft
} // namespace gr
