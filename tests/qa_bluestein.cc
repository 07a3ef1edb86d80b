// SPDX-License-Identifier: GPL-3.0-or-later
//
// Bluestein's algorithm: its choice of lengths, and its kernels on the host engine, in
// NVRTC and on a GPU.

#include "planner/convolution/bluestein.h"
#include "planner/number_theory.h"
#include "prime_checks.h"

using namespace gr::gpufft;

TEST(Bluestein, ShapesFitTheCard)
{
    const device_traits card;
    for (std::size_t n : { 2,
                           17,
                           34,
                           100,
                           139,
                           839,
                           1009,
                           2039,
                           4093,
                           8191,
                           10007,
                           13001,
                           13681,
                           16411,
                           65537,
                           1048573,
                           16777213 }) {
        problem what;
        what.algorithm = "bluestein";
        what.n = n;
        what.batch = std::max<std::size_t>(1, (std::size_t(1) << 24) / n);
        const std::vector<recipe> found = recipe_candidates(what, card);
        ASSERT_FALSE(found.empty()) << n;
        for (const recipe& how : found) {
            std::uint64_t length = 1;
            for (const stockham_shape& shape : how.shapes)
                length *= shape.n;
            EXPECT_GE(length, how.shapes.size() == 1 ? n : 2 * n - 1);
            EXPECT_TRUE(is_smooth_to(length, 13));
            if (n > 100000)
                continue; // their spectra take long
            for (const launch_step& step : build_program(what, how).steps) {
                EXPECT_LE(step.kernel.shared_bytes, card.shared_bytes) << how.to_string();
                EXPECT_LE(step.kernel.block_threads, 1024) << how.to_string();
            }
        }
    }
}

TEST(Bluestein, SaysWhatItCannotDo)
{
    problem what;
    for (std::size_t n : { std::size_t(1), MAX_FFT_SIZE / 2 + 1 }) {
        what.n = n;
        EXPECT_NE(bluestein_algorithm()
                      .obstacle(what, device_traits())
                      .find("FFT size is " + std::to_string(n) + ", but"),
                  std::string::npos);
    }
}

TEST(Bluestein, HostEngineAgreesWithDoublePrecision)
{
    const std::vector<problem> problems = problems_of("bluestein");
    ASSERT_FALSE(problems.empty());
    for (const problem& what : problems)
        EXPECT_LT(host_error(what), 1.6) << what.to_string();
}

TEST(Bluestein, TwoColumnLevelsAgreeWithDoublePrecision)
{
    EXPECT_LT(host_error(three_level_problem(), three_level_recipe()), 1.6);
}

// Govindaraju et al., SC'08, Fig. 6: without the exact index the error grows with N.
TEST(Bluestein, InexactAngleCostsDigits)
{
    const std::vector<problem> inexact = problems_of("bluestein-inexact");
    ASSERT_FALSE(inexact.empty());
    for (problem what : inexact) {
        const double without = host_error(what);
        what.algorithm = "bluestein";
        const double with = host_error(what);
        EXPECT_GT(without, 20 * with) << what.to_string();
    }
}

TEST(Bluestein, InexactIsNeverChosen)
{
    for (std::size_t n : { 839, 2039 }) {
        problem what;
        what.n = n;
        for (const recipe& how : recipe_candidates(what))
            EXPECT_NE(how.algorithm, "bluestein-inexact") << how.to_string();
    }
}

TEST(Bluestein, EveryWayAgreesWithDoublePrecision) { expect_cases_agree("bluestein"); }

#ifdef GPUFFT_HAVE_CUDA

TEST(Bluestein, CompilesWithoutSpills)
{
    if (!find_nvrtc().reason.empty())
        GTEST_SKIP() << find_nvrtc().reason;
    for (const problem& what : problems_of("bluestein"))
        if (what.average == 1)
            expect_no_spills(what, 90, 2);
    for (int architecture : { 75, 80 })
        expect_no_spills(
            problem::from_string("c2c_forward_n839_b9999_algorithm=bluestein"),
            architecture,
            1);
}

TEST(Bluestein, GpuAgreesWithDoublePrecision)
{
    if (!query_cuda().usable)
        GTEST_SKIP() << query_cuda().reason;
    std::vector<problem> problems = problems_of("bluestein");
    for (std::size_t n = 2; n < 4096; n += 97) {
        problem what;
        what.n = n;
        what.algorithm = "bluestein";
        problems.push_back(what);
    }
    check_all(problems, 40, 33);
}

#endif // GPUFFT_HAVE_CUDA
