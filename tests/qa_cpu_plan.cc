// SPDX-License-Identifier: GPL-3.0-or-later
//
// How the cpu engine behaves: memory anywhere, setters between calls, threads, rows that
// span calls, NaN and infinity.

#include "cpu_runs.h"

#include <cfloat>

using namespace gr::gpufft;

TEST(CpuPlan, UnalignedMemoryIsTheSame)
{
    for (const char* name : { "c2c_forward_n64_b1",
                              "c2c_forward_n7_b1",
                              "c2c_forward_n1024_b1_window",
                              "c2c_forward_n100_b1_cs16_decibel_shiftout" }) {
        const problem what = named(name);
        const test_data data(what, 20);
        for (std::size_t offset : { 0, 4, 8, 24, 60 }) {
            SCOPED_TRACE(std::string(name) + ", offset " + std::to_string(offset));
            auto executes = cpu_plan_of(what, 2);
            if (what.window)
                executes->set_window(data.window);
            layout how;
            how.in_offset = offset;
            expect_rows(what, run(*executes, data.input, 20, how), data.rows);
            std::swap(how.in_offset, how.out_offset);
            expect_rows(what, run(*executes, data.input, 20, how), data.rows);
        }
    }
}

TEST(CpuPlan, InputIsPreserved)
{
    const problem what = named("c2c_forward_n1024_b1");
    std::vector<std::uint8_t> input = random_samples(what, 8 * 1024);
    const std::vector<std::uint8_t> before = input;
    std::vector<std::complex<float>> output(8 * 1024);
    cpu_plan_of(what)->execute(input.data(), output.data(), 8);
    EXPECT_EQ(input, before);
}

TEST(CpuPlan, WindowIsAllOnesAtFirst)
{
    const problem what = named("c2c_forward_n30_b1_window_shiftout");
    const problem bare = named("c2c_forward_n30_b1_shiftout");
    const test_data data(bare, 4);
    expect_rows(bare, run(*cpu_plan_of(what), data.input, 4), data.rows);
}

TEST(CpuPlan, SettersActOnTheNextCall)
{
    const problem what = named("c2c_forward_n48_b1_window_shiftout_power_avg3");
    auto executes = cpu_plan_of(what);
    problem now = what;
    const auto expect = [&](std::size_t frames) {
        test_data data(now, frames);
        executes->set_window(data.window);
        expect_rows(now, run(*executes, data.input, frames), data.rows);
    };
    expect(6);
    executes->set_hop(now.hop = 17);
    expect(6);
    executes->set_scale(now.scale = 0.125);
    expect(6);
    executes->set_threads(3);
    expect(6);
    executes->set_average(now.average = 1); // rows need no mean any more
    expect(5);
    executes->set_smoothing(now.smoothing = 0.25);
    expect(5);
    executes->set_threads(0); // one for each core
    executes->set_average(now.average = 4);
    expect(8);
}

TEST(CpuPlan, ThreadsReallyChange)
{
    auto executes = cpu_plan_of(named("c2c_forward_n64_b1"), 2);
    EXPECT_EQ(executes->describe(), "cpu: fftw(64), 2 threads, load cf32, store complex");
    executes->set_threads(1);
    EXPECT_EQ(executes->describe(), "cpu: fftw(64), 1 thread, load cf32, store complex");
    EXPECT_THROW(executes->set_threads(-2), std::invalid_argument);
    EXPECT_EQ(executes->describe(), "cpu: fftw(64), 1 thread, load cf32, store complex");
}

TEST(CpuPlan, DescribesItsSteps)
{
    const problem what =
        named("c2c_forward_n4096_b64_cs16_hop2048_window_decibel_shiftout_"
              "avg100_smooth0.5_scale0.1");
    EXPECT_EQ(cpu_plan_of(what, 2)->describe(),
              "cpu: fftw(4096), 2 threads, load cs16 window hop(2048), store power "
              "mean(100) smooth(0.5) scale(0.1) decibel shift");
}

TEST(CpuPlan, ThreadsMayChangeWithinARow)
{
    const problem what = named("c2c_forward_n40_b1_power_avg10_smooth0.5");
    const test_data data(what, 30);
    auto executes = cpu_plan_of(what, 1);
    std::vector<float> output(3 * 40);
    float* row = output.data();
    for (std::size_t f = 0; f < 30; f += 6) {
        executes->set_threads(1 + int(f) % 4);
        row += 40 * executes->execute(data.input.data() + f * 40 * 8, row, 6);
    }
    expect_rows(what, output, data.rows);
}

