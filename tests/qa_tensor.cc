// SPDX-License-Identifier: GPL-3.0-or-later
//
// Transforms of several axes: the kernels by fibers against FFTW in double precision, how
// the axes are cut, and the recipes.

#include "host_tensor_cases.h"
#include "planner/axes/tensor.h"
#include "planner/axes/tensor_cluster.h"
#include "planner/cluster/cluster.h"
#include "planner/planner.h"
#include "recipe_checks.h"

#include <gtest/gtest.h>

using namespace gr::gpufft;

namespace {

std::string name_of(const recipe_case& each)
{
    return with_letters_only(each.what.to_string() + "_in" +
                             std::to_string(each.how.shapes.size()));
}

std::string case_name(const ::testing::TestParamInfo<recipe_case>& info)
{
    return name_of(info.param) + "_case" + std::to_string(info.index);
}

recipe recipe_for(const std::string& text)
{
    return make_recipe(problem::from_string(text + "_algorithm=tensor"));
}

} // namespace

namespace gr {
namespace gpufft {
void PrintTo(const recipe_case& each, std::ostream* stream) { *stream << name_of(each); }
} // namespace gpufft
} // namespace gr

class HostTensor : public ::testing::TestWithParam<recipe_case>
{
};

TEST_P(HostTensor, AgreesWithDoublePrecision)
{
    expect_agreement(GetParam(), GetParam().what.n > 10000 ? 1 : 4);
}

INSTANTIATE_TEST_SUITE_P(Cases,
                         HostTensor,
                         ::testing::ValuesIn(host_tensor_cases()),
                         case_name);

TEST(TensorRecipe, SmallFramesGoOverMemoryOnce)
{
    for (const char* text : { "c2c_forward_n16x16_b524288",
                              "c2c_forward_n32x32_b131072",
                              "c2c_forward_n64x64_b32768",
                              "c2c_forward_n128x128_b8192",
                              "c2c_forward_n8x8x8_b262144",
                              "c2c_forward_n16x16x16_b32768",
                              "c2c_forward_n8x8x8x8_b32768" })
        EXPECT_EQ(recipe_for(text).shapes.size(), 1u) << text;
}

TEST(TensorRecipe, LargerFramesGoOverMemoryTwice)
{
    for (const char* text : { "c2c_forward_n512x512_b512",
                              "c2c_forward_n1024x1024_b128",
                              "c2c_forward_n4096x4096_b8",
                              "c2c_forward_n2048x512_b128",
                              "c2c_forward_n64x64x64_b512",
                              "c2c_forward_n256x256x256_b8" }) {
        EXPECT_EQ(recipe_for(text).shapes.size(), 2u) << text;
        EXPECT_EQ(recipe_for(text).cluster(), 1) << text;
    }
    EXPECT_EQ(recipe_for("c2c_forward_n512x512x512_b1").shapes.size(), 3u);
}

TEST(TensorRecipe, ExpressionNamesCodeletsAndPassesOverMemory)
{
    EXPECT_EQ(
        recipe::from_text("tensor 65536 1 0 0 [256x256] 16*256x1:16a.16b.16b/256/1/4/0 "
                          "16x256:16a/256/1/8/0")
            .to_string(),
        "tensor(256x256: {d(16,4096,4096,I,S) d(256,1,1,I,S), d(16,256,4096,S,O)} "
        "by 16a·16b·16b, 16a, 2 passes over memory)");
    EXPECT_EQ(
        recipe::from_text("tensor 25 1 0 0 [5x5] 5*5x1:5a.5b/1/9/0/256").to_string(),
        "tensor(5x5: {d(5,5,5,I,O) d(5,1,1,I,O)} by 5a·5b in tiles, 1 pass over "
        "memory)");
    EXPECT_EQ(recipe::from_text("tensor 64 1 0 0 [8x8] 8*8x1:8a.8b/8/1/0/0").to_string(),
              "tensor(8x8: {d(8,8,8,I,O) d(8,1,1,I,O)} by 8a·8b, 1 pass over memory)");
}

