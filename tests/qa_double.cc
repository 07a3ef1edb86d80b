// SPDX-License-Identifier: GPL-3.0-or-later
//
// Double precision: every algorithm on the host engine against long double, what the
// planner takes, and what the compiler makes of it.

#include "gpu_runs.h"
#include "host_double_problems.h"
#include "kernel_report.h"
#include "planner/planner.h"
#include "planner/wisdom.h"
#include "recipe_checks.h"

using namespace gr::gpufft;

namespace {

std::vector<recipe_case> all_cases()
{
    std::vector<recipe_case> cases = host_double_cases();
    for (const problem& what : host_double_problems())
        cases.push_back({ what, make_recipe(what) });
    return cases;
}

class DoubleOnHost : public ::testing::TestWithParam<recipe_case>
{
};

std::string case_name(const ::testing::TestParamInfo<recipe_case>& info)
{
    return std::to_string(info.index) + "_" +
           with_letters_only(info.param.what.to_string());
}

recipe recipe_for(const std::string& text)
{
    return make_recipe(problem::from_string(text));
}

} // namespace

TEST_P(DoubleOnHost, AgreesWithLongDouble)
{
    const recipe_case& each = GetParam();
    EXPECT_TRUE(each.how.is_double());
    const std::size_t frames = 2 * std::size_t(each.how.shape().transforms) + 1;
    expect_agreement(each, frames, kernel_error_factor(each.what));
}

INSTANTIATE_TEST_SUITE_P(All, DoubleOnHost, ::testing::ValuesIn(all_cases()), case_name);

TEST(DoublePlanner, OnePassWhereTheBytesFit)
{
    EXPECT_EQ(recipe_for("c2c_forward_n4096_b99999_f64").algorithm, "stockham");
    EXPECT_EQ(recipe_for("c2c_forward_n8192_b99999_f64").algorithm, "in-place");
    EXPECT_EQ(recipe_for("c2c_forward_n16384_b9999_f64").algorithm, "cluster");
    EXPECT_EQ(recipe_for("c2c_forward_n32768_b9999_f64").algorithm, "cluster");
    EXPECT_EQ(recipe_for("c2c_forward_n1048576_b128_f64").algorithm, "hierarchical");
    EXPECT_EQ(recipe_for("c2c_forward_n79_b999999_f64").algorithm, "rader");
}

TEST(DoublePlanner, EveryCandidateFitsTheCard)
{
    const device_traits card;
    for (const char* text : { "c2c_forward_n1000_b99999_f64",
                              "c2c_forward_n8192_b99999_f64",
                              "c2c_forward_n48000_b9999_f64",
                              "c2c_forward_n1009_b99999_f64",
                              "c2c_forward_n2039_b99999_f64",
                              "c2c_forward_n20224_b999_f64" }) {
        const problem what = problem::from_string(text);
        const std::vector<recipe> found = recipe_candidates(what, card, 200);
        EXPECT_FALSE(found.empty()) << text;
        for (const recipe& how : found) {
            EXPECT_EQ(recipe::from_text(how.to_text()).to_text(), how.to_text());
            for (const launch_step& step : build_program(what, how).steps) {
                EXPECT_LE(step.kernel.shared_bytes, card.shared_bytes) << how.to_text();
                EXPECT_LE(step.kernel.block_threads, 1024) << how.to_text();
                EXPECT_TRUE(step.kernel.is_double);
            }
        }
    }
}

TEST(DoublePlanner, RecipesNameTheirPrecision)
{
    const problem what = problem::from_string("c2c_forward_n1000_b99999_f64");
    const problem other = problem::from_string("c2c_forward_n1000_b99999");
    const recipe how = make_recipe(what);
    EXPECT_NE(how.to_string().find("double"), std::string::npos) << how.to_string();
    EXPECT_EQ(make_recipe(other).to_string().find("double"), std::string::npos);
    EXPECT_THROW(build_program(other, how), std::invalid_argument);
    EXPECT_THROW(build_program(what, make_recipe(other)), std::invalid_argument);
}

TEST(DoubleWisdom, StaysWithItsPrecision)
{
    const problem what = problem::from_string("c2c_forward_n1000_b99999_f64");
    const problem other = problem::from_string("c2c_forward_n1000_b99999");
    wisdom known;
    known.add("card", what, make_recipe(what));
    EXPECT_FALSE(known.find("card", other));
    wisdom again;
    again.read(known.write());
    ASSERT_TRUE(again.find("card", what));
    EXPECT_TRUE(again.find("card", what)->is_double());
}

TEST(DoubleTables, HoldDoublePrecision)
{
    const problem what = problem::from_string("c2c_forward_n1009_b1_f64");
    for (const table& each : build_program(what, make_recipe(what)).tables) {
        EXPECT_TRUE(each.points.empty());
        EXPECT_TRUE(each.exact_points.empty());
        EXPECT_TRUE(each.double_points.empty() != each.indices.empty());
    }
}

#ifdef GPUFFT_HAVE_CUDA
TEST(DoubleCompile, KernelsKeepTheirDataInRegisters)
{
    if (!find_nvrtc().reason.empty())
        GTEST_SKIP() << find_nvrtc().reason;
    for (const char* text : { "c2c_forward_n8_b9999999_f64",
                              "c2c_forward_n64_b9999999_f64",
                              "c2c_forward_n1000_b999999_f64",
                              "c2c_forward_n1024_b999999_f64",
                              "c2c_forward_n4096_b99999_f64",
                              "c2c_forward_n6000_b99999_f64",
                              "c2c_forward_n8192_b99999_f64",
                              "c2c_forward_n16384_b9999_f64",
                              "c2c_forward_n65536_b9999_f64",
                              "c2c_forward_n1048576_b128_f64",
                              "c2c_forward_n48000_b9999_f64",
                              "c2c_forward_n79_b999999_f64",
                              "c2c_forward_n839_b99999_f64",
                              "c2c_forward_n1009_b99999_f64" })
        expect_no_spills(problem::from_string(text), 90, 1);
}

TEST(DoubleGpu, AgreesWithLongDouble) { expect_right_on_gpu(host_double_problems()); }
#endif
