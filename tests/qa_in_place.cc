// SPDX-License-Identifier: GPL-3.0-or-later
//
// The FFT in place of vectors that fill a block's shared memory: which lengths it gets,
// and its kernels on the host engine, in NVRTC and on a GPU.

#include "planner/convolution/in_place.h"
#include "planner/radices.h"
#include "prime_checks.h"

using namespace gr::gpufft;

namespace {

problem full_call(std::size_t n, bool is_double)
{
    return problem::from_string(
        "c2c_forward_n" + std::to_string(n) + "_b" +
        std::to_string((std::size_t(1) << (is_double ? 26 : 27)) / n) +
        (is_double ? "_f64" : ""));
}

} // namespace

TEST(InPlace, TakesVectorsBeyondStockhams)
{
    for (bool is_double : { false, true }) {
        const std::size_t scale = is_double ? 2 : 1;
        for (std::size_t n : { 4096, 8192 })
            EXPECT_EQ(make_recipe(full_call(n / scale, is_double)).algorithm, "stockham")
                << n;
        for (std::size_t n : { 10000, 16940, 22680, 28672 })
            EXPECT_EQ(make_recipe(full_call(n / scale, is_double)).algorithm, "in-place")
                << n;
        EXPECT_NE(make_recipe(full_call(30240 / scale, is_double)).algorithm, "in-place");
    }
}

// Every point of the grid has a place of its own, and nearly no place is lost.
TEST(InPlace, GridsFillSharedMemory)
{
    const device_traits card;
    for (std::size_t n = 2; n < 30000; n += 1 + n / 100) {
        problem what = full_call(n, false);
        what.algorithm = "in-place";
        if (!in_place_algorithm().obstacle(what, card).empty())
            continue;
        for (const recipe& how : recipe_candidates(what, card)) {
            const kernel_instance kernel = build_program(what, how).steps.front().kernel;
            EXPECT_LE(kernel.shared_bytes, card.shared_bytes) << how.to_string();
            EXPECT_GE(kernel.shared_bytes, 8 * n) << how.to_string();
            EXPECT_LE(kernel.shared_bytes, 8 * n + 8 * how.shape().radices.front())
                << how.to_string();
            EXPECT_LE(how.shape().block_threads(), MAX_BLOCK_THREADS) << how.to_string();
        }
    }
}

TEST(InPlace, SaysWhatItCannotDo)
{
    const auto reason = [](std::size_t n,
                           const std::string& algorithm,
                           const device_traits& card = device_traits()) {
        problem what;
        what.n = n;
        what.algorithm = algorithm;
        return in_place_algorithm().obstacle(what, card);
    };
    EXPECT_EQ(reason(1000, "in-place"), "");
    EXPECT_NE(reason(1000, "").find("1000 is short"), std::string::npos);
    EXPECT_EQ(reason(20000, ""), "");
    EXPECT_NE(reason(30240, "").find("30240 does not fit the 232448 bytes"),
              std::string::npos);
    for (std::size_t n : { 1, 31, 37 * 512 })
        EXPECT_NE(reason(n, "in-place").find("is no product of 2 ... 5 radices up to 32"),
                  std::string::npos)
            << n;
    device_traits small;
    small.shared_bytes = 64 * 1024;
    EXPECT_NE(reason(8400, "", small).find("does not fit the 65536"), std::string::npos);
}

#ifdef GPUFFT_HAVE_CUDA

TEST(InPlace, CompilesWithoutSpills)
{
    if (!find_nvrtc().reason.empty())
        GTEST_SKIP() << find_nvrtc().reason;
    for (std::size_t n : { 9000, 16940, 22680, 28672 })
        expect_no_spills(full_call(n, false), 90, 2);
    for (std::size_t n : { 5000, 10000, 14000 })
        expect_no_spills(full_call(n, true), 90, 1);
}

TEST(InPlace, GpuAgreesWithDoublePrecision)
{
    if (!query_cuda().usable)
        GTEST_SKIP() << query_cuda().reason;
    std::vector<problem> problems;
    for (std::size_t n = 8193; n <= 28672; n += 1 + n % 97) {
        problem what;
        what.n = n;
        what.algorithm = "in-place";
        if (is_smooth(n) && in_place_algorithm().obstacle(what, device_traits()).empty())
            problems.push_back(what);
    }
    EXPECT_GT(problems.size(), 10u);
    for (const char* text : { "c2c_inverse_n12000_b9_window_shiftin_shiftout_scale0.5",
                              "c2c_forward_n10010_b9_cs16_power",
                              "c2c_forward_n16632_b3_hop5000" })
        problems.push_back(
            problem::from_string(std::string(text) + "_algorithm=in-place"));
    check_all(problems, 40, 33);
}

#endif // GPUFFT_HAVE_CUDA