TEST(TensorRecipe, ClustersTakeFramesInOneWayOverMemory)
{
    const char* text = "tensor 32768 8 8 0 [32x32x32] 1024x4:32.32/128/1/3/4 "
                       "32x128:32/128/1/3/0";
    const problem what = problem::from_string("c2c_forward_n32x32x32_b4096");
    const recipe how = recipe::from_text(text);
    EXPECT_EQ(how.to_string(),
              "tensor(32x32x32: {d(32,32,32,I,C) d(32,1,1,I,C), d(32,1024,1024,C,O)} by "
              "32a·32b, 32a, clusters of 8, 1 pass over memory)");
    EXPECT_EQ(build_program(what, how).steps.size(), 1u);
    EXPECT_EQ(build_program(what, how).scratch_points[0], 0u);
    device_traits card;
    for (const char* name :
         { "c2c_forward_n256x256_b2048", "c2c_forward_n32x32x32_b4096" }) {
        const problem whole = problem::from_string(name);
        EXPECT_EQ(build_program(whole, make_recipe(whole)).steps.size(), 1u) << name;
        card.architecture = 90;
        const std::vector<recipe> found =
            tensor_cluster_candidates(problem::from_string(name), card);
        EXPECT_FALSE(found.empty()) << name;
        for (const recipe& each : found)
            EXPECT_TRUE(fits_cluster(each, card)) << each.to_text();
        card.architecture = 80;
        EXPECT_TRUE(tensor_cluster_candidates(problem::from_string(name), card).empty());
    }
}

TEST(TensorRecipe, CandidatesFitTheCardAndReadAsText)
{
    for (int shared : { 48 * 1024, 99 * 1024, 227 * 1024 }) {
        device_traits card;
        card.shared_bytes = shared;
        for (const char* text : { "c2c_forward_n16x16_b524288",
                                  "c2c_forward_n1000x1000_b1",
                                  "c2c_forward_n64x64x64_b512",
                                  "c2c_forward_n91x33x35_b1",
                                  "c2c_forward_n65536x8_b100" }) {
            const problem what =
                problem::from_string(text + std::string("_algorithm=tensor"));
            ASSERT_EQ(planning_obstacle(what, card), "");
            for (const recipe& how : recipe_candidates(what, card, 12)) {
                EXPECT_EQ(recipe::from_text(how.to_text()).to_text(), how.to_text());
                for (const launch_step& step : build_program(what, how).steps) {
                    EXPECT_LE(step.kernel.shared_bytes, card.shared_bytes);
                    EXPECT_LE(step.kernel.block_threads, 1024);
                }
            }
        }
    }
}

TEST(TensorRecipe, ObstacleNamesTheLength)
{
    const algorithm tensor = tensor_algorithm();
    const auto obstacle = [&](const char* text) {
        return obstacle_of(tensor, problem::from_string(text), device_traits());
    };
    EXPECT_EQ(obstacle("c2c_forward_n100x100_b1"), "");
    EXPECT_NE(obstacle("c2c_forward_n100x67_b1").find("67"), std::string::npos);
    EXPECT_NE(obstacle("c2c_forward_n8x65536_b1").find("65536"), std::string::npos);
    EXPECT_NE(obstacle("c2c_forward_n1024_b1").find("not for"), std::string::npos);
}

TEST(TensorRecipe, TextThatCutsNoAxesIsRefused)
{
    for (const char* text : { "tensor 64 1 0 0 [8x8] 8*8x1:8a/8/1/0/0",
                              "tensor 64 1 0 0 [8x8] 8*8x1:8a.8c/8/1/0/0",
                              "tensor 64 1 0 0 [8x8] 8*8x1:8a.4b.4a/8/1/0/0",
                              "tensor 64 1 0 0 [8x8 8*8x1:8a.8b/8/1/0/0",
                              "tensor 64 1 0 0 [8x8] 8*8:8a.8b/8/1/0/0" })
        EXPECT_THROW(recipe::from_text(text), std::invalid_argument) << text;
    const std::vector<std::size_t> lengths = { 8, 8 };
    EXPECT_THROW(tensor_steps(lengths, { { { 8, 3 }, 1 } }), std::invalid_argument);
    EXPECT_THROW(tensor_steps(lengths, { { { 8 }, 1 } }), std::invalid_argument);
    EXPECT_THROW(tensor_steps(lengths, { { { 2, 2 }, 1 }, { { 4, 4 }, 1 } }),
                 std::invalid_argument);
    EXPECT_THROW(tensor_steps(lengths, { { { 8 }, 1 }, { { 8 }, 3 } }),
                 std::invalid_argument);
}

TEST(TensorRecipe, PassesOfOneLengthShareTwiddles)
{
    const recipe how =
        recipe::from_text("tensor 4096 1 0 0 [64x64] 64*64x1:8a.8b.8a.8b/512/1/2/0");
    std::vector<int> at;
    EXPECT_EQ(tensor_twiddles(how.shape(), at).size(), 56u);
    EXPECT_EQ(at, (std::vector<int>{ 0, 0, 0, 0 }));
}
