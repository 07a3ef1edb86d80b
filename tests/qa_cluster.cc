// SPDX-License-Identifier: GPL-3.0-or-later
//
// Transforms over a thread block cluster: the kernel by fibers against FFTW in double
// precision, and the recipes.

#include "host/host_plan.h"
#include "host_cluster_cases.h"
#include "on_host/cluster_on_host.h"
#include "planner/cluster/cluster.h"
#include "planner/planner.h"
#include "recipe_checks.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

using namespace gr::gpufft;

namespace {

std::string name_of(const recipe_case& each)
{
    const recipe& how = each.how;
    std::string name =
        each.what.to_string() + "_over" + std::to_string(how.cluster()) +
        (how.of<cluster_fields>().two_areas ? "_two_areas" : "_one_area") +
        (how.prefetched() ? "_prefetched" : "") +
        (how.shapes[0].copied_by_card ? "_by_card" : "") +
        (how.of<cluster_fields>().by_messages ? "_by_messages" : "_by_stores");
    return with_letters_only(name);
}

std::string case_name(const ::testing::TestParamInfo<recipe_case>& info)
{
    return name_of(info.param);
}

problem cluster_problem(std::size_t n)
{
    problem what;
    what.n = n;
    what.algorithm = "cluster";
    return what;
}

} // namespace

namespace gr {
namespace gpufft {
void PrintTo(const recipe_case& each, std::ostream* stream) { *stream << name_of(each); }
} // namespace gpufft
} // namespace gr

class HostCluster : public ::testing::TestWithParam<recipe_case>
{
};

TEST_P(HostCluster, AgreesWithDoublePrecision)
{
    expect_agreement(GetParam(), 5); // for two clusters: three and two
}

INSTANTIATE_TEST_SUITE_P(Ways,
                         HostCluster,
                         ::testing::ValuesIn(host_cluster_cases()),
                         case_name);

TEST(HostLaunch, BlocksOfAClusterReachEachOther)
{
    host_grid grid;
    grid.blocks_x = 6;
    grid.threads = 4;
    grid.cluster = 3;
    grid.shared_bytes = 4 * sizeof(int);
    for (thread_order order : { thread_order::rising, thread_order::falling }) {
        grid.order = order;
        std::vector<int> got(24, -1);
        launch_on_host(grid, [&] {
            using namespace kernels;
            int* own = shared_memory<int>() + threadIdx.x;
            const int next = (cluster_rank() + 1) % 3;
            *in_block(own, next).address = int(blockIdx.x * 10 + threadIdx.x);
            cluster_arrive();
            cluster_wait();
            got[blockIdx.x * 4 + threadIdx.x] = *own;
        });
        for (int block = 0; block < 6; ++block)
            for (int thread = 0; thread < 4; ++thread)
                EXPECT_EQ(got[block * 4 + thread],
                          (block / 3 * 3 + (block + 2) % 3) * 10 + thread);
    }
}

TEST(HostLaunch, EndlessWaitIsReported)
{
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "AddressSanitizer takes a fiber's stack for the thread's when an "
                    "exception is thrown on it (google/sanitizers issue 189)";
#endif
    host_grid grid;
    grid.blocks_x = grid.cluster = 2;
    grid.threads = 2;
    EXPECT_THROW(launch_on_host(grid,
                                [] {
                                    if (kernels::cluster_rank() == 0)
                                        kernels::cluster_arrive();
                                    kernels::cluster_wait();
                                    kernels::wait_until([] { return false; });
                                }),
                 std::logic_error);
}

TEST(ClusterRecipe, ObstacleNamesWhatIsMissing)
{
    device_traits card;
    card.architecture = 86;
    const algorithm cluster = cluster_algorithm();
    EXPECT_NE(cluster.obstacle(cluster_problem(65536), card).find("8.6"),
              std::string::npos);
    card.architecture = 90;
    EXPECT_EQ(cluster.obstacle(cluster_problem(65536), card), "");
    for (std::size_t n : { 8u, 1009u, 1u << 24 })
        EXPECT_NE(cluster.obstacle(cluster_problem(n), card).find(std::to_string(n)),
                  std::string::npos);
}

TEST(ClusterRecipe, CandidatesFitTheCard)
{
    const device_traits card;
    const algorithm cluster = cluster_algorithm();
    for (std::size_t n :
         { 10000, 15625, 16384, 32768, 48000, 65536, 100000, 131072, 262144 }) {
        const problem what = cluster_problem(n);
        ASSERT_EQ(cluster.obstacle(what, card), "");
        const std::vector<recipe> found = cluster.candidates(what, card);
        ASSERT_FALSE(found.empty()) << n;
        for (const recipe& how : found) {
            ASSERT_EQ(how.shapes.size(), 2u);
            EXPECT_EQ(std::size_t(how.shapes[0].n) * how.shapes[1].n, n);
            EXPECT_GE(how.shapes[0].columns * how.cluster(), how.shapes[1].n);
            EXPECT_GE(how.shapes[1].columns * how.cluster(), how.shapes[0].n);
            const program made = cluster.build(what, how);
            EXPECT_LE(made.steps[0].kernel.shared_bytes, card.shared_bytes);
            EXPECT_LE(made.steps[0].kernel.block_threads, 1024);
            EXPECT_GT(cluster.cost(what, how, card), 0.9);
            EXPECT_EQ(recipe::from_text(how.to_text()).to_text(), how.to_text());
        }
    }
}

TEST(ClusterRecipe, TooFewThreadsAreRefused)
{
    EXPECT_THROW(cluster_recipe({ 4 }, 256, 256, 64, device_traits()),
                 std::invalid_argument);
}

TEST(ClusterRecipe, RootsTogetherGiveTheTwiddle)
{
    const recipe how = cluster_recipe({ 4 }, 32, 48, 32, device_traits());
    const int radix = how.shapes[0].radices.back(), step = 32 / radix;
    const std::vector<std::complex<long double>> tables = cluster_twiddles(how);
    const std::size_t first = 32 - how.shapes[0].radices.front();
    ASSERT_EQ(tables.size(), first + 48 * (step + radix));
    for (int b = 0; b < 48; ++b) {
        for (int c = 0; c < 32; ++c) {
            const int q = c % step, k = c / step;
            const std::complex<long double> root =
                tables[first + q * 48 + b] * tables[first + 48 * (step + k) + b];
            const std::complex<long double> exact =
                std::polar(1.0L, -2 * M_PIl * b * c / 1536);
            EXPECT_LT(std::abs(root - exact), 1e-17L);
        }
    }
}
