// SPDX-License-Identifier: GPL-3.0-or-later
//
// Multiples of the hop near multiples of n.

#include "filter_bank.h"

#include <cmath>

namespace gr {
namespace gpufft {

namespace {

constexpr long MOST_APART = 16;

// Points at the ends of an arm that a thread sums for fewer frames than it could: an
// eighth of them, with eight frames in a thread.
constexpr long LEAST_POINTS_OF_A_DRIFT = 64;

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

} // namespace gpufft
} // namespace gr
