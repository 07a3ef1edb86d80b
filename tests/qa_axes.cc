// SPDX-License-Identifier: GPL-3.0-or-later
//
// Transforms of several axes of any shape: the kernels by fibers against double
// precision.

#include "host_axes_cases.h"
#include "recipe_checks.h"

#include <cstdio>
#include <gtest/gtest.h>

using namespace gr::gpufft;

namespace {

// How exact a length is other tests tell.
constexpr double ERROR_FACTOR = 3;

// Batches that fill a kernel's blocks in different ways.
std::vector<std::size_t> batches(std::size_t points)
{
    constexpr std::size_t SHORT = 1600, MEDIUM = 20000;
    if (points <= SHORT)
        return { 1, 2, 3, 17 };
    return points <= MEDIUM ? std::vector<std::size_t>{ 1, 3 }
                            : std::vector<std::size_t>{ 1 };
}

} // namespace

TEST(HostAxes, EveryRecipeAgreesWithDoublePrecision)
{
    const std::vector<recipe_case> cases = host_axes_cases();
    ASSERT_FALSE(cases.empty());
    for (const recipe_case& each : cases) {
        SCOPED_TRACE(each.what.to_string() + " by " + each.how.to_text());
        for (const std::size_t frames : batches(each.what.n))
            expect_agreement(each, frames, ERROR_FACTOR);
    }
    std::printf("%zu recipes\n", cases.size());
}
