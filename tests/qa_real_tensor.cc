// SPDX-License-Identifier: GPL-3.0-or-later
//
// Real transforms of several axes in one pass over memory: the kernels by fibers against
// FFTW, and the recipes.

#include "host_real_tensor_cases.h"
#include "planner/planner.h"
#include "planner/real/real_tensor.h"
#include "recipe_checks.h"

#include <gtest/gtest.h>

using namespace gr::gpufft;

class HostRealTensor : public ::testing::TestWithParam<recipe_case>
{
};

// Even and odd numbers of frames; some blocks are not full.
TEST_P(HostRealTensor, AgreesWithDoublePrecision)
{
    const recipe_case& each = GetParam();
    const std::size_t of_block =
        build_program(each.what, each.how).steps[0].kernel.frames_per_block;
    for (std::size_t frames : { std::size_t(1), std::size_t(4), 2 * of_block + 1 })
        expect_agreement(each, frames);
}

TEST_P(HostRealTensor, GivesTheSameBitsAtAnyOffset)
{
    expect_same_at_any_offset(GetParam(), 3);
}

INSTANTIATE_TEST_SUITE_P(Cases,
                         HostRealTensor,
                         ::testing::ValuesIn(host_real_tensor_cases()),
                         [](const auto& info) {
                             return with_letters_only(info.param.what.to_string()) +
                                    "_case" + std::to_string(info.index);
                         });

TEST(RealTensor, FramesAloneHaveTheSameBitsInAnyCall)
{
    for (const recipe_case& each : host_real_tensor_cases()) {
        const bool shares = each.what.lengths.back() % 2 != 0 && !each.what.alone;
        EXPECT_TRUE(shares || !differs_between_calls(each, 3)) << each.what.to_string();
    }
}

TEST(RealTensor, TakesFramesThatFitABlock)
{
    for (const char* name : { "r2c_n28x32_b149796",
                              "r2c_n80x18_b93206",
                              "r2c_n125x27_b39768",
                              "c2r_n64x64_b32768",
                              "r2c_n4x6_b5592405",
                              "r2c_n8x8x8_b262144",
                              "c2r_n15x9_b994205",
                              "c2r_n28x32_b149796_f64",
                              "r2c_n28x32_b1",
                              "c2r_n28x32_b1" }) {
        const problem what = problem::from_string(name);
        const recipe how = make_recipe(what);
        EXPECT_EQ(how.algorithm, "real-tensor") << name << " by " << how.to_string();
        EXPECT_EQ(build_program(what, how).steps.size(), 1u) << name;
    }
    EXPECT_NE(make_recipe(problem::from_string("r2c_n512x512_b16")).algorithm,
              "real-tensor");
}

TEST(RealTensor, RecipesReadBack)
{
    for (const recipe_case& each : host_real_tensor_cases()) {
        const std::string text = each.how.to_text();
        EXPECT_EQ(recipe::from_text(text).to_text(), text);
    }
    EXPECT_EQ(recipe::from_text("real-tensor:tensor 64 1 0 0 [8x8] 8*8x1:8b.8a/8/2/0/2")
                  .to_string(),
              "real-tensor(tensor(8x8: {d(8,8,8,I,O) d(8,1,1,I,O)} by 8b·8a, 1 pass over "
              "memory))");
}

TEST(RealTensor, RecipesOfOtherProblemsAreRefused)
{
    const problem what = problem::from_string("r2c_n8x16_b9");
    for (const char* other : { "tensor 64 1 0 0 [8x8] 8*8x1:8b.8a/8/2/0/0", // of c2r
                               "tensor 64 1 0 0 [16x4] 16*4x1:4b.16a/8/2/0/2",
                               "tensor 64 1 0 0 [8x8] 8x1:8a/1/1/0/0 8x8:8a/8/1/0/2",
                               "stockham 64 1 0 0 64x1:8.8/8/2/0/2" })
        EXPECT_THROW(
            build_program(what, recipe::from_text(std::string("real-tensor:") + other)),
            std::invalid_argument)
            << other;
}

TEST(RealTensor, CandidatesFitTheCard)
{
    for (int shared : { 48 * 1024, 99 * 1024, 227 * 1024 })
        for (const char* name : { "r2c_n64x64_b999",
                                  "c2r_n64x64_b999",
                                  "r2c_n45x75_b999",
                                  "c2r_n16x16x16_b999_f64" }) {
            device_traits card;
            card.shared_bytes = shared;
            const problem what =
                problem::from_string(std::string(name) + "_algorithm=real-tensor");
            for (const recipe& how : recipe_candidates(what, card)) {
                const kernel_instance kernel = build_program(what, how).steps[0].kernel;
                EXPECT_LE(kernel.shared_bytes, card.shared_bytes) << how.to_text();
                EXPECT_LE(kernel.block_threads, 1024) << how.to_text();
            }
        }
}

TEST(RealTensor, ObstacleNamesTheLengthOrTheFrame)
{
    const auto obstacle = [](const char* name) {
        return obstacle_of(
            real_tensor_algorithm(), problem::from_string(name), device_traits());
    };
    EXPECT_EQ(obstacle("r2c_n100x100_b1"), "");
    EXPECT_NE(obstacle("r2c_n100x134_b1").find("67"), std::string::npos);
    EXPECT_NE(obstacle("c2r_n512x512_b1").find("131072"), std::string::npos);
    for (const char* name : { "r2c_n100_b1",
                              "c2c_forward_n10x10_b1",
                              "dct2_n10x10_b1",
                              "r2c_n10x10_b1_shiftin",
                              "c2r_n10x10_b1_shiftout" })
        EXPECT_NE(obstacle(name).find("not for"), std::string::npos) << name;
}
