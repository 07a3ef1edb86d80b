// SPDX-License-Identifier: GPL-3.0-or-later
//
// The cpu engine against FFTW in double precision: every length, format and step, with
// any number of threads and however the frames are cut into calls.

#include "cpu_runs.h"
#include "engine/cpu/power_store.h"

using namespace gr::gpufft;

namespace {

// 1, powers of 2, 3, 5 and 7, mixed lengths, primes, their neighbours.
const std::size_t LENGTHS[] = { 1,    2,    3,    4,     5,     6,    7,    8,    9,
                                10,   11,   12,   13,    15,    16,   17,   25,   27,
                                31,   32,   33,   49,    63,    64,   65,   81,   100,
                                127,  128,  129,  243,   256,   257,  343,  360,  512,
                                625,  729,  1000, 1008,  1009,  1010, 1023, 1024, 1025,
                                2048, 2187, 2401, 3125,  4000,  4093, 4096, 6000, 8191,
                                8192, 8193, 8209, 10000, 16384, 65536 };

const std::string COMPLEX_STEPS[] = { "c2c_forward_n12_b1_window",
                                      "c2c_forward_n12_b1_shiftout",
                                      "c2c_forward_n13_b1_shiftout",
                                      "c2c_inverse_n12_b1_shiftin",
                                      "c2c_inverse_n13_b1_shiftin",
                                      "c2c_forward_n1_b1_window_shiftin_shiftout",
                                      "c2c_forward_n2_b1_window_shiftin_shiftout",
                                      "c2c_forward_n14_b1_window_shiftin_shiftout",
                                      "c2c_inverse_n15_b1_window_shiftin_shiftout",
                                      "c2c_forward_n1024_b1_window_shiftout",
                                      "c2c_forward_n100_b1_scale0.25",
                                      "c2c_inverse_n31_b1_shiftin_shiftout_scale-3",
                                      "c2c_forward_n64_b1_hop1",
                                      "c2c_forward_n64_b1_hop32",
                                      "c2c_forward_n64_b1_hop100_window",
                                      "c2c_forward_n63_b1_hop5",
                                      "c2c_forward_n5_b1_hop3_window",
                                      "c2c_forward_n5_b1_hop9" };

const std::string FORMATS[] = {
    "c2c_forward_n96_b1_real",
    "c2c_forward_n31_b1_real_window_shiftout",
    "c2c_inverse_n5_b1_real_window_shiftin",
    "c2c_forward_n96_b1_cs16",
    "c2c_forward_n31_b1_cs16_window_shiftin",
    "c2c_forward_n1000_b1_cs16_hop500_window_shiftout",
    "c2c_inverse_n96_b1_cs8",
    "c2c_forward_n31_b1_cs8_hop7_window_shiftin",
    "c2c_forward_n8_b1_cs8_window_shiftin_shiftout_scale128"
};

const std::string POWERS[] = {
    "c2c_forward_n64_b1_power",
    "c2c_forward_n65_b1_power_shiftout_scale0.5",
    "c2c_forward_n64_b1_decibel",
    "c2c_forward_n65_b1_decibel_shiftout",
    "c2c_forward_n64_b1_window_decibel_shiftout_scale1e-6",
    "c2c_forward_n64_b1_power_avg5",
    "c2c_forward_n5_b1_power_avg5",
    "c2c_forward_n1_b1_power_avg3",
    "c2c_forward_n17_b1_power_shiftout_avg40",
    "c2c_forward_n4096_b1_cs16_window_power_avg20",
    "c2c_forward_n256_b1_cs16_hop128_window_decibel_shiftout_avg100",
    "c2c_forward_n65_b1_power_smooth0.3",
    "c2c_forward_n64_b1_power_shiftout_avg2_smooth0.1_scale0.01",
    "c2c_forward_n63_b1_cs8_decibel_shiftout_avg3_smooth0.5"
};

std::string case_name(const ::testing::TestParamInfo<std::string>& info)
{
    std::string name = info.param;
    for (char& letter : name)
        letter = std::isalnum(static_cast<unsigned char>(letter)) ? letter : '_';
    return name;
}

class CpuLengths : public ::testing::TestWithParam<std::size_t>
{
};

class CpuSteps : public ::testing::TestWithParam<std::string>
{
};

} // namespace

