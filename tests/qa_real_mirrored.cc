// SPDX-License-Identifier: GPL-3.0-or-later
//
// Real transforms whose threads hold both points of each pair: the kernels by fibers
// against FFTW.

#include "host_real_mirrored_cases.h"
#include "planner/planner.h"
#include "recipe_checks.h"

#include <gtest/gtest.h>

using namespace gr::gpufft;

class HostRealMirrored : public ::testing::TestWithParam<recipe_case>
{
};

// Some tiles are not whole.
TEST_P(HostRealMirrored, AgreesWithDoublePrecision)
{
    problem core; // whose length says how it is computed
    core.n = GetParam().how.n;
    expect_agreement(GetParam(), 7, kernel_error_factor(core));
}

INSTANTIATE_TEST_SUITE_P(Kinds,
                         HostRealMirrored,
                         ::testing::ValuesIn(host_real_mirrored_cases()),
                         [](const auto& info) {
                             return with_letters_only(info.param.what.to_string() +
                                                      "_by_" + info.param.how.to_text());
                         });

TEST(RealMirrored, TakenByCallsThatFillTheCard)
{
    for (const char* name : { "r2c_n1024_b131072", "dct2_n64_b2097152" }) {
        problem what = problem::from_string(name);
        EXPECT_TRUE(make_recipe(what).shape().mirrored) << name;
        what.batch = 1;
        EXPECT_FALSE(make_recipe(what).shape().mirrored) << name;
    }
    // two rows a vector
    EXPECT_FALSE(make_recipe(problem::from_string("r2c_n243_b552336")).shape().mirrored);
}

TEST(RealMirrored, RecipesReadBack)
{
    for (const recipe_case& each : host_real_mirrored_cases()) {
        const std::string text = each.how.to_text();
        EXPECT_EQ(recipe::from_text(text).to_text(), text);
        EXPECT_NE(each.how.to_string().find(", mirrored"), std::string::npos);
    }
}

TEST(RealMirrored, RefusesHalvesOfPairs)
{
    const problem what = problem::from_string("r2c_n128_b99");
    for (const char* shape : { "64x1:8.8/8/1/0/128", "64x1:4.16/3/1/0/128" })
        EXPECT_THROW(
            build_program(
                what, recipe::from_text(std::string("real:stockham 64 1 0 0 ") + shape)),
            std::invalid_argument)
            << shape;
}
