// SPDX-License-Identifier: GPL-3.0-or-later
//
// Numbers of 16 and 8 bits, and samples and bins that lie apart, through the kernels.

#include "gpu_runs.h"
#include "host_storage_problems.h"
#include "kernel_report.h"
#include "on_host/half_float.h"
#include "planner/axes/strided.h"
#include "planner/planner.h"
#include "recipe_checks.h"

using namespace gr::gpufft;

namespace {

class StorageOnHost : public ::testing::TestWithParam<problem>
{
};

std::string case_name(const ::testing::TestParamInfo<problem>& info)
{
    return std::to_string(info.index) + "_" + with_letters_only(info.param.to_string());
}

// A transform of one point, which only loads and stores.
template <class From, class To>
std::vector<To> through(const std::string& text, const std::vector<From>& input)
{
    const problem what = problem::from_string(text);
    host_plan plan(what, make_recipe(what));
    std::vector<To> output(input.size());
    plan.execute(input.data(),
                 output.data(),
                 input.size() * sizeof(From) / what.input_item_bytes());
    return output;
}

std::vector<std::uint16_t> all_halves()
{
    std::vector<std::uint16_t> halves;
    for (unsigned bits = 0; bits < 1 << 16; ++bits)
        halves.push_back(std::uint16_t(bits));
    return halves;
}

template <class T>
void expect_stored(const std::string& text,
                   const std::vector<float>& values,
                   const std::vector<T>& expected)
{
    const std::vector<T> stored = through<float, T>(text, values);
    for (std::size_t i = 0; i < values.size(); ++i)
        EXPECT_EQ(stored[i], expected[i]) << values[i];
}

} // namespace

TEST_P(StorageOnHost, AgreesWithTheReference)
{
    const problem what = GetParam();
    const bool is_plain = what.input_strides.empty() && what.has_plain_rows();
    expect_agreement({ what, make_recipe(what) },
                     is_plain ? 45 : what.batch,
                     kernel_error_factor(what));
}

INSTANTIATE_TEST_SUITE_P(Formats,
                         StorageOnHost,
                         ::testing::ValuesIn(host_storage_problems()),
                         case_name);
INSTANTIATE_TEST_SUITE_P(Layouts,
                         StorageOnHost,
                         ::testing::ValuesIn(host_layout_problems()),
                         case_name);

TEST(Storage, EveryHalfIsLoadedExactly)
{
    const std::vector<std::uint16_t> halves = all_halves();
    const std::vector<float> values =
        through<std::uint16_t, float>("c2c_forward_n1_b1_cf16", halves);
    for (std::uint16_t half : halves) {
        const int exponent = half >> 10 & 31, fraction = half & 1023;
        double exact = exponent == 0 ? std::ldexp(fraction, -24)
                                     : std::ldexp(1024 + fraction, exponent - 25);
        if (exponent == 31)
            exact = fraction == 0 ? INFINITY : NAN;
        // the scale 1 multiplies the parts: infinity stays, and so does NaN
        if (std::isnan(exact)) {
            EXPECT_TRUE(std::isnan(values[half])) << half;
        } else {
            EXPECT_EQ(values[half], float(half >> 15 ? -exact : exact)) << half;
        }
    }
}

TEST(Storage, HalvesAreRoundedToTheNearest)
{
    for (std::uint16_t half : all_halves())
        if ((half >> 10 & 31) != 31) {
            EXPECT_EQ(half_of_float(half_to_float(half)), half);
        }
    expect_stored<std::uint16_t>(
        "c2c_forward_n1_b1_outf16",
        { 1.0f, 1.00048828125f, 1.00146484375f, 65519.0f, 65520.0f, -INFINITY, 3e-8f, 0 },
        { 0x3c00, 0x3c00, 0x3c02, 0x7bff, 0x7c00, 0xfc00, 0x0001, 0 });
}

