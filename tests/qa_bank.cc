// SPDX-License-Identifier: GPL-3.0-or-later
//
// Filter banks: the kernels by fibers and the cpu engine against convolution and DFT in
// double precision, the running phase across calls, and what the compiler makes of them.

#include "cpu_runs.h"
#include "host_bank_cases.h"
#include "kernel_report.h"
#include "planner/planner.h"
#include "planner/registry.h"
#include "problem_cases.h"

#include <gtest/gtest.h>
#include <random>

using namespace gr::gpufft;

namespace {

// X[k] of the definition: sum_m w[m] x[m] exp(-j 2 pi k (m + position) / n), every
// product by itself.
spectrum sums_of(const std::vector<std::complex<float>>& x,
                 const std::vector<float>& w,
                 std::size_t n,
                 std::size_t position)
{
    spectrum bins(n);
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t m = 0; m < w.size(); ++m) {
            const long double angle = -2 * std::acos(-1.0L) *
                                      (long double)((m + position) * k % n) /
                                      (long double)n;
            bins[k] += (long double)w[m] * std::complex<long double>(x[m]) *
                       std::complex<long double>(std::cos(angle), std::sin(angle));
        }
    return bins;
}

// The cases whose rows have some bins.
std::vector<recipe_case> picking_cases()
{
    std::vector<recipe_case> found;
    for (const recipe_case& each : host_bank_cases())
        if (each.what.picks_bins())
            found.push_back(each);
    return found;
}

std::vector<int> random_map(const problem& what, std::mt19937& random)
{
    std::uniform_int_distribution<int> any(0, int(what.bank_channels()) - 1);
    std::vector<int> map(what.bins);
    for (int& bin : map)
        bin = any(random);
    return map;
}

// Rows of all bins to those of a map.
std::vector<spectrum> picked(const std::vector<spectrum>& all,
                             const std::vector<int>& map)
{
    std::vector<spectrum> rows;
    for (const spectrum& bins : all) {
        rows.emplace_back();
        for (int bin : map)
            rows.back().push_back(bins[bin]);
    }
    return rows;
}

problem with_all_bins(problem what)
{
    what.bins = 0;
    return what;
}

} // namespace

class HostFilterBank : public ::testing::TestWithParam<recipe_case>
{
};

TEST_P(HostFilterBank, AgreesWithTheReference)
{
    expect_agreement(GetParam(), 35, kernel_error_factor(GetParam().what));
}

INSTANTIATE_TEST_SUITE_P(Banks,
                         HostFilterBank,
                         ::testing::ValuesIn(host_bank_cases()),
                         name_of_case);

class HostPickedBins : public ::testing::TestWithParam<recipe_case>
{
};

// In any order, and several times.
TEST_P(HostPickedBins, FollowMapsThatChange)
{
    const problem& what = GetParam().what;
    const std::size_t frames = what.n > 1000 ? 3 : 20;
    const test_data data(with_all_bins(what), frames);
    std::mt19937 random(3);
    host_plan plan(what, GetParam().how);
    if (what.window)
        plan.set_window(data.window);
    for (int i = 0; i < 3; ++i) {
        std::vector<int> map = random_map(what, random);
        map.back() = map.front();
        plan.set_map(map);
        plan.set_position(0);
        EXPECT_LT(relative_error(
                      what, run(plan, data.input, frames).data(), picked(data.rows, map)),
                  error_bound(what, kernel_error_factor(what)));
    }
}

INSTANTIATE_TEST_SUITE_P(Banks,
                         HostPickedBins,
                         ::testing::ValuesIn(picking_cases()),
                         name_of_case);

// Any channels, hops, taps and maps, on memory that is and is not aligned.
TEST(FilterBank, PicksBinsByAnyMap)
{
    std::mt19937 random(4);
    const auto up_to = [&](std::size_t most) { return 1 + random() % most; };
    for (int i = 0; i < 60; ++i) {
        const bool is_real = i % 5 < 2;
        problem what = named(is_real ? "r2c_n1_b9_window_taps1_running"
                                     : "c2c_forward_n1_b9_window_taps1_running");
        what.n = up_to(200);
        what.hop = up_to(what.n);
        what.taps = up_to(9);
        what.bins = up_to(what.bank_channels());
        what.scale = i % 3 == 0 ? 0.25 : 1;
        what.input = is_real      ? (i % 2 == 0 ? sample_format::s16 : sample_format::f32)
                     : i % 4 == 0 ? sample_format::cs16
                                  : sample_format::cf32;
        SCOPED_TRACE(what.to_string());
        const test_data data(with_all_bins(what), 41);
        const std::vector<int> map = random_map(what, random);
        const plan::uptr plan = cpu_plan_of(what, 1 + i % 2);
        plan->set_window(data.window);
        plan->set_map(map);
        expect_rows(
            what, run(*plan, data.input, 41, { 15, 0, 8 }), picked(data.rows, map));
    }
}

