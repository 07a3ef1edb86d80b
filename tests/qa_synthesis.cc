// SPDX-License-Identifier: GPL-3.0-or-later
//
// Polyphase syntheses: the kernels by fibers and the cpu engine against transforms and
// sums in long double, perfect reconstruction behind a polyphase bank, and what the
// compiler makes of them.

#include "cpu_runs.h"
#include "host_synthesis_cases.h"
#include "kernel_report.h"
#include "planner/planner.h"
#include "problem_cases.h"

#include <gtest/gtest.h>

using namespace gr::gpufft;

namespace {

// y[i] of the definition: sum_p w[i + p R] sum_k V_p[k] exp(j 2 pi k (i + t) / n), every
// product by itself.
spectrum sums_of(const problem& what,
                 const std::vector<std::complex<float>>& bins,
                 const std::vector<float>& w,
                 std::size_t t)
{
    const std::size_t n = what.n, samples = what.row_bins();
    spectrum y(samples);
    for (std::size_t i = 0; i < samples; ++i)
        for (std::size_t p = 0; p < what.taps; ++p)
            for (std::size_t k = 0; k < n; ++k) {
                const long double angle =
                    2 * std::acos(-1.0L) * (long double)(k * (i + t) % n) / n;
                y[i] += (long double)w[i + p * samples] *
                        std::complex<long double>(bins[(what.taps - 1 - p) * n + k]) *
                        std::complex<long double>(std::cos(angle), std::sin(angle));
            }
    return y;
}

} // namespace

class HostSynthesis : public ::testing::TestWithParam<recipe_case>
{
};

// Fewer rows than a thread makes, and more than a tile has.
TEST_P(HostSynthesis, AgreesWithTheReference)
{
    const double factor = kernel_error_factor(GetParam().what);
    expect_agreement(GetParam(), 3, factor);
    expect_agreement(GetParam(), 83, factor);
}

INSTANTIATE_TEST_SUITE_P(Syntheses,
                         HostSynthesis,
                         ::testing::ValuesIn(host_synthesis_cases()),
                         name_of_case);

class CpuSynthesis : public ::testing::TestWithParam<const char*>
{
};

// All at once, and in calls of any size, on memory that is and is not aligned.
TEST_P(CpuSynthesis, AgreesWithTheReferenceInCallsOfAnySize)
{
    const problem what = named(GetParam());
    const std::size_t frames = 403, row = what.row_bins() * sizeof(std::complex<float>);
    const test_data data(what, frames);
    for (int threads : { 1, 3 })
        for (const layout& how :
             { layout{ 0, 0, 0 }, { 1, 8, 8 }, { 5, 0, 0 }, { 201, 0, 8 } }) {
            const plan::uptr plan = cpu_plan_of(what, threads);
            plan->set_window(data.window);
            placed_bytes output(frames * row, how.out_offset);
            std::memset(output.data(), 0xff, frames * row);
            for (std::size_t f = 0; f < frames;) {
                const std::size_t now =
                    std::min(how.chunk ? how.chunk : frames, frames - f);
                const std::size_t bytes = plan->input_samples(now) * 8;
                placed_bytes input(bytes, how.in_offset);
                std::memcpy(input.data(), data.input.data() + f * what.n * 8, bytes);
                plan->execute(input.data(), output.data() + f * row, now);
                f += now;
            }
            EXPECT_LT(relative_error(what, output.data(), data.rows),
                      error_bound(what, has_large_prime(what.n) ? 1.6 : 1.0))
                << plan->describe() << ", chunks of " << how.chunk;
        }
}

INSTANTIATE_TEST_SUITE_P(Syntheses,
                         CpuSynthesis,
                         ::testing::Values("synthesis_n1_b9",
                                           "synthesis_n1_b9_taps5",
                                           "synthesis_n3_b9_taps30_bins2",
                                           "synthesis_n79_b9_taps16",
                                           "synthesis_n80_b9_taps17_bins40",
                                           "synthesis_n79_b9_taps7_bins45_scale0.25",
                                           "synthesis_n601_b9_taps3_bins1",
                                           "synthesis_n1024_b9_taps4_bins768"),
                         [](const ::testing::TestParamInfo<const char*>& info) {
                             return with_letters_only(info.param);
                         });

// The reference is itself an inverse transform and sums: here is neither.
TEST(Synthesis, IsTheWeightedSumOfAllFrequencies)
{
    const problem what = named("synthesis_n12_b1_taps3_bins5");
    const std::vector<std::uint8_t> bytes = random_samples(what, 36);
    std::vector<std::complex<float>> bins(36);
    std::memcpy(bins.data(), bytes.data(), bytes.size());
    const std::vector<float> window = random_window(15);
    const plan::uptr plan = cpu_plan_of(what);
    plan->set_window(window);
    for (std::size_t frames : { 0, 7, 1207 }) {
        plan->set_position(12 * frames);
        std::vector<std::complex<float>> row(5);
        plan->execute(bins.data(), row.data(), 1);
        EXPECT_LT(relative_error(what,
                                 row.data(),
                                 { sums_of(what, bins, window, 5 * (frames + 2)) }),
                  error_bound(what));
        EXPECT_EQ(plan->position(), 12 * (frames + 1) % 144);
    }
}

