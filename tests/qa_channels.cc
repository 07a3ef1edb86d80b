// SPDX-License-Identifier: GPL-3.0-or-later
//
// Several filters of one stream, and running ones: the cpu engine against direct
// convolution in double precision, and where the phases of a running filter lie.

#include "cpu_runs.h"
#include "planner/filters/channel_response.h"
#include "running_rows.h"

#include <gtest/gtest.h>

using namespace gr::gpufft;

namespace {

std::vector<float> rows_by(plan& with, const test_data& data, std::size_t frames)
{
    std::vector<float> rows(2 * frames * with.what().row_bins());
    with.execute(data.input.data(), rows.data(), frames);
    return rows;
}

} // namespace

TEST(Channels, SeveralFiltersAgreeWithDirectConvolution)
{
    for (const char* name : { "filter_n1_b10_bins2",
                              "filter_n33_b10_ctaps_bins3",
                              "filter_n100_b10_hop10_bins5_scale0.5",
                              "filter_n77_b10_hop11_ctaps_bins2" })
        for (int threads : { 1, 3 }) {
            const problem what = problem::from_string(name);
            const plan::uptr plan = cpu_plan_of(what, threads);
            const std::size_t frames = 2 * plan->frames_together() + 7;
            const test_data data(what, frames);
            plan->set_window(data.window);
            EXPECT_LT(
                relative_error(what, rows_by(*plan, data, frames).data(), data.rows),
                error_bound(what, 1.6))
                << plan->describe();
        }
}

TEST(Channels, RunningFiltersAgreeWithDirectConvolution)
{
    for (const char* name : { "filter_n1_b10_running",
                              "filter_n33_b10_running_ctaps",
                              "filter_n101_b10_hop101_running_bins3",
                              "filter_n50_b10_s10_hop8_running_bins2",
                              "filter_n500_b10_hop50_running_ctaps_bins4" }) {
        const problem what = problem::from_string(name);
        const plan::uptr plan = cpu_plan_of(what);
        const std::size_t frames = plan->frames_together() + 9;
        const test_data data(what, frames);
        const std::uint64_t position = 0xfedcba9876543210;
        const auto rotations = random_rotations(what.row_bins());
        plan->set_window(data.window);
        plan->set_rotations(rotations);
        plan->set_position(position);
        EXPECT_LT(relative_error(what,
                                 rows_by(*plan, data, frames).data(),
                                 running_rows(what, data, rotations, frames, position)),
                  error_bound(what, 1.6) + 0x1p-22)
            << plan->describe();
        EXPECT_EQ(plan->position(), position + frames * what.effective_hop());
    }
}

TEST(Channels, OneFilterTurnsAloneAndFramesGoOn)
{
    const problem what = problem::from_string("filter_n20_b10_hop2_running_bins3");
    const plan::uptr plan = cpu_plan_of(what);
    const test_data data(what, 40);
    plan->set_window(data.window);
    auto rotations = random_rotations(3);
    plan->set_rotations(rotations);
    const std::vector<float> all = rows_by(*plan, data, 40);

    plan->set_position(0);
    std::vector<float> parts(all.size());
    plan->execute(data.input.data(), parts.data(), 17);
    rotations[1].step += 12345678901234567u;
    plan->set_rotations(rotations);
    plan->execute(data.input.data() + 17 * 2 * 8, &parts[17 * 6], 23);
    for (std::size_t f = 0; f < 40; ++f)
        for (std::size_t c = 0; c < 3; ++c) {
            const double apart =
                std::hypot(parts[6 * f + 2 * c] - all[6 * f + 2 * c],
                           parts[6 * f + 2 * c + 1] - all[6 * f + 2 * c + 1]);
            if (c == 1 && f >= 17)
                EXPECT_GT(apart, 1e-4) << f;
            else
                EXPECT_LT(apart, 1e-5) << f << ", " << c;
        }
}

TEST(Channels, NarrowOnesNeedFewZones)
{
    const std::size_t length = 6400, points = 64;
    std::vector<std::complex<double>> response(length);
    for (std::size_t k = 0; k < length; ++k)
        response[k] = std::exp(-0.5 * std::pow((double(k) - 1000) / 20, 2));
    const std::vector<std::size_t> zones = zones_that_matter(response, points);
    EXPECT_GE(zones.size(), 3u); // 8 sigma on either side of bin 1000
    EXPECT_LE(zones.size(), 7u);
    EXPECT_LE(zones.front(), 14u);
    EXPECT_GE(zones.back(), 16u);
    EXPECT_EQ(zones_that_matter(std::vector<std::complex<double>>(64, 1.0), 8).size(),
              8u);
}

TEST(Channels, PartsAreAMultipleOfTheHop)
{
    for (const char* name : { "filter_n2001_b1_hop100_running_bins20",
                              "filter_n33_b1_running",
                              "filter_n5003_b1_hop5003_bins2" }) {
        const problem what = problem::from_string(name);
        const std::size_t length = channel_length(what);
        EXPECT_EQ(length % what.effective_hop(), 0u) << name;
        EXPECT_GT(length, what.n) << name;
    }
}

TEST(Channels, ProblemsReadBackAndAreChecked)
{
    for (const char* name : { "filter_n33_b1000_bins5",
                              "filter_n9_b1_running_ctaps_bins2",
                              "filter_n9_b1_hop3_running" })
        EXPECT_EQ(problem::from_string(name).to_string(), name);
    const problem several = problem::from_string("filter_n33_b10_ctaps_bins5");
    EXPECT_EQ(several.row_bins(), 5u);
    EXPECT_EQ(several.window_numbers(), 5 * 66u);
    EXPECT_EQ(problem::from_string("filter_n33_b10_running_bins5").window_numbers(), 33u);
    EXPECT_EQ(problem::from_string("filter_n33_b1_s16_running").output,
              output_kind::complex);
    for (const char* name : { "filter_n33_b1_f64_running",
                              "filter_n33_b1_f64_bins2",
                              "filter_n1000_b1_bins10000000",
                              "c2c_forward_n33_b1_bins2" })
        EXPECT_THROW(problem::from_string(name), std::invalid_argument) << name;
    const plan::uptr plan = cpu_plan_of(several);
    EXPECT_THROW(plan->set_rotations(random_rotations(5)), std::invalid_argument);
    EXPECT_THROW(plan->set_window(std::vector<float>(66)), std::invalid_argument);
}
