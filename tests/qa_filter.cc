// SPDX-License-Identifier: GPL-3.0-or-later
//
// Filters: the kernels by fibers and the cpu engine against direct convolution in long
// double, the recipes, and what the compiler makes of them.

#include "cpu_runs.h"
#include "host_filter_cases.h"
#include "kernel_report.h"
#include "planner/filters/filter.h"
#include "planner/filters/filter_length.h"
#include "planner/planner.h"
#include "problem_cases.h"
#include "running_rows.h"

#include <gtest/gtest.h>

using namespace gr::gpufft;

namespace {

std::string case_name(const ::testing::TestParamInfo<recipe_case>& info)
{
    return with_letters_only(info.param.what.to_string()) +
           (info.param.how.shapes.size() > 1 ? "_levels" : "");
}

plan::uptr cpu_filter(const problem& what, int threads = 1)
{
    plan_options options;
    options.engine = engine_kind::cpu;
    options.threads = threads;
    options.effort = planning_effort::quick;
    return plan::make(what, options);
}

} // namespace

class HostFilter : public ::testing::TestWithParam<recipe_case>
{
};

// Some outputs of one part, and of several, the last of which is not full.
TEST_P(HostFilter, AgreesWithDirectConvolution)
{
    const std::size_t together =
        build_program(GetParam().what, GetParam().how).frames_together;
    const double factor = kernel_error_factor(GetParam().what);
    expect_agreement(GetParam(), 1, factor);
    expect_agreement(GetParam(), 3 * together + together / 3 + 1, factor);
}

// Calls of whole parts, and a last one of what is left.
TEST_P(HostFilter, WholePartsGiveTheSameBitsInAnyCalls)
{
    const problem& what = GetParam().what;
    host_plan executes(what, GetParam().how);
    const std::size_t together = executes.frames_together();
    const std::size_t frames = 3 * together + together / 3 + 1;
    const std::vector<std::uint8_t> input =
        random_samples(what, (frames - 1) * what.effective_hop() + what.input_span());
    const std::vector<float> rows = run(executes, input, frames);
    executes.set_position(0);
    const std::vector<float> again = run(executes, input, frames, layout{ together });
    ASSERT_EQ(again.size(), rows.size());
    EXPECT_EQ(std::memcmp(again.data(), rows.data(), rows.size() * sizeof(float)), 0);
}

INSTANTIATE_TEST_SUITE_P(Taps,
                         HostFilter,
                         ::testing::ValuesIn(host_filter_cases()),
                         case_name);

TEST(HostFilter, RunningOnesTurn)
{
    int count = 0;
    for (const recipe_case& each : host_filter_cases()) {
        if (!each.what.running)
            continue;
        ++count;
        host_plan plan(each.what, each.how);
        const std::size_t frames =
            build_program(each.what, each.how).frames_together * 3 / 2;
        const std::uint64_t position = 0xfedcba9876543210;
        const auto rotations = random_rotations(each.what.row_bins());
        const test_data data(each.what, frames);
        plan.set_window(data.window);
        plan.set_rotations(rotations);
        plan.set_position(position);
        std::vector<float> rows(2 * frames * rotations.size());
        plan.execute(data.input.data(), rows.data(), frames);
        EXPECT_LT(
            relative_error(each.what,
                           rows.data(),
                           running_rows(each.what, data, rotations, frames, position)),
            error_bound(each.what, 1.6) + 0x1p-22)
            << plan.describe();
    }
    EXPECT_GE(count, 2);
}

