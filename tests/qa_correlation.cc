// SPDX-License-Identifier: GPL-3.0-or-later
//
// Correlations with templates: the kernels by fibers and the cpu engine against sums in
// long double, signals whose shift and delay are known, and what the compiler makes of
// the kernels.

#include "cpu_runs.h"
#include "host_correlation_cases.h"
#include "kernel_report.h"
#include "planner/filters/correlation.h"
#include "planner/planner.h"
#include "problem_cases.h"

#include <gtest/gtest.h>

using namespace gr::gpufft;

namespace {

typedef std::complex<float> sample;

// Complex noise of power 1.
std::vector<sample> noise(std::size_t count, unsigned seed)
{
    std::mt19937 generator(seed);
    std::normal_distribution<float> normal(0, std::sqrt(0.5f));
    std::vector<sample> x(count);
    for (sample& each : x)
        each = { normal(generator), normal(generator) };
    return x;
}

std::vector<float> numbers_of(const std::vector<sample>& x)
{
    const auto* const first = reinterpret_cast<const float*>(x.data());
    return { first, first + 2 * x.size() };
}

// x turned by `cycles` per sample and `delay` samples later, around n samples.
sample moved(const std::vector<sample>& x,
             std::size_t n,
             std::size_t m,
             double cycles,
             int delay)
{
    const double angle = 2 * std::acos(-1.0) * std::fmod(cycles * double(m), 1.0);
    return x[(m + n - std::size_t(delay)) % n] *
           sample(float(std::cos(angle)), float(std::sin(angle)));
}

} // namespace

class HostCorrelation : public ::testing::TestWithParam<recipe_case>
{
};

TEST_P(HostCorrelation, AgreesWithTheReference)
{
    expect_agreement(GetParam(), 3, kernel_error_factor(GetParam().what));
}

INSTANTIATE_TEST_SUITE_P(Correlations,
                         HostCorrelation,
                         ::testing::ValuesIn(host_correlation_cases()),
                         name_of_case);

class CpuCorrelation : public ::testing::TestWithParam<recipe_case>
{
};

TEST_P(CpuCorrelation, AgreesWithTheReferenceInCallsOfAnySize)
{
    const problem what = GetParam().what;
    const std::size_t frames = 4;
    const test_data data(what, frames);
    for (int threads : { 1, 3 })
        for (const layout& how : { layout(), { 1, 8, 4 }, { 3, 0, 8 } }) {
            const plan::uptr plan = cpu_plan_of(what, threads);
            plan->set_window(data.window);
            const std::vector<float> rows = run(*plan, data.input, frames, how);
            EXPECT_LT(relative_error(what, rows.data(), data.rows),
                      error_bound(what, has_large_prime(what.n) ? 1.6 : 1.0))
                << plan->describe() << ", chunks of " << how.chunk;
        }
}

INSTANTIATE_TEST_SUITE_P(Correlations,
                         CpuCorrelation,
                         ::testing::ValuesIn(host_correlation_cases()),
                         name_of_case);

// A template in noise of 10 times its power is found where it was put.
TEST(Correlation, FindsTemplateShiftAndDelay)
{
    const problem what = named("correlation_n1009_b1_bins5_from-0.01_to0.01_shifts40");
    const std::size_t n = what.n;
    const plan::uptr plan = cpu_plan_of(what);
    const std::vector<sample> templates = noise(5 * n, 1);
    plan->set_window(numbers_of(templates));
    const std::vector<sample> own(templates.begin() + 3 * n, templates.begin() + 4 * n);
    std::vector<sample> x = noise(n, 2);
    for (std::size_t m = 0; m < n; ++m)
        x[m] = std::sqrt(10.0f) * x[m] + moved(own, n, m, -0.01 + 27 * 0.0005, 700);
    std::vector<float> row(5 * PEAK_NUMBERS);
    plan->execute(x.data(), row.data(), 1);
    for (std::size_t k = 0; k < 5; ++k) {
        EXPECT_EQ(row[5 * k], k);
        EXPECT_EQ(row[5 * k + 3] > 40, k == 3) << row[5 * k + 3];
    }
    EXPECT_EQ(row[15 + 1], 27);
    EXPECT_EQ(row[15 + 2], 700);
}

