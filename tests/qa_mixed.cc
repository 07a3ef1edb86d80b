// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lengths that mix radices with larger primes: how they are split, and their kernels on
// the host engine, in NVRTC and on a GPU.

#include "planner/convolution/mixed.h"
#include "planner/number_theory.h"
#include "planner/radices.h"
#include "prime_checks.h"

using namespace gr::gpufft;

namespace {

recipe recipe_of(std::size_t n)
{
    problem what;
    what.n = n;
    what.batch = std::max<std::size_t>(1, (std::size_t(1) << 27) / n);
    what.algorithm = "mixed";
    return make_recipe(what);
}

// One kernel: see mixed_kernel.
bool is_in_block(const recipe& how) { return how.shapes.size() == 1; }

std::size_t columns_of(const recipe& how)
{
    if (is_in_block(how))
        return how.shape().columns;
    std::size_t columns = 1;
    for (std::size_t level = 0; level + 1 < how.shapes.size(); ++level)
        columns *= how.shapes[level].n;
    return columns;
}

} // namespace

TEST(Mixed, RowsHoldTheLargePrimes)
{
    for (std::size_t n : { 158,
                           1264,
                           18500,
                           8186,
                           2517,
                           64576,
                           37 << 20,
                           79 << 20,
                           6068,
                           1369 * 4,
                           12289 * 8,
                           2 * 2 * 3 * 5 * 7 * 11 * 13 * 37 }) {
        const recipe how = recipe_of(n);
        const std::size_t columns = columns_of(how), row = n / columns;
        EXPECT_GT(columns, 1u) << how.to_string();
        EXPECT_EQ(columns * row, n);
        EXPECT_TRUE(is_smooth(columns)) << how.to_string();
        EXPECT_FALSE(is_smooth_to(row, 31)) << how.to_string();
        if (is_in_block(how)) {
            EXPECT_EQ(row, std::size_t(how.shape().n) + 1) << how.to_string();
        }
    }
    EXPECT_EQ(recipe_of(1264).to_string().find("mixed(1264: 16 and 79 by rader 78 = "),
              0u);
    EXPECT_EQ(recipe_of(10112).to_string().find("mixed(10112: 128 = "), 0u);
    EXPECT_NE(recipe_of(10112).to_string().find(", 79 by rader 78 = "),
              std::string::npos);
    EXPECT_NE(recipe_of(2517).to_string().find(" by bluestein "), std::string::npos);
}

// In single precision columns have primes up to 61, so that rows have only larger ones.
TEST(Mixed, ColumnsTakePrimesOfRadices)
{
    for (std::size_t n : { 43 * 103, 59 * 281, 61 * 677, 24 * 53 * 281 }) {
        problem what;
        what.n = n;
        what.batch = std::max<std::size_t>(1, (std::size_t(1) << 27) / n);
        const recipe how = make_recipe(what);
        ASSERT_EQ(how.algorithm, "mixed") << how.to_string();
        EXPECT_FALSE(is_smooth(columns_of(how), true)) << how.to_string();
    }
}

TEST(Mixed, OneKernelTransformsWhatFitsABlock)
{
    for (std::size_t n : { 134, 1264, 1454, 2406, 31 * 67, 2 * 4093 })
        EXPECT_TRUE(is_in_block(recipe_of(n))) << n;
    for (std::size_t n : { 2517, 64576, 128 * 79, 8 * 4093 }) // 839 - 1 = 2 419
        EXPECT_FALSE(is_in_block(recipe_of(n))) << n;
}

TEST(Mixed, LongOnesHaveMoreColumnLevels)
{
    EXPECT_EQ(recipe_of(std::size_t(79) << 8).shapes.size(), 2u);
    EXPECT_EQ(recipe_of(std::size_t(79) << 20).shapes.size(), 3u);
    EXPECT_EQ(recipe_of(std::size_t(37) << 24).shapes.size(), 3u);
}

TEST(Mixed, SaysWhatItCannotDo)
{
    const auto reason = [](std::size_t n) {
        problem what;
        what.n = n;
        return mixed_algorithm().obstacle(what, device_traits());
    };
    EXPECT_EQ(reason(158), "");
    EXPECT_NE(reason(1).find("1 has no prime factor above 31"), std::string::npos);
    EXPECT_NE(reason(1024).find("1024 has no prime factor above 31"), std::string::npos);
    EXPECT_NE(reason(1009).find("1009 has no prime factor up to 61"), std::string::npos);
    EXPECT_NE(reason(2 * 65537).find("its factor 65537 is too long"), std::string::npos);
}

TEST(Mixed, CandidatesFitTheCard)
{
    const device_traits card;
    for (std::size_t n : { 158, 1264, 18500, 8186, 2517, 64576, 24 * 13001, 2 * 18433 }) {
        problem what;
        what.n = n;
        what.algorithm = "mixed";
        for (std::size_t batch : { std::size_t(1), (std::size_t(1) << 24) / n }) {
            what.batch = batch;
            const std::vector<recipe> found = recipe_candidates(what, card);
            ASSERT_FALSE(found.empty()) << n;
            for (const recipe& how : found)
                for (const launch_step& step : build_program(what, how).steps) {
                    EXPECT_LE(step.kernel.shared_bytes, card.shared_bytes)
                        << how.to_string();
                    EXPECT_LE(step.kernel.block_threads, 1024) << how.to_string();
                }
        }
    }
}

TEST(Mixed, HostEngineAgreesWithDoublePrecision)
{
    const std::vector<problem> problems = problems_of("mixed");
    ASSERT_FALSE(problems.empty());
    for (const problem& what : problems) {
        const double error = host_error(what);
        EXPECT_LT(error, 1.6) << what.to_string();
        if (!what.is_power() && what.input == sample_format::cf32 && !what.window) {
            EXPECT_LT(error * error_bound(what), 2.5e-7) << what.to_string();
        }
    }
}

TEST(Mixed, EveryWayAgreesWithDoublePrecision) { expect_cases_agree("mixed"); }

#ifdef GPUFFT_HAVE_CUDA

TEST(Mixed, CompilesWithoutSpills)
{
    if (!find_nvrtc().reason.empty())
        GTEST_SKIP() << find_nvrtc().reason;
    for (const problem& what : problems_of("mixed"))
        if (what.average == 1)
            expect_no_spills(what, 90, 1);
    for (int architecture : { 75, 80 })
        expect_no_spills(problem::from_string("c2c_forward_n18500_b9999_algorithm=mixed"),
                         architecture,
                         1);
}

TEST(Mixed, GpuAgreesWithDoublePrecision)
{
    if (!query_cuda().usable)
        GTEST_SKIP() << query_cuda().reason;
    std::vector<problem> problems = problems_of("mixed");
    for (std::size_t n = 74; n < 4096; n += 37) {
        problem what;
        what.n = n;
        what.algorithm = "mixed";
        if (mixed_algorithm().obstacle(what, device_traits()).empty())
            problems.push_back(what);
    }
    check_all(problems, 40, 33);
}

#endif // GPUFFT_HAVE_CUDA