TEST(Filter, CpuAgreesWithDirectConvolution)
{
    for (const char* name : { "filter_n1_b10_ctaps",
                              "filter_n1_b10_real",
                              "filter_n5_b10_hop5",
                              "filter_n33_b10",
                              "filter_n33_b10_ctaps_scale0.25",
                              "filter_n64_b10_hop8_ctaps",
                              "filter_n100_b10_hop11",
                              "filter_n100_b10_real_hop6",
                              "filter_n77_b10_real_hop13",
                              "filter_n501_b10_real",
                              "filter_n1001_b10_hop10" })
        for (int threads : { 1, 3 }) {
            const problem what = problem::from_string(name);
            const plan::uptr plan = cpu_filter(what, threads);
            const std::size_t frames = 2 * plan->frames_together() + 11;
            const test_data data(what, frames);
            plan->set_window(data.window);
            for (std::size_t chunk : { std::size_t(0), std::size_t(1), frames / 3 + 1 }) {
                if (chunk == 1 && frames > 2000)
                    continue;
                std::vector<float> output(frames * what.output_item_bytes() /
                                          sizeof(float));
                for (std::size_t f = 0; f < frames;) {
                    const std::size_t now = std::min(chunk ? chunk : frames, frames - f);
                    plan->execute(data.input.data() +
                                      f * what.effective_hop() * what.input_item_bytes(),
                                  reinterpret_cast<char*>(output.data()) +
                                      f * what.output_item_bytes(),
                                  now);
                    f += now;
                }
                EXPECT_LT(relative_error(what, output.data(), data.rows),
                          error_bound(what, 1.6))
                    << plan->describe() << ", chunks of " << chunk;
            }
        }
}

