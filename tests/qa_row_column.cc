// SPDX-License-Identifier: GPL-3.0-or-later
//
// Transforms of several axes, one after the other: the kernels by fibers against FFTW,
// and the recipes.

#include "host_row_column_cases.h"
#include "kinds.h"
#include "planner/axes/row_column.h"
#include "planner/planner.h"
#include "recipe_checks.h"

#include <gtest/gtest.h>

using namespace gr::gpufft;

namespace {

std::string name_of(const recipe_case& each)
{
    return with_letters_only(each.what.to_string());
}

std::string case_name(const ::testing::TestParamInfo<recipe_case>& info)
{
    return name_of(info.param);
}

recipe recipe_for(const std::string& name)
{
    return make_recipe(problem::from_string(name));
}

} // namespace

namespace gr {
namespace gpufft {
void PrintTo(const recipe_case& each, std::ostream* stream) { *stream << name_of(each); }
} // namespace gpufft
} // namespace gr

class HostRowColumn : public ::testing::TestWithParam<recipe_case>
{
};

TEST_P(HostRowColumn, AgreesWithDoublePrecision)
{
    problem longest; // whose length says how it is computed
    longest.n = GetParam().what.n;
    expect_agreement(GetParam(), 7, kernel_error_factor(longest));
}

INSTANTIATE_TEST_SUITE_P(Cases,
                         HostRowColumn,
                         ::testing::ValuesIn(host_row_column_cases()),
                         case_name);

TEST(RowColumn, EveryKindOfSeveralAxesHasARecipe)
{
    for (const std::string& kind : KINDS)
        for (const char* lengths :
             { "_n17x19_b1", "_n1009x64_b9", "_n4x65536_b2", "_n2x3x4x5_b100" })
            for (const char* precision : { "", "_f64" }) {
                const problem what =
                    problem::from_string(kind + std::string(lengths) + precision);
                ASSERT_EQ(planning_obstacle(what), "");
                EXPECT_NO_THROW(build_program(what, make_recipe(what)))
                    << what.to_string();
            }
}

TEST(RowColumn, SmoothComplexFramesStayWithTheTensorAlgorithm)
{
    EXPECT_EQ(recipe_for("c2c_forward_n256x256_b2048").algorithm, "tensor");
    EXPECT_EQ(recipe_for("c2c_forward_n100x7_b1").algorithm, "tensor");
    EXPECT_EQ(recipe_for("c2c_forward_n100x67_b1").algorithm, "row-column");
}

TEST(RowColumn, RecipesSayWhatRuns)
{
    const recipe how = recipe_for("c2c_forward_n67x64_b9999");
    EXPECT_EQ(how.to_string().find("row-column(67x64: transpose, rader(67"), 0u)
        << how.to_string();
    EXPECT_NE(how.to_string().find("), transpose, stockham(64: "), std::string::npos)
        << how.to_string();
    const recipe beside = recipe_for("r2c_n64x64_b99_algorithm=row-column");
    EXPECT_NE(beside.to_string().find("), columns(64: "), std::string::npos)
        << beside.to_string();
    const recipe halved = recipe_for("r2c_n64x64_b99_window_algorithm=row-column");
    EXPECT_EQ(halved.to_string().find("row-column(64x64: copy, real(stockham(32: "), 0u)
        << halved.to_string();
}

TEST(RowColumn, RecipesReadBack)
{
    for (const recipe_case& each : host_row_column_cases()) {
        const std::string text = each.how.to_text();
        EXPECT_EQ(recipe::from_text(text).to_text(), text);
        EXPECT_EQ(recipe::from_text(text).to_string(), each.how.to_string());
        EXPECT_EQ(build_program(each.what, recipe::from_text(text)).steps.size(),
                  build_program(each.what, each.how).steps.size());
    }
}

TEST(RowColumn, RecipesOfOtherProblemsAreRefused)
{
    const problem what = problem::from_string("dct2_n5x6_b9");
    for (const char* other : { "dct2_n6x5_b9", "dct2_n30x1_b9", "dct2_n5x2x3_b9" })
        EXPECT_THROW(build_program(what, recipe_for(other)), std::invalid_argument)
            << other;
}

TEST(RowColumn, ObstaclesNameTheLines)
{
    const auto obstacle = [](const char* text) {
        return obstacle_of(
            row_column_algorithm(), problem::from_string(text), device_traits());
    };
    EXPECT_EQ(obstacle("c2c_forward_n17x8_b1"), "");
    EXPECT_EQ(obstacle("dct4_n2x268435456_b1").find("lines of 268435456 points: "), 0u);
    EXPECT_NE(obstacle("c2c_forward_n17_b1").find("not for"), std::string::npos);
}

TEST(RowColumn, OverlappingFramesOfLinesRunOneByOne)
{
    const problem what = problem::from_string("r2c_n4x6_b99_algorithm=row-column");
    const program made = build_program(what, make_recipe(what));
    EXPECT_EQ(frames_allowed_by_hop(made.steps, 100, 24), 100u);
    EXPECT_EQ(frames_allowed_by_hop(made.steps, 100, 20), 1u);
    const problem whole = problem::from_string("dct2_n4x6_b99"); // transposed first
    EXPECT_EQ(
        frames_allowed_by_hop(build_program(whole, make_recipe(whole)).steps, 100, 20),
        100u);
}

TEST(RowColumn, CandidatesKeepFewFramesInTheCache)
{
    const problem what = problem::from_string("r2c_n512x512_b256");
    bool are_few = false;
    for (const recipe& how : recipe_candidates(what)) {
        are_few = are_few || how.frames_at_once() > 0;
        EXPECT_EQ(build_program(what, how).frames_at_once,
                  std::size_t(how.frames_at_once()));
        EXPECT_EQ(recipe::from_text(how.to_text()).frames_at_once(),
                  how.frames_at_once());
    }
    EXPECT_TRUE(are_few);
    EXPECT_EQ(make_recipe(what).frames_at_once(), 0);
}

TEST(RowColumn, OnePassAnAxis)
{
    for (const char* name :
         { "c2c_forward_n8x67_b99", "r2c_n8x134_b99", "c2r_n512x512_b9" })
        EXPECT_EQ(
            build_program(problem::from_string(name), recipe_for(name)).steps.size(), 2u)
            << name;
    EXPECT_EQ(recipe_for("r2c_n512x512_b99").to_string().find("transpose"),
              std::string::npos);
}

TEST(RowColumn, TransposedPassesForOtherAxes)
{
    for (const char* name : { "c2c_forward_n67x8_b99", "r2c_n67x6_b99", "dct2_n8x6_b99" })
        EXPECT_EQ(
            build_program(problem::from_string(name), recipe_for(name)).steps.size(), 4u)
            << name;
}
