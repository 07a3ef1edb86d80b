// SPDX-License-Identifier: GPL-3.0-or-later
//
// Multiples of the hop near multiples of n.

#include "filter_bank.h"

#include <algorithm>
#include <cmath>

namespace gr {
namespace gpufft {

namespace {

constexpr long MOST_APART = 16;

// Points at the ends of an arm that a thread sums for fewer frames than it could: an
// eighth of them, with eight frames in a thread.
constexpr long LEAST_POINTS_OF_A_DRIFT = 64;

// Of a sample read for a point: between n = 128 and 4096 with 16 taps an arm, direct
// reads add 0.08 ... 0.22 each on an H200 (bench_recipes).
constexpr double COST_READ = 0.2;

constexpr long MOST_TOGETHER = 8; // frames that a thread sums, see read_bank()

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

double bank_cost(const problem& what, int frames)
{
    if (what.taps == 1)
        return 0;
    const sample_sharing sharing = sharing_of(what);
    const long together =
        std::clamp((frames + sharing.apart - 1) / sharing.apart, 1L, MOST_TOGETHER);
    return COST_READ * double(sharing.shift * (together - 1) + long(what.taps)) /
           double(together);
}

} // namespace gpufft
} // namespace gr
