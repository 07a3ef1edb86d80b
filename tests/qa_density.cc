// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows with a density: known signals, and any by the kernels on fibers, on the CPU and on
// a GPU, against double precision.

#include "cpu_runs.h"
#include "density_reference.h"
#include "host_density_cases.h"
#include "problem_cases.h"

#include <gnuradio/gpufft/engine.h>

using namespace gr::gpufft;

namespace {

constexpr std::size_t FRAMES = 75;

// Rows that span calls, of `chunk` frames each.
void expect_right(plan& executes, const density_data& data, std::size_t chunk)
{
    const problem& what = executes.what();
    if (what.window)
        executes.set_window(data.window);
    executes.reset_average();
    const std::vector<float> rows = run(executes, data.input, FRAMES, { chunk });
    ASSERT_EQ(rows.size(), data.rows.size() * what.row_items());
    for (std::size_t r = 0; r < data.rows.size(); ++r) {
        SCOPED_TRACE("row " + std::to_string(r) + ", " + std::to_string(chunk) +
                     " frames a call, " + executes.describe());
        data.rows[r].expect(rows.data() + r * what.row_items());
    }
}

std::vector<std::complex<float>>
tone(std::size_t n, std::size_t frames, double bin, double level)
{
    std::vector<std::complex<float>> x(n * frames);
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i] = std::complex<float>(
            std::polar(level, 2 * M_PI * bin * double(i % n) / double(n)));
    return x;
}

std::vector<float> row_of(plan& executes, const std::vector<std::complex<float>>& x)
{
    const problem& what = executes.what();
    std::vector<float> row(what.row_items());
    EXPECT_EQ(executes.execute(x.data(), row.data(), x.size() / what.n), 1u);
    return row;
}

} // namespace

class Density : public ::testing::TestWithParam<recipe_case>
{
};

TEST_P(Density, KernelsAgreeWithDoublePrecision)
{
    const density_data data(GetParam().what, FRAMES);
    host_plan executes(GetParam().what, GetParam().how);
    for (const thread_order order : { thread_order::rising, thread_order::falling }) {
        executes.set_order(order);
        for (std::size_t chunk : { 75, 74, 4 }) // which count in either way
            expect_right(executes, data, chunk);
    }
}

TEST_P(Density, CpuAgreesWithDoublePrecision)
{
    const density_data data(GetParam().what, FRAMES);
    for (int threads : { 1, 3 })
        for (std::size_t chunk : { 75, 4 })
            expect_right(*cpu_plan_of(GetParam().what, threads), data, chunk);
}

TEST_P(Density, KernelsAndTheCpuGiveTheSameBitsInAnyCalls)
{
    const problem what = GetParam().what;
    const test_data data(what, 75);
    host_plan kernels(what, GetParam().how);
    const auto one = cpu_plan_of(what), five = cpu_plan_of(what, 5);
    std::vector<std::vector<float>> rows;
    for (plan* executes : { static_cast<plan*>(&kernels), one.get(), five.get() }) {
        if (what.window)
            executes->set_window(data.window);
        rows.push_back(expect_same_bits(*executes, data.input, 75));
    }
    EXPECT_EQ(rows[1], rows[2]);
}

INSTANTIATE_TEST_SUITE_P(Cases,
                         Density,
                         ::testing::ValuesIn(host_density_cases()),
                         name_of_case);

// A tone at -20.5 dBFS is at level floor((-20.5 + 100) / 100 * 50) in its column, always.
TEST(Density, OfATone)
{
    problem what = named("c2c_forward_n64_b1_power_shiftout_density16x50_low-100_avg30");
    what.scale = 1.0 / (64 * 64);
    const auto executes = cpu_plan_of(what);
    const std::vector<float> row =
        row_of(*executes, tone(64, 30, 5, std::pow(10, -20.5 / 20)));
    const std::size_t column = (32 + 5) / 4;
    EXPECT_EQ(column_of(what, row.data(), column)[39], 30.0);
    EXPECT_EQ(sum_of(column_of(what, row.data(), column)), 4 * 30.0);
    EXPECT_NEAR(10 * std::log10(row[32 + 5]), -20.5, 1e-4);
    EXPECT_EQ(row[64 + 32 + 5], row[128 + 32 + 5]); // steady
}

