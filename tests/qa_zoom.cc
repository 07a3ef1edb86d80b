// SPDX-License-Identifier: GPL-3.0-or-later
//
// Zooms: the kernels by fibers against the sums in long double, the recipes,
// and what the compiler makes of them.

#include "host_zoom_cases.h"
#include "kernel_report.h"
#include "planner/convolution/zoom_chirp.h"
#include "planner/planner.h"
#include "problem_cases.h"

#include <gtest/gtest.h>

using namespace gr::gpufft;

class HostZoom : public ::testing::TestWithParam<recipe_case>
{
};

TEST_P(HostZoom, AgreesWithTheSums)
{
    expect_agreement(GetParam(), 7, kernel_error_factor(GetParam().what));
}

INSTANTIATE_TEST_SUITE_P(Bands,
                         HostZoom,
                         ::testing::ValuesIn(host_zoom_cases()),
                         name_of_case);

TEST(Zoom, ConvolutionIsNoLongerThanFramesAndBinsAreTogether)
{
    const recipe how = make_recipe(problem::from_string("zoom_n1000_b99999_bins25"));
    EXPECT_EQ(how.algorithm, "zoom");
    EXPECT_GE(how.shape().n, 1024);
    EXPECT_LT(how.shape().n, 1400);
}

TEST(Zoom, LongFramesAndManyBinsGoThroughGlobalMemory)
{
    for (const char* precision : { "", "_f64" })
        for (const char* name : { "zoom_n10_b1_bins1000000",
                                  "zoom_n1000000_b9_bins10",
                                  "zoom_n20000_b99_bins20000" }) {
            const recipe how =
                make_recipe(problem::from_string(std::string(name) + precision));
            EXPECT_EQ(how.algorithm, "zoom") << name;
            EXPECT_GT(how.shapes.size(), 1u) << name;
            EXPECT_EQ(recipe::from_text(how.to_text()).to_text(), how.to_text());
        }
}

TEST(Zoom, ObstaclesTellTheLimit)
{
    EXPECT_EQ(planning_obstacle(problem::from_string("zoom_n268435455_b1_bins1"), {}),
              "");
    EXPECT_NE(planning_obstacle(problem::from_string("zoom_n268435455_b1_bins2"), {})
                  .find("FFT size and bins are together 268435457, but must be at most "
                        "268435456"),
              std::string::npos);
    EXPECT_NE(planning_obstacle(problem::from_string("zoom_n64_b2_odist99"), {}), "");
}

TEST(Zoom, RecipesReadBack)
{
    const recipe how = make_recipe(problem::from_string("zoom_n100_b1_bins20"));
    EXPECT_EQ(recipe::from_text(how.to_text()).to_text(), how.to_text());
}

// exp(-pi j d m^2) where m^2 needs more digits than any floating point number
// has.
TEST(Zoom, ChirpIsExactFarOut)
{
    problem what = problem::from_string("zoom_n4000000_b1_bins3_from0_to0.75");
    const auto chirp = zoom_chirp(what, what.n);
    for (std::size_t m : { std::size_t(1), std::size_t(3999999) }) {
        const long double angle =
            -std::acos(-1.0L) * (long double)(m * m % 8) / 4; // d is 1/4
        EXPECT_LT(std::abs(chirp[m] - std::polar(1.0L, angle)), 1e-18L) << m;
    }
}

#ifdef GPUFFT_HAVE_CUDA
TEST(Zoom, CompilesWithoutSpills)
{
    if (!find_nvrtc().reason.empty())
        GTEST_SKIP() << find_nvrtc().reason;
    for (const char* name : { "zoom_n1000_b9999_bins200_from0.1_to0.2",
                              "zoom_n4096_b1_cs16_window_bins1000_from0.1_to0.2",
                              "zoom_n512_b9999_f64_bins100_from0.1_to0.2" })
        for (int architecture : { 80, 90 })
            expect_no_spills(problem::from_string(name), architecture, 1);
}
#endif
