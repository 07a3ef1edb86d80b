// SPDX-License-Identifier: GPL-3.0-or-later
//
// Formats of samples and rows on the cpu engine, for every kind of problem that streams
// have: the error is at most half a step of the format plus the float error, integers
// saturate, and the plan counts them. The kernels are tested with their algorithms.

#include "cpu_runs.h"

#include <gtest/gtest.h>

using namespace gr::gpufft;

namespace {

std::string case_name(const ::testing::TestParamInfo<const char*>& info)
{
    return info.param;
}

double error_factor(const problem& what)
{
    return what.kind == transform_kind::filter || has_large_prime(what.n) ? 1.6 : 1.0;
}

} // namespace

class CpuFormats : public ::testing::TestWithParam<const char*>
{
};

TEST_P(CpuFormats, AreWithinHalfAStepAndCount)
{
    const problem what = named(GetParam());
    for (int threads : { 1, 3 }) {
        const plan::uptr plan = cpu_plan_of(what, threads);
        const std::size_t frames = 2 * plan->frames_together() + 37;
        const test_data data(what, frames);
        if (what.window)
            plan->set_window(data.window);
        std::uint64_t before = 0;
        for (const layout& how : { layout{}, layout{ frames / 3 + 1, 8, 4 } }) {
            plan->set_position(0);
            const std::vector<float> rows = run(*plan, data.input, frames, how);
            EXPECT_LT(relative_error(what, rows.data(), data.rows),
                      error_bound(what, error_factor(what)))
                << plan->describe();
            const std::uint64_t saturated = plan->saturated() - before;
            before = plan->saturated();
            if (what.stores_integers()) {
                const auto [least, most] = saturated_range(what, data.rows);
                EXPECT_GE(saturated, least);
                EXPECT_LE(saturated, most);
            } else {
                EXPECT_EQ(saturated, 0u);
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Problems,
    CpuFormats,
    ::testing::Values("c2c_forward_n100_b9_cs16_outs16",
                      "c2c_forward_n64_b9_cs8_outs8_shiftout",
                      "c2c_inverse_n79_b9_cf16_outf16",
                      "c2c_forward_n100_b9_cs12_window",
                      "c2c_forward_n100_b9_s16_window",
                      "c2c_forward_n64_b9_cs16_power_outf16",
                      "r2c_n100_b9_s16_window_power_outf16_avg3",
                      "r2c_n100_b9_s10_hop60_window",
                      "r2c_n77_b9_s10_hop92_shiftin",
                      "r2c_n64_b9_s12_window_power_outf16_avg3",
                      "filter_n65_b100_s16_hop4_bins2",
                      "filter_n65_b100_real_hop4_ctaps_outs16_bins2",
                      "c2c_forward_n64_b9_s8_hop64_window_taps4_running_bins33",
                      "filter_n33_b100_cs12_outs16",
                      "filter_n33_b100_s12_hop2",
                      "filter_n4_b100_s10_hop4",
                      "filter_n78_b100_s10_hop12_outs16",
                      "filter_n66_b100_s12_hop6_ctaps_bins2",
                      "c2c_forward_n64_b9_cs12_hop64_window_taps4_running",
                      "filter_n33_b100_cs16_outs16",
                      "filter_n33_b100_cs8_hop3_ctaps_outs8",
                      "filter_n100_b100_cf16_hop11_outf16",
                      "filter_n65_b100_s16_outs16",
                      "filter_n65_b100_s8_hop8_outs8",
                      "filter_n65_b100_f16_hop13_outf16",
                      "filter_n65_b100_outs16",
                      "filter_n65_b100_cs16",
                      "filter_n65_b100_cs16_ctaps_outs8_bins3",
                      "filter_n40_b100_cs8_hop10_outs16_bins2",
                      "c2c_forward_n79_b9_cs16_hop79_window_taps4_outs16_running",
                      "c2c_forward_n64_b9_cs8_hop32_window_taps4_outs8_running",
                      "c2c_forward_n64_b9_cf16_hop48_window_taps3_outf16_running_bins5",
                      "c2c_forward_n64_b9_hop64_window_taps3_outs16_running_bins7",
                      "synthesis_n16_b9_cs16_taps5_outs16",
                      "synthesis_n79_b9_cs8_taps3_outs8_bins40",
                      "synthesis_n64_b9_cf16_taps4_outf16_bins48",
                      "synthesis_n16_b9_taps4_outs16"),
    case_name);

// A constant of a level that every step of the output shows.
TEST(Formats, RoundToTheNearestEvenAndSaturate)
{
    const auto stored = [](const char* text, std::vector<float> taps, float level) {
        const plan::uptr plan = cpu_plan_of(named(text));
        plan->set_window(taps);
        const std::vector<std::complex<float>> x(8, { level, -level });
        std::vector<std::int16_t> y(16);
        plan->execute(x.data(), y.data(), 8);
        return std::make_pair(std::vector<int>(y.begin(), y.begin() + 2),
                              plan->saturated());
    };
    typedef std::vector<int> values;
    const float step = 1.0f / 32768;
    const char* const filter = "filter_n1_b8_outs16";
    EXPECT_EQ(stored(filter, { 1 }, 3.4f * step),
              std::make_pair(values{ 3, -3 }, std::uint64_t(0)));
    EXPECT_EQ(stored(filter, { 1 }, 0.9f).second, 0u);
    EXPECT_EQ(stored(filter, { 1 }, 2),
              std::make_pair(values{ 32767, -32768 }, std::uint64_t(16)));
    EXPECT_EQ(stored("filter_n1_b8_outs16_scale0.25", { 1 }, 2),
              std::make_pair(values{ 16384, -16384 }, std::uint64_t(0)));
}
