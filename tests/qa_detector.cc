// SPDX-License-Identifier: GPL-3.0-or-later
//
// What rows say of several frames: detectors and holds, by the kernels on fibers, on the
// CPU and on a GPU, against double precision; and how a hold begins anew.

#include "cpu_runs.h"
#include "host_detector_cases.h"
#include "problem_cases.h"

#include <gnuradio/gpufft/engine.h>
#include <random>

using namespace gr::gpufft;

namespace {

// Frames of complex Gaussian noise of power `sigma2` a sample.
std::vector<std::complex<float>> noise(std::size_t samples, double sigma2)
{
    std::mt19937 generator(7);
    std::normal_distribution<float> normal(0, float(std::sqrt(sigma2 / 2)));
    std::vector<std::complex<float>> x(samples);
    for (auto& sample : x)
        sample = { normal(generator), normal(generator) };
    return x;
}

std::vector<float> rows_of(plan& executes, const std::vector<std::complex<float>>& x)
{
    const std::size_t frames = x.size() / executes.what().n;
    std::vector<float> rows(executes.output_rows(frames) * executes.what().row_bins());
    executes.execute(x.data(), rows.data(), frames);
    return rows;
}

// All rows, by calls of `chunk` frames.
void expect_right(plan& executes, const test_data& data, std::size_t chunk)
{
    const problem& what = executes.what();
    if (what.window)
        executes.set_window(data.window);
    executes.reset_average();
    const std::vector<float> rows = run(executes, data.input, 75, { chunk });
    ASSERT_EQ(rows.size(), data.rows.size() * what.row_items());
    EXPECT_LT(relative_error(what, rows.data(), data.rows),
              error_bound(what, 2.0) + (what.output == output_kind::decibel ? 1e-4 : 0))
        << chunk << " frames a call, " << executes.describe();
}

} // namespace

class Detector : public ::testing::TestWithParam<recipe_case>
{
};

TEST_P(Detector, KernelsAgreeWithDoublePrecision)
{
    expect_agreement(GetParam(), 23, kernel_error_factor(GetParam().what));
}

// On any number of threads, and in rows that span calls.
TEST_P(Detector, CpuAgreesWithDoublePrecision)
{
    const test_data data(GetParam().what, 75);
    for (int threads : { 1, 3 })
        for (std::size_t chunk : { 75, 4 }) {
            SCOPED_TRACE(std::to_string(threads) + " threads");
            expect_right(*cpu_plan_of(GetParam().what, threads), data, chunk);
        }
}

// Whatever the calls and the threads.
TEST_P(Detector, CpuGivesTheSameBits)
{
    const problem what = GetParam().what;
    const test_data data(what, 75);
    std::vector<float> first;
    for (int threads : { 1, 2, 5 }) {
        const auto executes = cpu_plan_of(what, threads);
        if (what.window)
            executes->set_window(data.window);
        const std::vector<float> rows = expect_same_bits(*executes, data.input, 75);
        if (first.empty())
            first = rows;
        EXPECT_EQ(rows, first) << threads << " threads";
    }
}

TEST_P(Detector, KernelsGiveTheSameBits)
{
    const test_data data(GetParam().what, 75);
    host_plan executes(GetParam().what, GetParam().how);
    if (GetParam().what.window)
        executes.set_window(data.window);
    expect_same_bits(executes, data.input, 75);
}

INSTANTIATE_TEST_SUITE_P(Cases,
                         Detector,
                         ::testing::ValuesIn(host_detector_cases()),
                         name_of_case);

// Nita & Gary 2010: mean 1, variance 4 M^2 / ((M - 1) (M + 2) (M + 3)).
TEST(Kurtosis, OfGaussianNoiseIsOneWithItsKnownVariance)
{
    const std::size_t n = 1024, rows = 40;
    for (double m : { 2.0, 8.0, 100.0 }) {
        problem what = named("c2c_forward_n1024_b1_power_kurtosis_avg2");
        what.average = std::size_t(m);
        const std::vector<float> sk =
            rows_of(*cpu_plan_of(what), noise(n * rows * what.average, 1e-12));
        double sum = 0, squares = 0;
        for (float value : sk) {
            sum += value;
            squares += (value - 1.0) * (value - 1.0);
        }
        const double variance = 4 * m * m / ((m - 1) * (m + 2) * (m + 3));
        const double values = double(sk.size());
        EXPECT_NEAR(sum / values, 1.0, 5 * std::sqrt(variance / values)) << m;
        EXPECT_NEAR(squares / values / variance, 1.0, 0.1) << m;
    }
}

// A tone has 0; one in every fourth frame has 1 / duty - 1 = 3, but for M / (M - 1);
// silence has 0. At any level that powers in single precision have.
TEST(Kurtosis, OfTonesBurstsAndSilence)
{
    const std::size_t n = 64, m = 1000;
    for (double level : { 1e-15, 1.0, 1e15 }) {
        std::vector<std::complex<float>> tone(n * m), bursts(n * m), silence(n * m);
        for (std::size_t i = 0; i < tone.size(); ++i) {
            const double angle = 2 * M_PI * 5 * double(i % n) / double(n);
            tone[i] = std::complex<float>(std::polar(level, angle));
            bursts[i] = i / n % 4 == 0 ? tone[i] : 0.0f;
        }
        auto executes = cpu_plan_of(named("c2c_forward_n64_b1_power_kurtosis_avg1000"));
        const double ends = double(m + 1) / double(m - 1);
        EXPECT_NEAR(rows_of(*executes, tone)[5], 0.0, 1e-6) << level;
        EXPECT_NEAR(rows_of(*executes, bursts)[5], 3.0 * ends, 1e-5) << level;
        for (float value : rows_of(*executes, silence))
            EXPECT_EQ(value, 0.0f);
    }
}