// Half the frames silent, half a tone.
TEST(Density, OfBursts)
{
    const problem what = named("c2c_forward_n16_b1_power_density16x4_low-20_high60_avg8");
    auto x = tone(16, 8, 3, 1.0); // power 256, 24 dB
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i] *= i / 16 % 2 == 0 ? 1.0f : 0.0f;
    const std::vector<float> row = row_of(*cpu_plan_of(what), x);
    EXPECT_EQ(column_of(what, row.data(), 3), (std::vector<double>{ 4, 0, 4, 0 }));
    EXPECT_EQ(row[3], 128.0f);
    EXPECT_EQ(row[16 + 3], 256.0f);
    EXPECT_EQ(row[32 + 3], 0.0f);
}

// Levels are from their lower edge on.
TEST(Density, OfLevelsAtTheirEdges)
{
    const problem what = named("c2c_forward_n1_b1_power_density1x3_low0_high30");
    for (const auto& [amplitude, level] : { std::pair(0.0f, 0),
                                            std::pair(1.0f, 0),
                                            std::pair(3.16f, 0),
                                            std::pair(3.17f, 1),
                                            std::pair(9.999f, 1),
                                            std::pair(10.001f, 2),
                                            std::pair(1e18f, 2),
                                            std::pair(INFINITY, 2) }) {
        const std::vector<float> row = row_of(*cpu_plan_of(what), { amplitude });
        EXPECT_EQ(column_of(what, row.data(), 0)[level], 1.0) << amplitude;
    }
}

TEST(Density, LeavesNotANumberOut)
{
    const problem what = named("c2c_forward_n8_b1_power_density8x3_avg2");
    auto x = tone(8, 2, 1, 1.0);
    x[3] = NAN;
    const std::vector<float> row = row_of(*cpu_plan_of(what), x);
    for (std::size_t column = 0; column < 8; ++column)
        EXPECT_EQ(sum_of(column_of(what, row.data(), column)), 1.0);
}

TEST(Density, SetDensityBeginsANewRow)
{
    const auto executes = cpu_plan_of(named("c2c_forward_n8_b1_power_density4x2_avg2"));
    const auto x = tone(8, 1, 1, 1.0);
    std::vector<float> row(executes->what().row_items());
    EXPECT_EQ(executes->execute(x.data(), row.data(), 1), 0u);
    executes->set_density(1, 2, -10, 40);
    EXPECT_EQ(executes->execute(x.data(), row.data(), 1), 0u);
    EXPECT_EQ(executes->execute(x.data(), row.data(), 1), 1u);
    const problem& now = executes->what();
    EXPECT_EQ(column_of(now, row.data(), 0), (std::vector<double>{ 0, 2 })); // bin 1
    EXPECT_EQ(column_of(now, row.data(), 1), (std::vector<double>{ 2, 0 }));
    EXPECT_EQ(sum_of(column_of(now, row.data(), 2)), 0.0);
    const float* facts = row.data() + 24 + 8;
    EXPECT_EQ(std::vector<float>(facts, facts + 4),
              (std::vector<float>{ 1, 2, -10, 40 }));
}

// What one plan saves, another goes on with.
TEST(Density, RunningRowsMoveToAnotherPlan)
{
    const problem what =
        named("c2c_forward_n16_b1_power_shiftout_density5x9_low-10_high30_avg15");
    const density_data data(what, FRAMES);
    auto first = cpu_plan_of(what, 1), second = cpu_plan_of(what, 2);
    std::vector<float> rows(data.rows.size() * what.row_items());
    float* next = rows.data();
    next += what.row_items() * first->execute(data.input.data(), next, 37);
    std::vector<char> saved(first->mean_bytes());
    const plan::mean_state state = first->save_mean(saved.data());
    first->execute(data.input.data(), next, 3); // which the other does not know of
    second->restore_mean(saved.data(), state);
    second->set_threads(3);
    second->execute(data.input.data() + 37 * what.n * 8, next, FRAMES - 37);
    for (std::size_t r = 0; r < data.rows.size(); ++r)
        data.rows[r].expect(rows.data() + r * what.row_items());
}