TEST(Filter, NewTapsAndScaleTakeEffect)
{
    const problem what = problem::from_string("filter_n3_b4");
    const plan::uptr plan = cpu_filter(what);
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

TEST(Filter, ProblemsReadBackAndAreChecked)
{
    for (const char* name : { "filter_n33_b1000",
                              "filter_n33_b1_real_hop7",
                              "filter_n9_b1_ctaps_scale2",
                              "filter_n9_b1_cs16_ctaps_outs8",
                              "filter_n9_b1_s16_outf16",
                              "filter_n9_b1_s10_hop8",
                              "filter_n9_b1_s12_hop2_running_bins2" })
        EXPECT_EQ(problem::from_string(name).to_string(), name);
    const problem what = problem::from_string("filter_n33_b10_ctaps");
    EXPECT_EQ(what.row_bins(), 1u);
    EXPECT_EQ(what.effective_hop(), 1u);
    EXPECT_EQ(what.window_numbers(), 66u);
    EXPECT_EQ(problem::make(transform_kind::filter, { 33 }, 10).to_string(),
              "filter_n33_b10");
    for (const char* name : { "filter_n33_b1_hop34",
                              "filter_n33_b1_real_ctaps",
                              "filter_n33_b1_f64",
                              "filter_n33_b1_s16_ctaps",
                              "filter_n33_b1_s12",
                              "filter_n33_b1_s10_hop6",
                              "filter_n3x3_b1",
                              "filter_n33_b1_power",
                              "filter_n33_b1_taps2",
                              "filter_n33_b1_shiftin",
                              "c2c_forward_n33_b1_ctaps" })
        EXPECT_THROW(problem::from_string(name), std::invalid_argument) << name;
}

TEST(Filter, HopAndNumbersOfTapsAreFixed)
{
    const plan::uptr plan = cpu_filter(problem::from_string("filter_n10_b4_hop2"));
    EXPECT_NO_THROW(plan->set_hop(2));
    EXPECT_THROW(plan->set_hop(3), std::invalid_argument);
    EXPECT_THROW(plan->set_window(std::vector<float>(20)), std::invalid_argument);
}

TEST(Filter, PartsAreLongEnoughToPay)
{
    for (std::size_t taps : { 11, 33, 501, 5001, 100001, 3000000 })
        for (std::size_t decimation : { 1, 2, 10, 11 }) {
            const std::size_t length = filter_length(taps, decimation, 1 << 22);
            EXPECT_GT(length, taps + taps / 8) << taps << " taps";
            EXPECT_EQ(length % 16, 0u);
            EXPECT_EQ(folds(length, decimation), decimation > 1 && decimation < 11)
                << taps << " taps, decimation " << decimation;
        }
}

TEST(Filter, PartsAreNoLongerThanTheOutputs)
{
    const std::size_t few = filter_length(1000000, 1, 1000000);
    EXPECT_GE(few, 1125000u);
    EXPECT_LE(few, 2097152u);
    EXPECT_GE(filter_length(1000000, 1, 1 << 26), few);
}

// The planner's recipes for the card, and what describe() says of them.
TEST(Filter, RecipesFoldByTheDecimation)
{
    for (const auto& [name, text] : { std::pair("filter_n1001_b9999999_hop2", "2"),
                                      { "filter_n501_b9999999_ctaps_hop3", "3" },
                                      { "filter_n501_b9999999_real_hop5", "5" },
                                      { "filter_n64_b9999999_hop8", "8" },
                                      { "filter_n1001_b9999999_hop10", "10" },
                                      { "filter_n5001_b9999999_hop21_ctaps", "21" },
                                      { "filter_n100001_b9999999_hop10", "10" } }) {
        const problem what = problem::from_string(name);
        EXPECT_EQ(decimation_text(what, make_recipe(what)),
                  std::string("decimation ") + text + " in the spectrum")
            << name;
    }
    EXPECT_EQ(decimation_text(1, 1), "");
    EXPECT_EQ(decimation_text(37, 1), "decimation 37 by picking");
    EXPECT_EQ(decimation_text(33, 11), "decimation 33, 11 in the spectrum");
    const problem prime = problem::from_string("filter_n1001_b9999999_hop37");
    EXPECT_EQ(decimation_text(prime, make_recipe(prime)), "decimation 37 by picking");
}

TEST(Filter, LongBanksTakeLevels)
{
    for (const char* name : { "filter_n20000_b999999_hop10_running",
                              "filter_n100001_b999999_hop50_running_ctaps_bins3",
                              "filter_n1000000_b99999_hop200_bins2" }) {
        const problem what = problem::from_string(name);
        const recipe how = make_recipe(what);
        EXPECT_GT(how.shapes.size(), 2u) << how.to_text();
        EXPECT_EQ(recipe::from_text(how.to_text()).to_text(), how.to_text());
    }
    EXPECT_EQ(make_recipe(problem::from_string("filter_n2001_b999999_hop100_running"))
                  .shapes.size(),
              2u);
    EXPECT_NE(planning_obstacle(problem::from_string("filter_n100001_b1_hop5_bins2"), {})
                  .find("filters have 100001 taps, but must have at most 36408 with "
                        "decimation 5"),
              std::string::npos);
}

TEST(Filter, BlocksOfSeveralRowsAreRefused)
{
    const problem what = problem::from_string("filter_n100001_b9999999_ctaps");
    const std::string levels = "overlap-save 100001 1 0 0 512x16:16.32/256/1/2/0 ";
    EXPECT_NO_THROW(
        build_program(what, recipe::from_text(levels + "2048x1:16.8.16/128/1/3/0")));
    try {
        build_program(what, recipe::from_text(levels + "2048x1:16.8.16/128/2/3/0"));
        FAIL() << "built a recipe with two rows a block";
    } catch (const std::invalid_argument& error) {
        EXPECT_NE(std::string(error.what()).find("blocks of 2 rows"), std::string::npos)
            << error.what();
    }
}

TEST(Filter, RecipesFitTheTaps)
{
    for (const char* name : { "filter_n33_b9999999", "filter_n1001_b9999999_real" }) {
        const problem what = problem::from_string(name);
        const recipe how = make_recipe(what);
        EXPECT_EQ(how.shapes.size(), 1u) << name;
        EXPECT_EQ(recipe::from_text(how.to_text()).to_text(), how.to_text());
        EXPECT_GT(outputs_of_part(what, how.shape().n), what.n / 2) << name;
    }
    for (const char* name : { "filter_n100001_b99999999", "filter_n1000000_b1_ctaps" }) {
        const recipe how = make_recipe(problem::from_string(name));
        EXPECT_GT(how.shapes.size(), 1u) << name;
        EXPECT_EQ(recipe::from_text(how.to_text()).to_text(), how.to_text());
    }
    EXPECT_NE(planning_obstacle(problem::from_string("filter_n67108865_b1"), {})
                  .find("filter has 67108865 taps, but must have at most 67108864"),
              std::string::npos);
}

#ifdef GPUFFT_HAVE_CUDA
TEST(Filter, CompilesWithoutSpills)
{
    if (!find_nvrtc().reason.empty())
        GTEST_SKIP() << find_nvrtc().reason;
    for (const char* name : { "filter_n33_b9999999_ctaps",
                              "filter_n1001_b9999999",
                              "filter_n501_b9999999_real_hop5",
                              "filter_n1001_b9999999_hop10_ctaps",
                              "filter_n100001_b99999999",
                              "filter_n2001_b999999_hop100_running_ctaps_bins20",
                              "filter_n30000_b999999_hop50_running_ctaps_bins5" })
        for (int architecture : { 80, 90 })
            expect_no_spills(problem::from_string(name), architecture, 1);
}
#endif