// Templates that end with zeros: each delay of a long stream is in one frame.
TEST(Correlation, FindsBurstsOfAStreamByOverlap)
{
    const std::size_t n = 256, length = 57, delays = n - length + 1; // 200
    const problem what = named("correlation_n256_b9_hop200_delays200");
    const plan::uptr plan = cpu_plan_of(what);
    std::vector<sample> burst = noise(length, 3);
    std::vector<sample> padded = burst;
    padded.resize(n);
    plan->set_window(numbers_of(padded));
    for (std::size_t at : { 0u, 199u, 200u, 399u, 555u, 1799u }) {
        std::vector<sample> x(plan->input_samples(9));
        std::copy(burst.begin(), burst.end(), x.begin() + at);
        std::vector<float> rows(9 * PEAK_NUMBERS);
        plan->execute(x.data(), rows.data(), 9);
        std::size_t best = 0;
        for (std::size_t f = 0; f < 9; ++f)
            if (rows[5 * f + 4] > rows[5 * best + 4])
                best = f;
        EXPECT_EQ(best * delays + std::size_t(rows[5 * best + 2]), at);
    }
}

TEST(Correlation, SilenceHasNoPeakAndNaNIsNoPeak)
{
    for (const char* name : { "correlation_n64_b1_bins2_shifts3",
                              "correlation_n64_b1_bins2_shifts3_blocks2_best" }) {
        const problem what = named(name);
        const plan::uptr plan = cpu_plan_of(what);
        std::vector<sample> x(what.frame_samples());
        std::vector<float> row(what.row_bins());
        plan->execute(x.data(), row.data(), 1);
        for (std::size_t i = 1; i < 5; ++i)
            EXPECT_EQ(row[i], 0) << name;
        x[5] = { NAN, 0 };
        plan->execute(x.data(), row.data(), 1);
        EXPECT_TRUE(std::isnan(row[3])) << name;
        EXPECT_TRUE(std::isnan(row[4])) << name;
    }
}

TEST(Correlation, ShiftsOfHalfABinHaveTwoSpectra)
{
    // 41 shifts of 500 Hz in 1 ms at 4.092 MHz: bins of 1 kHz
    problem what = named("correlation_n4092_b1_shifts41");
    what.f_start = -10000 / 4.092e6;
    what.f_stop = 10500 / 4.092e6;
    const shift_places places(what);
    EXPECT_EQ(places.fractions.size(), 2u);
    EXPECT_TRUE(places.is_mixed());
    ASSERT_EQ(places.places.size(), 41u);
    EXPECT_EQ(places.places[0].shift, 0u);
    EXPECT_EQ(places.places[0].bin, 4082u);
    EXPECT_EQ(places.places[21].shift, 1u);
    EXPECT_EQ(places.places[21].bin, 4082u);
    EXPECT_FALSE(shift_places(named("correlation_n64_b1_shifts64")).is_mixed());
}

TEST(Correlation, NewTemplatesAndScaleTakeEffect)
{
    const plan::uptr plan = cpu_plan_of(named("correlation_n2_b1"));
    const std::vector<sample> x = { { 0, 3 }, { 0, 0 } };
    std::vector<float> row(PEAK_NUMBERS);
    plan->set_window({ 0, 0, 1, 0 });
    plan->execute(x.data(), row.data(), 1);
    EXPECT_EQ(row[2], 1); // x[0] is the template's sample 1 at delay -1 = 1
    EXPECT_NEAR(row[4], 9, 1e-5);
    plan->set_window({ 2, 0, 0, 0 });
    plan->set_scale(0.5);
    plan->execute(x.data(), row.data(), 1);
    EXPECT_EQ(row[2], 0);
    EXPECT_NEAR(row[3], 2, 1e-5);
    EXPECT_NEAR(row[4], 18, 1e-4);
    EXPECT_THROW(plan->set_window({ 1, 2 }), std::invalid_argument);
}