// A tile that was planned for frames that share samples takes any hop.
TEST(HostBank, TilesTakeAnotherHop)
{
    recipe_case each{ named("c2c_forward_n128_b9_hop128_window_taps16_running"),
                      recipe::from_text("stockham 128 1 0 0 128x1:4.4.8/32/8/0/1") };
    host_plan plan(each.what, each.how);
    plan.set_hop(96);
    each.what.hop = 96;
    const std::size_t frames = 11;
    const test_data data(each.what, frames);
    plan.set_window(data.window);
    std::vector<std::complex<float>> rows(frames * 128);
    plan.execute(data.input.data(), rows.data(), frames);
    EXPECT_LT(relative_error(each.what, rows.data(), data.rows), error_bound(each.what));
}

class CpuFilterBank : public ::testing::TestWithParam<const char*>
{
};

// All at once, and in calls of 1, 5 and 26 frames, on memory that is and is not aligned.
TEST_P(CpuFilterBank, AgreesWithTheReferenceInCallsOfAnySize)
{
    const problem what = named(GetParam());
    const test_data data(what, 53);
    for (int threads : { 1, 3 })
        for (const layout& how :
             { layout{ 0, 0, 0 }, { 1, 8, 8 }, { 5, 0, 0 }, { 26, 0, 8 } }) {
            const plan::uptr plan = cpu_plan_of(what, threads);
            if (what.window)
                plan->set_window(data.window);
            expect_rows(what, run(*plan, data.input, 53, how), data.rows);
        }
}

INSTANTIATE_TEST_SUITE_P(
    Banks,
    CpuFilterBank,
    ::testing::Values("c2c_forward_n1_b9_hop1_window_taps5",
                      "c2c_forward_n2_b9_hop1_window_taps3_running",
                      "c2c_forward_n79_b9_hop79_window_taps16_running",
                      "c2c_forward_n79_b9_hop40_window_taps16_running_shiftout",
                      "c2c_forward_n80_b9_hop50_window_taps16_running_shiftout",
                      "c2c_inverse_n128_b9_cs16_hop64_window_taps9_running",
                      "c2c_forward_n60_b9_cs8_hop7_window_taps3_shiftout_scale0.5",
                      "c2c_forward_n45_b9_real_hop45_window_taps3_running",
                      "c2c_forward_n4096_b9_cs16_hop4096_window_taps2_running",
                      "c2c_forward_n64_b9_hop48_window_taps4_power_avg3",
                      "c2c_forward_n100_b9_hop33_running",
                      "c2c_forward_n8_b1_hop8_window_taps3_running_outs16_scale0.1",
                      "r2c_n1_b9_hop1_window_taps5_running",
                      "r2c_n79_b9_hop79_window_taps16_running",
                      "r2c_n80_b9_s16_hop50_window_taps16_running_outs16_scale0.01",
                      "r2c_n128_b9_s8_hop64_window_taps9",
                      "r2c_n64_b1_f16_hop48_window_taps4_power_avg3",
                      "r2c_n100_b9_hop33_running",
                      "r2c_n100_b9_s10_hop32_window_taps3_running",
                      "r2c_n79_b9_s12_hop78_window_taps3_running",
                      "r2c_n64_b9_s10_hop52_window_taps2_power_avg2",
                      "r2c_n4096_b9_s16_hop4096_window_taps2_running"),
    [](const ::testing::TestParamInfo<const char*>& info) {
        return with_letters_only(info.param);
    });

// The reference is itself a DFT of sums: here is neither.
TEST(FilterBank, IsTheWindowedSumAtEveryFrequency)
{
    const problem what = named("c2c_forward_n12_b1_hop5_window_taps3_running");
    const std::vector<std::uint8_t> bytes = random_samples(what, 36);
    std::vector<std::complex<float>> samples(36);
    std::memcpy(samples.data(), bytes.data(), bytes.size());
    const std::vector<float> window = random_window(36);
    const plan::uptr plan = cpu_plan_of(what);
    plan->set_window(window);
    for (std::size_t position : { 0, 7, 1207 }) {
        plan->set_position(position);
        std::vector<std::complex<float>> bins(12);
        plan->execute(samples.data(), bins.data(), 1);
        EXPECT_LT(
            relative_error(what, bins.data(), { sums_of(samples, window, 12, position) }),
            error_bound(what));
        EXPECT_EQ(plan->position(), (position + 5) % 12);
    }
}

TEST(FilterBank, WindowHasOneTapForEachSample)
{
    const plan::uptr plan = cpu_plan_of(named("c2c_forward_n8_b1_window_taps4"));
    EXPECT_NO_THROW(plan->set_window(std::vector<float>(32, 1.0f)));
    EXPECT_THROW(plan->set_window(std::vector<float>(8, 1.0f)), std::invalid_argument);
}

