// SPDX-License-Identifier: GPL-3.0-or-later
//
// Random problems of every family, by recipes that some card may get: the kernels by
// fibers against double precision.

#include "host_random_cases.h"
#include "recipe_checks.h"

#include <gtest/gtest.h>

using namespace gr::gpufft;

namespace {

// How exact a length is other tests tell.
constexpr double ERROR_FACTOR = 5;

// In a block, in some, in the last one of which some frames are missing.
constexpr std::size_t FRAMES[] = { 1, 6, 43 };
constexpr std::size_t MOST_POINTS = 60000;

} // namespace

TEST(HostRandom, EveryRecipeAgreesWithDoublePrecision)
{
    const std::vector<recipe_case> cases = host_random_cases();
    ASSERT_FALSE(cases.empty());
    for (const recipe_case& each : cases) {
        SCOPED_TRACE(each.what.to_string() + " by " + each.how.to_text());
        for (const std::size_t frames : FRAMES)
            if (frames >= each.what.average &&
                (frames <= 6 || each.what.frame_samples() * frames < MOST_POINTS))
                expect_agreement(each, frames, ERROR_FACTOR);
    }
}
