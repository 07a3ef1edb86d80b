// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every algorithm on a real GPU, once in every way that its recipes have: few frames and
// one thread, so that compute-sanitizer can watch.

#ifdef GPUFFT_HAVE_CUDA

#include "cuda_checks.h"
#include "engine/cuda/cuda_plan.h"
#include "host_problems.h"
#include "planner/planner.h"
#include "planner/stockham/stockham.h"
#include <gtest/gtest.h>
#include <set>
#include <sstream>

using namespace gr::gpufft;

namespace {

constexpr std::size_t FRAMES = 3;

// Head of a recipe's text, without the length: algorithm, cluster, ways, frames ahead;
// how many shapes follow, and who copies them.
std::string way_of(const recipe& how)
{
    std::istringstream text(how.to_text());
    std::string word, way;
    for (int i = 0; i < 5 && text >> word; ++i)
        way += i == 1 ? "" : word + " ";
    return way + std::to_string(how.core().shapes.size()) +
           (how.shape().pipelined ? " pipelined" : "") +
           (how.shape().tiled ? " in tiles" : "") +
           (how.shape().copied_by_card ? " by card" : "");
}

class CudaAlgorithmsGpu : public testing::TestWithParam<const char*>
{
protected:
    void SetUp() override
    {
        if (!query_cuda().usable)
            GTEST_SKIP() << query_cuda().reason;
    }

    static void expect_exact(const problem& what, const recipe& how)
    {
        cuda_plan plan(what, 0, how);
        std::printf("    %s: %s\n", what.to_string().c_str(), how.to_text().c_str());
        const std::vector<std::uint8_t> input = random_samples(what, FRAMES * what.n);
        EXPECT_EQ(compare(what,
                          run(plan, input, FRAMES, FRAMES),
                          reference_rows(what, input, {}, FRAMES)),
                  "")
            << plan.describe();
    }
};

std::string name_of(const testing::TestParamInfo<const char*>& info)
{
    std::string name = info.param;
    for (char& letter : name)
        if (!std::isalnum(static_cast<unsigned char>(letter)))
            letter = '_';
    return name;
}

} // namespace

TEST_P(CudaAlgorithmsGpu, EveryWay)
{
    const problem what = problem::from_string(GetParam());
    problem full = what; // has other recipes
    full.batch = (std::size_t(1) << 22) / what.n + 1;
    const device_traits card = device_context::get(0).traits();
    const std::string obstacle = planning_obstacle(what, card);
    if (!obstacle.empty())
        GTEST_SKIP() << obstacle;
    std::set<std::string> seen;
    for (const problem& ranked : { what, full })
        for (const recipe& how : recipe_candidates(ranked, card, 1000))
            if (seen.insert(way_of(how)).second)
                expect_exact(what, how);
    EXPECT_FALSE(seen.empty());
}

INSTANTIATE_TEST_SUITE_P(Algorithms,
                         CudaAlgorithmsGpu,
                         testing::Values("c2c_forward_n1000_b3_algorithm=stockham",
                                         "c2c_inverse_n4096_b3_algorithm=hierarchical",
                                         "c2c_forward_n65536_b3_algorithm=hierarchical",
                                         "c2c_forward_n16384_b3_algorithm=cluster",
                                         "c2c_inverse_n48000_b3_algorithm=cluster",
                                         "c2c_forward_n1009_b3_algorithm=rader",
                                         "c2c_forward_n839_b3_algorithm=bluestein",
                                         "c2c_forward_n20011_b3_algorithm=bluestein",
                                         "c2c_forward_n1264_b3_algorithm=mixed",
                                         "c2c_inverse_n2517_b3_algorithm=mixed",
                                         "c2c_inverse_n10000_b3_algorithm=in-place",
                                         "c2c_forward_n24x36_b3_algorithm=tensor",
                                         "r2c_n28x32_b3_algorithm=real-tensor",
                                         "r2c_n15x9_b3_algorithm=real-tensor",
                                         "c2r_n6x5x8_b3_algorithm=real-tensor",
                                         "c2r_n25x7_b3_algorithm=real-tensor",
                                         "c2c_forward_n1024_b3_algorithm=ladder2",
                                         "c2c_forward_n1024_b3_algorithm=ladder4",
                                         "c2c_forward_n4096_b3_algorithm=ladder8",
                                         "c2c_forward_n4096_b3_algorithm=ladder16",
                                         "c2c_forward_n1024_b3_algorithm=ladder32",
                                         "c2c_forward_n1024_b3_algorithm=cooley-tukey",
                                         "c2c_forward_n1024_b3_algorithm=stockham2",
                                         "c2c_forward_n1024_b3_algorithm=stockham4"),
                         name_of);

TEST_F(CudaAlgorithmsGpu, ThreeLevels)
{
    const problem what = problem::from_string("c2c_forward_n4096_b3");
    recipe how;
    how.algorithm = "hierarchical";
    how.n = what.n;
    for (bool is_last : { false, false, true })
        how.shapes.push_back(tile_candidates(16, 8, is_last, 1, device_traits()).front());
    expect_exact(what, how);
}

TEST_F(CudaAlgorithmsGpu, BluesteinOfThreeLevels)
{
    expect_exact(three_level_problem(), three_level_recipe());
}

#endif // GPUFFT_HAVE_CUDA