TEST(Correlation, ProblemsReadBackAndAreChecked)
{
    for (const char* name : { "correlation_n4096_b10_cs16_hop2048_taps2_bins32_from-0."
                              "0025_to0.0025_shifts41_"
                              "delays2048_blocks10_best_scale2",
                              "correlation_n9_b1_grid" })
        EXPECT_EQ(problem::from_string(name).to_string(), name);
    const problem what =
        problem::from_string("correlation_n100_b1_taps2_bins3_shifts5_delays7_blocks4");
    EXPECT_EQ(what.frame_samples(), 800u);
    EXPECT_EQ(what.effective_hop(), 800u);
    EXPECT_EQ(what.row_bins(), 15u);
    EXPECT_EQ(what.window_numbers(), 600u);
    EXPECT_EQ(what.output_item_bytes(), 4u);
    EXPECT_EQ(
        problem::from_string("correlation_n100_b1_bins3_shifts5_delays7_grid").row_bins(),
        105u);
    EXPECT_EQ(problem::from_string("correlation_n100_b1_bins3_best").row_bins(), 5u);
    EXPECT_EQ(problem::make(transform_kind::correlation, { 33 }, 10).to_string(),
              "correlation_n33_b10");
    for (const char* name : { "correlation_n33_b1_f64",
                              "correlation_n33_b1_s16",
                              "correlation_n3x3_b1",
                              "correlation_n33_b1_power",
                              "correlation_n33_b1_outf16",
                              "correlation_n33_b1_running",
                              "correlation_n33_b1_shiftin",
                              "correlation_n33_b1_shifts0",
                              "correlation_n33_b1_shifts65537",
                              "correlation_n33_b1_delays34",
                              "correlation_n33_b1_blocks0",
                              "correlation_n33_b1_blocks33554432",
                              "correlation_n33_b1_bins33554432",
                              "correlation_n33_b1_from0_to1.5",
                              "filter_n33_b1_shifts2",
                              "c2c_forward_n33_b1_best",
                              "c2c_forward_n33_b1_blocks2" })
        EXPECT_THROW(problem::from_string(name), std::invalid_argument) << name;
}

TEST(Correlation, ACardTakesLengthsThatFitABlock)
{
    for (const char* name : { "correlation_n4092_b1",
                              "correlation_n4093_b1",
                              "correlation_n8191_b1",
                              "correlation_n16381_b1_delays4",
                              "correlation_n16384_b1" })
        EXPECT_EQ(planning_obstacle(named(name)), "") << name;
    for (const char* name : { "correlation_n8209_b1",
                              "correlation_n16381_b1_delays5",
                              "correlation_n65536_b1" })
        EXPECT_NE(planning_obstacle(named(name)), "") << name;
    problem what = named("correlation_n4093_b1");
    what.product = "x * h"; // of 4093 bins
    EXPECT_NE(planning_obstacle(what), "");
}

// The length of the transforms is that of the templates where there are kernels for it.
TEST(Correlation, LengthsWithoutKernelsHaveLongerTransforms)
{
    for (const auto& [name, least, most] :
         { std::tuple{ "correlation_n4092_b1", 4092, 4092 },
           std::tuple{ "correlation_n127_b1", 253, 256 },
           std::tuple{ "correlation_n2047_b9_delays100", 2146, 4096 } }) {
        const std::size_t n = make_recipe(named(name)).n;
        EXPECT_GE(n, std::size_t(least)) << name;
        EXPECT_LE(n, std::size_t(most)) << name;
    }
}

#ifdef GPUFFT_HAVE_CUDA
TEST(Correlation, CompilesWithoutSpills)
{
    if (!find_nvrtc().reason.empty())
        GTEST_SKIP() << find_nvrtc().reason;
    for (const char* name :
         { "correlation_n4092_b99_bins32_from-0.0024437927663734115_to0."
           "002565982404692082_shifts41",
           "correlation_n4092_b9_bins32_from-0.0024437927663734115_to0."
           "002565982404692082_shifts41_blocks10_best",
           "correlation_n4096_b99_bins32_from-0.00244140625_to0.0025634765625_shifts41",
           "correlation_n4096_b99_bins32_from-0.00244140625_to0.0025634765625_shifts41_"
           "blocks10",
           "correlation_n8192_b10_cs16_hop4097_delays4097_shifts9",
           "correlation_n2047_b99_bins4_from-0.01_to0.01_shifts9_blocks3",
           "correlation_n256_b99999_bins16_shifts4_grid" })
        for (int architecture : { 80, 90 })
            expect_no_spills(problem::from_string(name), architecture, 1);
}
#endif