TEST(FilterBank, RunningFramesHaveNoGapsBetweenThem)
{
    const plan::uptr plan = cpu_plan_of(named("c2c_forward_n8_b1_window_taps4_running"));
    EXPECT_THROW(plan->set_hop(33), std::invalid_argument);
    plan->set_hop(32);
}

// One pass that reads samples once for several frames, not one that reads all taps: those
// of a block, or of a cluster where a block has memory for few.
TEST(FilterBank, FramesShareSamples)
{
    device_traits older;
    older.architecture = 80;
    older.shared_bytes = 163 * 1024;
    for (const char* name : { "c2c_forward_n128_b999999_hop128_window_taps16_running",
                              "c2c_forward_n1024_b99999_hop512_window_taps16_running",
                              "c2c_forward_n4096_b29999_hop4096_window_taps16" }) {
        const problem what = problem::from_string(name);
        const recipe how = make_recipe(what), alone = make_recipe(what, older);
        EXPECT_TRUE(how.shape().staged_load) << how.to_text();
        EXPECT_GE(how.shape().transforms * how.cluster(), 8) << how.to_text();
        EXPECT_EQ(alone.cluster(), 1);
        EXPECT_TRUE(alone.shape().staged_load) << alone.to_text();
        EXPECT_GE(alone.shape().transforms, 2) << alone.to_text();
    }
    const problem prime =
        problem::from_string("c2c_forward_n79_b999999_hop79_window_taps16");
    EXPECT_EQ(make_recipe(prime).algorithm, "rader");
    EXPECT_GE(make_recipe(prime).shape().transforms, 8);
    const recipe chirps =
        make_recipe(problem::from_string("c2c_forward_n839_b99999_hop839_window_taps16"));
    EXPECT_EQ(chirps.algorithm, "bluestein");
    EXPECT_GE(chirps.shape().transforms * chirps.cluster(), 8) << chirps.to_text();
}

// One transform of half the length, or of two rows, that reads and stores the rows
// itself.
TEST(FilterBank, RealSamplesTakeHalfTheArithmetic)
{
    const recipe even = make_recipe(
        problem::from_string("r2c_n65536_b9999_s16_hop65536_window_taps16_running"));
    EXPECT_EQ(even.algorithm, "real");
    EXPECT_EQ(even.inside().n, 32768u) << even.to_text();
    const problem prime =
        problem::from_string("r2c_n79_b999999_s16_hop79_window_taps16_running_bins40");
    const recipe odd = make_recipe(prime);
    EXPECT_EQ(odd.inside().n, 79u) << odd.to_text();
    const program made = build_program(prime, odd);
    EXPECT_EQ(made.steps.front().lines_together, 2u);
    EXPECT_EQ(made.steps.size(), 1u) << odd.to_text();
}

TEST(FilterBank, DescribesItself)
{
    const plan::uptr plan =
        cpu_plan_of(named("c2c_forward_n79_b9_cs16_hop79_window_taps16_running"));
    EXPECT_NE(plan->describe().find("load cs16 window taps(16) running hop(79)"),
              std::string::npos)
        << plan->describe();
    const plan::uptr real =
        cpu_plan_of(named("r2c_n79_b9_s16_hop79_window_taps16_running"));
    EXPECT_NE(real->describe().find("load s16 window taps(16) running"),
              std::string::npos)
        << real->describe();
    const plan::uptr some =
        cpu_plan_of(named("c2c_forward_n79_b9_hop79_window_taps16_running_bins5"));
    EXPECT_NE(some->describe().find("store complex bins(5)"), std::string::npos)
        << some->describe();
}

#ifdef GPUFFT_HAVE_CUDA
TEST(FilterBank, CompilesWithoutSpills)
{
    if (!find_nvrtc().reason.empty())
        GTEST_SKIP() << find_nvrtc().reason;
    for (const char* name :
         { "c2c_forward_n79_b99999_hop79_window_taps16_running",
           "c2c_forward_n1024_b99999_hop512_window_taps16_running",
           "c2c_forward_n1024_b99999_hop1024_window_taps16_running_bins16",
           "c2c_forward_n4096_b99999_cs16_hop4096_window_taps16_running",
           "r2c_n79_b99999_s16_hop79_window_taps16_running",
           "r2c_n1024_b99999_s16_hop512_window_taps16_running_outs8_scale0.01",
           "r2c_n65536_b9999_s10_hop65536_window_taps16_running_outs8_scale0.001",
           "r2c_n4096_b9999_s12_hop4096_window",
           "r2c_n65536_b9999_s8_hop65536_window_taps16_outs8_scale0.001" })
        for (int architecture : { 80, 90 })
            expect_no_spills(problem::from_string(name), architecture, 1);
}
#endif