TEST(Hold, BeginsAnewAfterResetScaleAndAnotherHold)
{
    const std::size_t n = 16;
    std::vector<std::complex<float>> loud(n), quiet(n);
    loud[0] = 2.0f; // power 4 in every bin
    quiet[0] = 1.0f;
    auto executes = cpu_plan_of(named("c2c_forward_n16_b1_power_holdmax"));
    const auto next = [&](const std::vector<std::complex<float>>& x) {
        return rows_of(*executes, x)[3];
    };
    EXPECT_EQ(next(quiet), 1.0f);
    EXPECT_EQ(next(loud), 4.0f);
    EXPECT_EQ(next(quiet), 4.0f);
    executes->reset_average();
    EXPECT_EQ(next(quiet), 1.0f);
    EXPECT_EQ(next(loud), 4.0f);
    executes->set_scale(0.5); // what is held is of another scale
    EXPECT_EQ(next(quiet), 0.5f);
    EXPECT_EQ(next(loud), 2.0f);
    executes->set_hold(hold_kind::min);
    EXPECT_EQ(next(loud), 2.0f);
    EXPECT_EQ(next(quiet), 0.5f);
    EXPECT_EQ(next(loud), 0.5f);
    executes->set_smoothing(0.25); // does not act
    EXPECT_EQ(next(loud), 0.5f);
    executes->set_hold(hold_kind::none);
    EXPECT_EQ(next(quiet), 0.5f);
    EXPECT_EQ(next(loud), 0.25f * 2.0f + 0.75f * 0.5f);
}

// One bad frame must not end a hold.
TEST(Hold, LeavesNotANumberOut)
{
    const std::size_t n = 8;
    const std::vector<std::complex<float>> bad(n, NAN);
    std::vector<std::complex<float>> good(n);
    good[0] = 1.0f;
    for (const char* hold : { "_holdmax", "_holdmin" }) {
        auto executes = cpu_plan_of(named(std::string("c2c_forward_n8_b1_power") + hold));
        EXPECT_TRUE(std::isnan(rows_of(*executes, bad)[1]));
        EXPECT_EQ(rows_of(*executes, good)[1], 1.0f);
        EXPECT_EQ(rows_of(*executes, bad)[1], 1.0f);
    }
}

// What one plan saves, another goes on with.
TEST(Detector, RunningRowsMoveToAnotherPlan)
{
    for (const char* name : { "c2c_forward_n16_b1_power_shiftout_max_avg5",
                              "c2c_forward_n16_b1_power_shiftout_min_avg5",
                              "c2c_forward_n16_b1_power_shiftout_kurtosis_avg5_holdmin",
                              "c2c_forward_n16_b1_power_holdmax" }) {
        const problem what = named(name);
        const test_data data(what, 35);
        auto first = cpu_plan_of(what, 1), second = cpu_plan_of(what, 2);
        std::vector<float> rows(data.rows.size() * what.n);
        float* next = rows.data();
        next += what.n * first->execute(data.input.data(), next, 13);
        std::vector<char> saved(first->mean_bytes());
        const plan::mean_state state = first->save_mean(saved.data());
        second->restore_mean(saved.data(), state);
        second->execute(data.input.data() + 13 * what.n * 8, next, 22);
        EXPECT_LT(relative_error(what, rows.data(), data.rows), error_bound(what, 2.0))
            << name;
    }
}

TEST(Detector, ProblemsSayWhatTheyAllow)
{
    const auto message_of = [](const char* text) -> std::string {
        try {
            problem::from_string(text);
        } catch (const std::invalid_argument& error) {
            return error.what();
        }
        return "accepted";
    };
    for (const char* text : { "c2c_forward_n8_b1_power_max_avg3",
                              "c2c_forward_n8_b1_power_kurtosis_avg2_smooth0.5_holdmax",
                              "c2c_forward_n8_b1_decibel_min_holdmin_scale2" })
        EXPECT_EQ(problem::from_string(text).to_string(), text);
    EXPECT_EQ(message_of("c2c_forward_n8_b1_power_kurtosis"),
              "average with detector kurtosis is 1, but must be >= 2");
    EXPECT_EQ(message_of("c2c_forward_n8_b1_decibel_kurtosis_avg2"),
              "output with detector kurtosis is decibel, but must be power");
    for (const char* text : { "c2c_forward_n8_b1_max", "c2c_forward_n8_b1_holdmin" })
        EXPECT_EQ(message_of(text),
                  "output is complex, but must be power or decibel with average, "
                  "smoothing, a detector or a hold");
}

TEST(DetectorGpu, AgreesWithDoublePrecision)
{
    if (!query_cuda().usable)
        GTEST_SKIP() << query_cuda().reason;
    std::vector<problem> problems;
    for (const recipe_case& each : host_detector_cases())
        problems.push_back(each.what);
    for (const char* name : { "c2c_forward_n4096_b1_power_max_avg16",
                              "c2c_forward_n4096_b1_power_kurtosis_avg15",
                              "c2c_forward_n65536_b1_power_min_avg5_holdmin",
                              "c2c_forward_n1009_b1_cs16_power_kurtosis_avg9",
                              "r2c_n1000_b1_power_max_avg3_holdmax" })
        problems.push_back(named(name));
    for (const problem& what : problems) {
        SCOPED_TRACE(what.to_string());
        const test_data data(what, 75);
        plan_options options;
        options.engine = engine_kind::cuda;
        const plan::uptr executes = plan::make(what, options);
        for (std::size_t chunk : { 75, 4 })
            expect_right(*executes, data, chunk);
    }
}