// Where the windows' products add up to 1 in every sample, the synthesis gives back what
// the bank took: sum over f of analysis[t - f hop] synthesis[t - f hop] = 1 / n.
TEST(Synthesis, GivesBackWhatAFilterBankTook)
{
    struct bank {
        std::size_t n, hop;
    };
    for (const bank& each : { bank{ 79, 79 }, { 80, 40 }, { 79, 45 }, { 10, 3 } }) {
        const std::size_t n = each.n, hop = each.hop, frames = 50;
        const std::size_t overlap = (n + hop - 1) / hop; // frames over a sample
        const std::string text = "_n" + std::to_string(n) + "_b9";
        const std::vector<float> window = random_window(n);
        std::vector<float> inverse(overlap * hop);
        for (std::size_t i = 0; i < n; ++i) {
            double sum = 0;
            for (std::size_t m = i % hop; m < n; m += hop)
                sum += double(window[m]) * window[m];
            inverse[i] = static_cast<float>(window[i] / sum / double(n));
        }
        const plan::uptr bank = cpu_plan_of(named(
            "c2c_forward" + text + "_hop" + std::to_string(hop) + "_window_running"));
        const plan::uptr synthesis =
            cpu_plan_of(named("synthesis" + text + "_taps" + std::to_string(overlap) +
                              "_bins" + std::to_string(hop)));
        bank->set_window(window);
        synthesis->set_window(inverse);
        const std::vector<std::uint8_t> bytes =
            random_samples(bank->what(), bank->input_samples(frames));
        std::vector<std::complex<float>> x(bank->input_samples(frames)), y(frames * hop);
        std::memcpy(x.data(), bytes.data(), bytes.size());
        std::vector<std::complex<float>> bins(frames * n);
        bank->execute(x.data(), bins.data(), frames);
        const std::size_t rows = frames - overlap + 1;
        synthesis->execute(bins.data(), y.data(), rows);
        for (std::size_t t = 0; t < rows * hop; ++t)
            ASSERT_LT(std::abs(y[t] - x[t + (overlap - 1) * hop]), 3e-6)
                << n << " channels, hop " << hop << ", sample " << t;
    }
}

TEST(Synthesis, NewTapsAndScaleTakeEffect)
{
    const plan::uptr plan = cpu_plan_of(named("synthesis_n1_b4_taps3"));
    const std::vector<std::complex<float>> x = { 1, 2, 3, 4 };
    std::vector<std::complex<float>> y(2);
    plan->execute(x.data(), y.data(), 2); // taps are 1
    EXPECT_NEAR(y[1].real(), 9, 1e-5);
    plan->set_window(std::vector<float>{ 1, 10, 100 });
    plan->set_scale(2);
    plan->execute(x.data(), y.data(), 2);
    EXPECT_NEAR(y[0].real(), 2 * (3 + 20 + 100), 1e-4);
    EXPECT_NEAR(y[1].real(), 2 * (4 + 30 + 200), 1e-4);
}

TEST(Synthesis, ProblemsReadBackAndAreChecked)
{
    for (const char* name :
         { "synthesis_n79_b1000", "synthesis_n9_b1_taps3_bins4_scale2" })
        EXPECT_EQ(problem::from_string(name).to_string(), name);
    EXPECT_EQ(problem::from_string("synthesis_n33_b1_cs16_outs8").output_item_bytes(),
              2u);
    const problem what = problem::from_string("synthesis_n80_b10_taps6_bins40");
    EXPECT_EQ(what.row_bins(), 40u);
    EXPECT_EQ(what.effective_hop(), 80u);
    EXPECT_EQ(what.frame_samples(), 480u);
    EXPECT_EQ(what.window_numbers(), 240u);
    EXPECT_EQ(problem::make(transform_kind::synthesis, { 33 }, 10).to_string(),
              "synthesis_n33_b10");
    for (const char* name : { "synthesis_n33_b1_hop34",
                              "synthesis_n33_b1_f64",
                              "synthesis_n33_b1_s16",
                              "synthesis_n3x3_b1",
                              "synthesis_n33_b1_power",
                              "synthesis_n33_b1_bins34",
                              "synthesis_n33_b1_running",
                              "synthesis_n33_b1_shiftin",
                              "synthesis_n33_b1_from0.1",
                              "c2r_n33_b1_bins4" })
        EXPECT_THROW(problem::from_string(name), std::invalid_argument) << name;
}

TEST(Synthesis, HopAndNumberOfTapsAreFixed)
{
    const plan::uptr plan = cpu_plan_of(named("synthesis_n8_b1_taps4_bins4"));
    EXPECT_NO_THROW(plan->set_hop(8));
    EXPECT_THROW(plan->set_hop(4), std::invalid_argument);
    EXPECT_NO_THROW(plan->set_window(std::vector<float>(16)));
    EXPECT_THROW(plan->set_window(std::vector<float>(32)), std::invalid_argument);
}

#ifdef GPUFFT_HAVE_CUDA
TEST(Synthesis, CompilesWithoutSpills)
{
    if (!find_nvrtc().reason.empty())
        GTEST_SKIP() << find_nvrtc().reason;
    for (const char* name : { "synthesis_n79_b99999_taps16",
                              "synthesis_n1024_b99999_taps32_bins512",
                              "synthesis_n79_b99999_taps28_bins45" })
        for (int architecture : { 80, 90 })
            expect_no_spills(problem::from_string(name), architecture, 1);
}
#endif