TEST(Density, ProblemsSayWhatTheyAllow)
{
    const auto message_of = [](const char* text) -> std::string {
        try {
            problem::from_string(text);
        } catch (const std::invalid_argument& error) {
            return error.what();
        }
        return "accepted";
    };
    for (const char* text :
         { "c2c_forward_n8_b1_power_density3x5",
           "c2c_forward_n8_b1_decibel_max_density9x256_first2_span6_low-80.5_high3_avg3",
           "r2c_n8_b1_power_density1x1_span0_holdmax" })
        EXPECT_EQ(problem::from_string(text).to_string(), text);
    for (const auto& [text, message] :
         { std::pair("c2c_forward_n8_b1_density3x5",
                     "output with a density is complex, but must be power or decibel"),
           std::pair("c2c_forward_n8_b1_power_kurtosis_density3x5_avg2",
                     "detector with a density is kurtosis, but must be mean, max or min"),
           std::pair("c2c_forward_n8_b1_power_density65537x5",
                     "columns of the density is 65537, but must be 1 ... 65536"),
           std::pair("c2c_forward_n8_b1_power_density3x257",
                     "levels of the density is 257, but must be 1 ... 256"),
           std::pair("c2c_forward_n8_b1_power_density3x5_first8",
                     "first bin of the density is 8, but must be 0 ... 7"),
           std::pair("c2c_forward_n8_b1_power_density3x5_first7_span2",
                     "bins of the density is 2, but must be 0 ... 1"),
           std::pair("c2c_forward_n8_b1_power_density3x5_low3_high3",
                     "low of the density is 3, but must be below high, 3"),
           std::pair("c2c_forward_n8_b1_power_density3",
                     "problem \"c2c_forward_n8_b1_power_density3\": token \"density3\" "
                     "needs columns and levels, e.g. density1024x128") })
        EXPECT_EQ(message_of(text), message);
    EXPECT_THROW(cpu_plan_of(named("c2c_forward_n8_b1_power"))->set_density(0, 1, 0, 1),
                 std::invalid_argument);
}

TEST(DensityGpu, AgreesWithDoublePrecision)
{
    if (!query_cuda().usable)
        GTEST_SKIP() << query_cuda().reason;
    std::vector<problem> problems;
    for (const recipe_case& each : host_density_cases())
        problems.push_back(each.what);
    for (const char* name :
         { "c2c_forward_n4096_b1_power_shiftout_density1024x128_high60_avg60",
           "c2c_forward_n1009_b1_cs16_power_density100x16_high60_avg9",
           "r2c_n1000_b1_power_density1024x8_avg3_holdmax" })
        problems.push_back(named(name));
    for (const problem& what : problems) {
        SCOPED_TRACE(what.to_string());
        const density_data data(what, FRAMES);
        plan_options options;
        options.engine = engine_kind::cuda;
        const plan::uptr executes = plan::make(what, options);
        for (std::size_t chunk : { 75, 4 })
            expect_right(*executes, data, chunk);
    }
}

// Long rows over many launches: the same counts as on the CPU but for bins at an edge.
TEST(DensityGpu, AgreesWithTheCpu)
{
    if (!query_cuda().usable)
        GTEST_SKIP() << query_cuda().reason;
    for (const char* name :
         { "c2c_forward_n16_b1_cs16_power_density16x128_low-60_high40_avg100000",
           "c2c_forward_n4096_b1_hop2048_power_density1024x128_low0_high80_avg1500",
           "c2c_forward_n65536_b1_power_density1000x160_low0_high80_avg50",
           "c2c_forward_n4194304_b1_power_shiftout_density1024x160_low20_high80_avg2" }) {
        const problem what = named(name);
        plan_options options;
        options.engine = engine_kind::cuda;
        const plan::uptr on_card = plan::make(what, options);
        const auto on_cpu = cpu_plan_of(what, 0);
        const std::size_t frames = 2 * what.average + 1;
        const auto input =
            random_samples(what, (frames - 1) * what.effective_hop() + what.input_span());
        std::vector<float> rows(2 * what.row_items()), expected(rows.size());
        ASSERT_EQ(on_card->execute(input.data(), rows.data(), frames), 2u);
        ASSERT_EQ(on_cpu->execute(input.data(), expected.data(), frames), 2u);
        double moved = 0, all = 0;
        for (std::size_t r = 0; r < 2; ++r)
            for (std::size_t i = 0; i < what.density.cells(); ++i) {
                const std::size_t at = r * what.row_items() + cells_begin(what) + i;
                moved += std::abs(double(rows[at]) - expected[at]);
                all += expected[at];
            }
        EXPECT_EQ(all, 2.0 * double(what.average * what.n)) << name;
        EXPECT_LT(moved / all, 1e-3) << name;
    }
}
