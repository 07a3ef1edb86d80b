// SPDX-License-Identifier: GPL-3.0-or-later
//
// time_share: a share of the time that passes, and what comes in bursts.

#include "blocks/time_share.h"
#include <gtest/gtest.h>

namespace gr {
namespace gpufft {

namespace {

constexpr double PIECE = 1e-3; // seconds of a core
constexpr double BURST = 0.1;  // that are granted at the start

// As long as a core takes, whatever else the machine does.
void burn()
{
    const std::clock_t end =
        std::clock() + static_cast<std::clock_t>(PIECE * CLOCKS_PER_SEC);
    while (std::clock() < end) {
    }
}

TEST(TimeShare, GrantsABurst)
{
    time_share share(1e-9);
    int done = 0;
    for (int i = 0; i < 500; ++i)
        share.offer([&] {
            burn();
            ++done;
        });
    EXPECT_GE(done, 0.8 * BURST / PIECE);
    EXPECT_LE(done, 1 + 1.2 * BURST / PIECE);
}

TEST(TimeShare, TakesNoMoreThanItsShare)
{
    const auto begin = std::chrono::steady_clock::now();
    time_share share(0.25);
    std::chrono::duration<double> passed{};
    double done = 0;
    // A busy machine may give this thread little of that time.
    while (passed.count() < 0.4 || (done < BURST && passed.count() < 100)) {
        share.offer([&] {
            burn();
            done += PIECE;
        });
        passed = std::chrono::steady_clock::now() - begin;
    }
    EXPECT_LE(done, 1.2 * (BURST + 0.25 * passed.count()) + PIECE);
    EXPECT_GE(done, 0.8 * BURST);
}

} // namespace

} // namespace gpufft
} // namespace gr