TEST_P(CpuLengths, AgreeWithDoublePrecision)
{
    problem what;
    what.n = GetParam();
    for (direction dir : { direction::forward, direction::inverse }) {
        what.dir = dir;
        for (std::size_t frames : { 1, 3, what.n <= 256 ? 35 : 4 }) {
            const test_data data(what, frames);
            for (int threads : { 1, 2, 3 }) {
                SCOPED_TRACE(what.to_string() + ", frames " + std::to_string(frames) +
                             ", threads " + std::to_string(threads));
                auto executes = cpu_plan_of(what, threads);
                expect_rows(what, run(*executes, data.input, frames), data.rows);
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All,
                         CpuLengths,
                         ::testing::ValuesIn(LENGTHS),
                         ::testing::PrintToStringParamName());

TEST_P(CpuSteps, AgreeWithDoublePrecision)
{
    const problem what = named(GetParam());
    const std::size_t frames = what.average > 1 ? 3 * what.average + 1 : 21;
    const test_data data(what, frames);
    for (int threads : { 1, 2, 3 })
        for (std::size_t chunk : { 0, 1, 7 }) {
            SCOPED_TRACE("threads " + std::to_string(threads) + ", chunk " +
                         std::to_string(chunk));
            auto executes = cpu_plan_of(what, threads);
            if (what.window)
                executes->set_window(data.window);
            layout how;
            how.chunk = chunk;
            const std::vector<float> output = run(*executes, data.input, frames, how);
            expect_rows(what, output, data.rows);

            auto again = cpu_plan_of(what, threads);
            if (what.window)
                again->set_window(data.window);
            const std::vector<float> repeated = run(*again, data.input, frames, how);
            EXPECT_EQ(std::memcmp(output.data(), repeated.data(), output.size() * 4), 0);
        }
}

INSTANTIATE_TEST_SUITE_P(Complex,
                         CpuSteps,
                         ::testing::ValuesIn(COMPLEX_STEPS),
                         case_name);
INSTANTIATE_TEST_SUITE_P(Formats, CpuSteps, ::testing::ValuesIn(FORMATS), case_name);
INSTANTIATE_TEST_SUITE_P(Power, CpuSteps, ::testing::ValuesIn(POWERS), case_name);

TEST(CpuAccuracy, LongMeansKeepSinglePrecision)
{
    problem what = named("c2c_forward_n4_b1_power_avg100000");
    const std::size_t frames = 100000;
    const std::vector<std::uint8_t> input = random_samples(what, 4 * frames);
    const std::vector<spectrum> expected = reference_rows(what, input, {}, frames);
    for (std::size_t chunk : { 0, 997 })
        for (int threads : { 1, 2 }) {
            layout how;
            how.chunk = chunk;
            const std::vector<float> mean =
                run(*cpu_plan_of(what, threads), input, frames, how);
            for (std::size_t k = 0; k < 4; ++k)
                EXPECT_NEAR(mean.at(k) / expected[0][k].real(), 1.0, 1e-6);
        }
}

TEST(CpuAccuracy, LongTransforms)
{
    for (std::size_t n : { std::size_t(65537), std::size_t(1) << 19 }) {
        problem what;
        what.n = n;
        const test_data data(what, 3);
        expect_rows(what, run(*cpu_plan_of(what, 2), data.input, 3), data.rows);
        what.output = output_kind::power;
        what.average = 3;
        const test_data powers(what, 3);
        expect_rows(what, run(*cpu_plan_of(what, 2), powers.input, 3), powers.rows);
    }
}

TEST(Decibels, AreExactOverTheWholeRange)
{
    std::vector<float> powers, values;
    for (double exponent = -37.9; exponent < 38.5; exponent += 1e-3)
        powers.push_back(std::pow(10.0, exponent));
    for (bool special : { false, true }) { // the quick and the careful way
        values = powers;
        values.push_back(special ? NAN : 1);
        decibels(values.data(), values.size());
        for (std::size_t i = 0; i < powers.size(); ++i)
            ASSERT_NEAR(values[i], 10 * std::log10(double(powers[i])), 1e-4) << powers[i];
        EXPECT_EQ(std::isnan(values.back()), special);
    }
}
