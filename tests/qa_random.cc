// SPDX-License-Identifier: GPL-3.0-or-later
//
// Random problems of every family, by recipes that some card may get: the kernels by
// fibers against double precision.

#include "gpu_runs.h"
#include "host_random_cases.h"
#include "planner/planner.h"
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

#ifdef GPUFFT_HAVE_CUDA
TEST(RandomGpu, AgreesWithDoublePrecision)
{
    if (!query_cuda().usable)
        GTEST_SKIP() << query_cuda().reason;
    for (const recipe_case& each : host_random_cases()) {
        const problem& what = each.what;
        const std::size_t frames = FRAMES[1];
        const std::vector<std::uint8_t> input =
            random_samples(what, (frames - 1) * what.effective_hop() + what.input_span());
        const std::vector<float> window = random_window(what.window_numbers());
        cuda_plan plan(what, 0, make_recipe(what, device_context::get(0).traits()));
        if (what.window)
            plan.set_window(window);
        const std::vector<std::uint8_t> rows = run_on_device(plan, input, frames, false);
        EXPECT_LT(relative_error(
                      what, rows.data(), reference_rows(what, input, window, frames)),
                  error_bound(what, ERROR_FACTOR))
            << what.to_string() << ", " << plan.describe();
    }
}
#endif