TEST(CpuPlan, ResetForgetsRowAndSmoothing)
{
    const problem what = named("c2c_forward_n16_b1_power_avg4_smooth0.5");
    const test_data data(what, 8);
    auto executes = cpu_plan_of(what);
    std::vector<float> ignored(3 * 16);
    executes->execute(data.input.data(), ignored.data(), 7);
    executes->reset_average();
    expect_rows(what, run(*executes, data.input, 8), data.rows);
}

TEST(CpuPlan, SmoothingOfOneKeepsNoState)
{
    problem what = named("c2c_forward_n16_b1_power_smooth0.5");
    const test_data data(what, 4);
    auto executes = cpu_plan_of(what);
    std::vector<float> ignored(2 * 16);
    executes->execute(data.input.data(), ignored.data(), 2);
    executes->set_smoothing(1.0);
    executes->execute(data.input.data(), ignored.data(), 1);
    executes->set_smoothing(0.5);
    expect_rows(what, run(*executes, data.input, 4), data.rows);
}

TEST(CpuPlan, NotANumberStaysInItsFrame)
{
    for (const char* name : { "c2c_forward_n64_b1",
                              "c2c_forward_n64_b1_window_shiftout",
                              "c2c_forward_n64_b1_power",
                              "c2c_forward_n64_b1_decibel",
                              "c2c_forward_n64_b1_power_smooth0.5" }) {
        SCOPED_TRACE(name);
        const problem what = named(name);
        std::vector<std::complex<float>> samples(3 * 64, { 0.5f, 0.25f });
        samples[64 + 5] = { NAN, NAN };
        std::vector<std::uint8_t> input(samples.size() * 8);
        std::memcpy(input.data(), samples.data(), input.size());
        const std::vector<float> output = run(*cpu_plan_of(what), input, 3);
        const std::size_t row = output.size() / 3;
        for (std::size_t i = 0; i < row; ++i) {
            EXPECT_TRUE(std::isfinite(output[i])) << i;
            EXPECT_TRUE(std::isnan(output[row + i])) << i;
            EXPECT_EQ(std::isnan(output[2 * row + i]), what.smoothing < 1) << i;
        }
    }
}

// Frames of short lengths are transformed in groups, of which calls leave some.
TEST(CpuPlan, RowsHaveTheSameBitsInAnyCalls)
{
    for (int n : { 1, 2, 3, 5, 8, 9, 12, 16, 24, 27, 32, 36, 48, 64, 99, 100, 128, 200 })
        for (const char* text : { "c2c_forward_n{}_b1",
                                  "c2c_forward_n{}_b1_window_decibel_shiftout",
                                  "c2c_forward_n{}_b1_power_avg37",
                                  "r2c_n{}_b1",
                                  "c2r_n{}_b1",
                                  "dct4_n{}_b1",
                                  "c2c_inverse_n{}x6_b1" }) {
            std::string name = text;
            name.replace(name.find("{}"), 2, std::to_string(n));
            const problem what = named(name);
            const std::vector<std::uint8_t> input =
                random_samples(what, 75 * what.input_span());
            const auto one = cpu_plan_of(what), three = cpu_plan_of(what, 3);
            EXPECT_EQ(expect_same_bits(*one, input, 75),
                      expect_same_bits(*three, input, 75))
                << name;
        }
}

TEST(CpuPlan, InfinityAndNothingInDecibels)
{
    const problem what = named("c2c_forward_n1_b1_decibel");
    const std::complex<float> input[] = { INFINITY, 0, 1, { 0, 1e-30f }, 1e30f, 10 };
    float output[6];
    cpu_plan_of(what)->execute(input, output, 6);
    EXPECT_EQ(output[0], INFINITY);
    EXPECT_NEAR(output[1], 10 * std::log10(FLT_MIN), 1e-4);
    EXPECT_NEAR(output[2], 0, 1e-4);
    EXPECT_NEAR(output[3], 10 * std::log10(FLT_MIN), 1e-4);
    EXPECT_EQ(output[4], INFINITY);
    EXPECT_NEAR(output[5], 20, 1e-4);
}

TEST(CpuPlan, FullScaleIsOne)
{
    const std::int16_t words[] = { 32767, -32768, 0, 1 };
    const std::int8_t bytes[] = { 127, -128, 0, 1 };
    std::complex<float> output[2];
    cpu_plan_of(named("c2c_forward_n1_b1_cs16"))->execute(words, output, 2);
    EXPECT_EQ(output[0], std::complex<float>(32767 / 32768.0f, -1));
    EXPECT_EQ(output[1], std::complex<float>(0, 1 / 32768.0f));
    cpu_plan_of(named("c2c_forward_n1_b1_cs8"))->execute(bytes, output, 2);
    EXPECT_EQ(output[0], std::complex<float>(127 / 128.0f, -1));
    EXPECT_EQ(output[1], std::complex<float>(0, 1 / 128.0f));
}