TEST(Storage, IntegersAreRoundedAndSaturate)
{
    const float a = 1.0f / 32768, b = 1.0f / 128;
    expect_stored<std::int16_t>(
        "c2c_forward_n1_b1_outs16",
        { 0.5f * a, 1.5f * a, -2.5f * a, 1.0f, -1.0f, 1e20f, -1e20f, NAN },
        { 0, 2, -2, 32767, -32768, 32767, -32768, 0 });
    expect_stored<std::int8_t>("c2c_forward_n1_b1_outs8",
                               { 0.5f * b, 1.5f * b, 1.0f, -1.0f, INFINITY, -9.0f },
                               { 0, 2, 127, -128, 127, -128 });
}

TEST(Layout, GapsAreLeftAlone)
{
    for (const char* text : { "c2c_forward_n15_b3_ostrides3_odist50",
                              "c2c_forward_n48_b9_ostrides20_odist2" }) {
        const problem what = problem::from_string(text);
        host_plan plan(what, make_recipe(what));
        const std::vector<std::complex<float>> input(what.n * what.batch, 1.0f);
        const std::complex<float> mark(77, 78);
        std::vector<std::complex<float>> output(
            (what.batch - 1) * what.output_distance + what.output_span() + 5, mark);
        std::vector<bool> is_bin(output.size());
        for (std::size_t row = 0; row < what.batch; ++row)
            for (std::size_t place : places_of_bins(what))
                is_bin[row * what.output_distance + place] = true;
        plan.execute(input.data(), output.data(), what.batch);
        for (std::size_t i = 0; i < output.size(); ++i)
            EXPECT_EQ(output[i] == mark, !is_bin[i]) << text << ", bin " << i;
    }
}

TEST(Layout, SideBySideTakesOnePass)
{
    const auto algorithm_for = [](const char* text) {
        return make_recipe(problem::from_string(text)).algorithm;
    };
    EXPECT_EQ(algorithm_for("c2c_forward_n64_b99999_ostrides99999_odist1"), "columns");
    EXPECT_EQ(algorithm_for("c2c_forward_n1024_b9999_f64_ostrides9999_odist1"),
              "columns");
    EXPECT_EQ(algorithm_for("c2c_forward_n1009_b9999_ostrides9999_odist1"), "strided");
    const recipe how =
        make_recipe(problem::from_string("c2c_forward_n30x20_b3_odist700"));
    EXPECT_EQ(how.algorithm, "strided");
    EXPECT_EQ(recipe::from_text(how.to_text()).to_text(), how.to_text());
}

#ifdef GPUFFT_HAVE_CUDA
TEST(StorageCompile, KernelsKeepTheirDataInRegisters)
{
    if (!find_nvrtc().reason.empty())
        GTEST_SKIP() << find_nvrtc().reason;
    for (const char* text : { "c2c_forward_n1000_b99999_cf16_outs16",
                              "c2c_forward_n64_b999999_cf16_outs8",
                              "r2c_n1000_b99999_s16_outf16",
                              "r2c_n1000_b99999_f64",
                              "c2c_forward_n64x64_b9999_f64",
                              "c2c_forward_n64_b99999_ostrides99999_odist1",
                              "c2c_forward_n1024_b9999_f64_ostrides9999_odist1",
                              "c2c_forward_n100_b999_f64_hop1_istrides999_odist200" })
        expect_no_spills(problem::from_string(text), 90, 2);
}

TEST(StorageGpu, FormatsAgreeWithTheReference)
{
    expect_right_on_gpu(host_storage_problems());
}

TEST(StorageGpu, LayoutsAgreeWithTheReference)
{
    expect_right_on_gpu(host_layout_problems());
}

TEST(StorageGpu, PassesThatWriteTheOutputEarlyWorkInPlace)
{
    expect_right_on_gpu(
        { problem::from_string("c2c_forward_n1000_b3_algorithm=ladder16"),
          problem::from_string("c2c_forward_n512_b3_algorithm=ladder8") });
}
#endif
