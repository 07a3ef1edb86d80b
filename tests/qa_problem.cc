// SPDX-License-Identifier: GPL-3.0-or-later
//
// The problem string: what is written reads back as the same problem, and bad text is
// refused with the offending token in the message.

#include <clocale>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gnuradio/gpufft/problem.h>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <stdexcept>
#include <unistd.h>
#include <vector>

using namespace gr::gpufft;

namespace {

std::string message_of(const std::string& text)
{
    try {
        problem::from_string(text);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "accepted";
}

bool refuses(const char* text, const char* why)
{
    return message_of(text).find(why) != std::string::npos;
}

} // namespace

TEST(Problem, PlainNameHasNoDefaults)
{
    problem what;
    what.n = 1009;
    what.batch = 3;
    EXPECT_EQ(what.to_string(), "c2c_forward_n1009_b3");
}

TEST(Problem, EveryFieldReadsBack)
{
    for (const char* name :
         { "c2c_forward_n1009_b3",
           "c2c_inverse_n8_b1_window_shiftin",
           "c2c_forward_n1_b1_scale0.5",
           "c2c_forward_n4096_b64_cs16_hop2048_window_decibel_shiftout_avg100",
           "c2c_forward_n1000_b2_real_power_smooth0.1",
           "c2c_forward_n32_b1_cs8_hop100_power_scale1e-10",
           "r2c_n4096_b64",
           "r2c_n1000_b2_s16_hop500_window_power_avg3",
           "c2r_n256x129_b1_f64",
           "c2c_forward_n8_b2_real_f64_hop24_istrides3_ostrides2_odist1",
           "c2c_inverse_n256x256_b2_cf16_outf16_shiftout",
           "dct2_n1000_b8_f64_ortho_scale0.5",
           "dst4_n2x3x5_b1_f16_outs16",
           "dct1_n2_b1",
           "c2c_forward_n79_b9_cs16_hop79_window_taps16_running",
           "c2c_inverse_n8_b1_hop4_running",
           "c2c_forward_n79_b9_hop79_window_taps16_running_bins5",
           "c2c_forward_n64_b2_real_window_taps4_power_avg2",
           "zoom_n64_b1",
           "zoom_n1000_b8_bins200_from0.1_to0.2",
           "zoom_n9_b2_cs16_window_power_bins3_from-0.25_to1e-05_avg2" })
        EXPECT_EQ(problem::from_string(name).to_string(), name);
}

TEST(Problem, EqualsAnotherWithTheSameFields)
{
    std::vector<problem> all;
    for (const char* name : { "c2c_forward_n64",
                              "c2c_inverse_n64",
                              "c2c_forward_n32",
                              "c2c_forward_n8x8",
                              "c2c_forward_n64_b2",
                              "r2c_n64",
                              "r2c_n64_alone",
                              "dct2_n64",
                              "dct2_n64_ortho",
                              "c2c_forward_n64_cs16",
                              "c2c_forward_n64_hop8",
                              "c2c_forward_n64_istrides2",
                              "c2c_forward_n64_odist9",
                              "c2c_forward_n64_window",
                              "c2c_forward_n64_ostrides2",
                              "zoom_n64_to0.5",
                              "c2c_forward_n64_running",
                              "c2c_forward_n64_window_taps2",
                              "zoom_n64_from0.5",
                              "c2c_forward_n64_shiftin",
                              "c2c_forward_n64_decibel",
                              "zoom_n64_bins9",
                              "filter_n64",
                              "filter_n64_ctaps",
                              "c2c_forward_n64_power",
                              "c2c_forward_n64_outs16",
                              "c2c_forward_n64_shiftout",
                              "c2c_forward_n64_scale2",
                              "c2c_forward_n64_power_max",
                              "c2c_forward_n64_power_avg2",
                              "c2c_forward_n64_power_smooth0.5",
                              "c2c_forward_n64_power_holdmax",
                              "c2c_forward_n64_power_density8x8",
                              "c2c_forward_n64_power_density8x8_low-9",
                              "c2c_forward_n64_algorithm=stockham" })
        all.push_back(problem::from_string(name));
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t k = 0; k < all.size(); ++k)
            EXPECT_EQ(all[i] == all[k], i == k)
                << all[i].to_string() << ", " << all[k].to_string();
}

TEST(Problem, TakesOverTheValuesOfAnother)
{
    problem what = problem::from_string("c2c_forward_n64_b2_power");
    what.set(problem::from_string("c2c_inverse_n32_hop8_decibel_avg3_scale2"));
    EXPECT_EQ(what.to_string(), "c2c_forward_n64_b2_hop8_power_avg3_scale2");
}

TEST(Problem, TokensComeInAnyOrder)
{
    EXPECT_EQ(problem::from_string("c2c_inverse_f64_b3_real_n4x4").to_string(),
              "c2c_inverse_n4x4_b3_real_f64");
    EXPECT_EQ(problem::from_string("c2c_inverse_n16x1").to_string(),
              "c2c_inverse_n16x1_b1");
    EXPECT_EQ(problem::from_string("r2c_n16_b1_hop16").to_string(), "r2c_n16_b1");
}

TEST(Problem, SizesFollowFromTheKind)
{
    const problem real = problem::from_string("r2c_n3x5_b2");
    EXPECT_EQ(real.n, 15u);
    EXPECT_EQ(real.frame_samples(), 15u);
    EXPECT_EQ(real.row_bins(), 9u); // 3 by 5/2 + 1
    EXPECT_EQ(real.input_item_bytes(), 4u);
    EXPECT_EQ(real.output_item_bytes(), 8u);
    const problem back = problem::from_string("c2r_n3x5_b2_f64");
    EXPECT_EQ(back.frame_samples(), 9u);
    EXPECT_EQ(back.effective_hop(), 9u);
    EXPECT_EQ(back.row_bins(), 15u);
    EXPECT_EQ(back.input_item_bytes(), 16u);
    EXPECT_EQ(back.output_item_bytes(), 8u);
    const problem apart = problem::from_string("c2c_forward_n3x5_b2_istrides20x3");
    EXPECT_EQ(apart.input_span(), 2 * 20u + 4 * 3 + 1);
    EXPECT_TRUE(apart.has_plain_rows());
    const problem columns = problem::from_string("c2c_forward_n4_b7_ostrides7_odist1");
    EXPECT_EQ(columns.output_span(), 3 * 7u + 1);
    EXPECT_FALSE(columns.has_plain_rows());
    EXPECT_EQ(problem::from_string("dct2_n8_b1_s8_outs8").output_item_bytes(), 1u);
}

TEST(Problem, ZoomHasAsManyBinsAsAreAskedFor)
{
    const problem zoom = problem::from_string("zoom_n1000_b8_bins200_from0.1_to0.2");
    EXPECT_EQ(zoom.frame_samples(), 1000u);
    EXPECT_EQ(zoom.row_bins(), 200u);
    EXPECT_EQ(zoom.output_span(), 200u);
    EXPECT_EQ(zoom.f_start, 0.1);
    EXPECT_EQ(zoom.f_stop, 0.2);
    EXPECT_EQ(problem::from_string("zoom_n64").row_bins(), 64u);
}

TEST(Problem, FilterBankHasTapsTimesTheSamples)
{
    const problem bank = problem::from_string("c2c_forward_n79_b9_hop79_window_taps16");
    EXPECT_EQ(bank.frame_samples(), 79u * 16);
    EXPECT_EQ(bank.input_span(), 79u * 16);
    EXPECT_EQ(bank.effective_hop(), 79u);
    EXPECT_EQ(bank.row_bins(), 79u);
}

TEST(Problem, FilterBankMayPickBins)
{
    const problem some = problem::from_string("c2c_forward_n79_b9_window_taps16_bins5");
    EXPECT_EQ(some.row_bins(), 5u);
    EXPECT_EQ(some.output_span(), 5u);
    EXPECT_TRUE(some.has_plain_rows());
    EXPECT_EQ(some.frame_samples(), 79u * 16);
    EXPECT_EQ(some.window_numbers(), 79u * 16);
}

TEST(Problem, MakesPlainOnes)
{
    EXPECT_EQ(problem::make(transform_kind::zoom, { 6 }, 2, true).to_string(),
              "zoom_n6_b2_f64");
    EXPECT_EQ(problem::make(transform_kind::c2r, { 4, 6 }, 3, true).to_string(),
              "c2r_n4x6_b3_f64");
    EXPECT_EQ(problem::make(transform_kind::dst1, { 1 }).to_string(), "dst1_n1_b1");
    EXPECT_THROW(problem::make(transform_kind::c2c, {}), std::invalid_argument);
    EXPECT_THROW(problem::make(transform_kind::c2c, { 1u << 20, 1u << 20 }),
                 std::invalid_argument);
    EXPECT_THROW(problem::make(transform_kind::dct1, { 4, 1 }), std::invalid_argument);
}

TEST(Problem, ValuesSurviveExactly)
{
    problem what;
    what.output = output_kind::power;
    what.scale = 1.0 / 3.0;
    what.smoothing = 0.1 + 0.2;
    const problem again = problem::from_string(what.to_string());
    EXPECT_EQ(again.scale, what.scale);
    EXPECT_EQ(again.smoothing, what.smoothing);
}

// Qt's programs take the user's locale: "0,5" in most of Europe. localedef makes one.
TEST(Problem, TextHasAPointInEveryLocale)
{
    const std::filesystem::path folder = std::filesystem::temp_directory_path() /
                                         ("gpufft-locale-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "source") << "LC_NUMERIC\ndecimal_point \",\"\n"
                                        "thousands_sep \".\"\ngrouping 3;3\n"
                                        "END LC_NUMERIC\n";
    const std::string make = "localedef -c -i " + (folder / "source").string() + " " +
                             (folder / "comma").string() + " 2>/dev/null";
    const int made = std::system(make.c_str()); // warns, and ends with 1
    setenv("LOCPATH", folder.c_str(), 1);
    const bool taken = std::setlocale(LC_NUMERIC, "comma") != nullptr;
    problem what;
    what.output = output_kind::power;
    what.scale = 0.5;
    const std::string text = what.to_string();
    const double scale = problem::from_string("c2c_forward_n8_scale0.25").scale;
    std::setlocale(LC_NUMERIC, "C");
    unsetenv("LOCPATH");
    std::filesystem::remove_all(folder);
    if (!taken)
        GTEST_SKIP() << "localedef makes no locale here: " << made;
    EXPECT_NE(text.find("scale0.5"), std::string::npos) << text;
    EXPECT_EQ(scale, 0.25);
}

TEST(Problem, BadTextNamesTheToken)
{
    EXPECT_NE(message_of("r2r_forward_n8").find("r2r"), std::string::npos);
    EXPECT_NE(message_of("c2c_backward_n8").find("backward"), std::string::npos);
    EXPECT_NE(message_of("c2c_forward_n8_fast").find("\"fast\""), std::string::npos);
    EXPECT_NE(message_of("c2c_forward_n").find("\"n\""), std::string::npos);
    EXPECT_NE(message_of("c2c_forward_n-8").find("n-8"), std::string::npos);
    EXPECT_NE(message_of("c2c_forward_n99999999999999999999999").find("too large"),
              std::string::npos);
    EXPECT_NE(message_of("c2c_forward_b2").find("FFT size is 0"), std::string::npos);
    EXPECT_NE(message_of("").find("c2c"), std::string::npos);
    EXPECT_NE(message_of("c2c_forward_n8x").find("n8x"), std::string::npos);
    EXPECT_NE(message_of("r2c_forward_n8").find("\"forward\""), std::string::npos);
}

// Their text stands in a message before all of it is checked. Found by fuzz_problem.
TEST(Problem, FewerStridesThanAxesAreRefused)
{
    EXPECT_NE(message_of("c2c_forward_n5x15x5x1_ostrides55").find("stride"),
              std::string::npos);
    EXPECT_NE(message_of("c2c_forward_n5x15_ctaps_istrides7_ostrides55").find("ctaps"),
              std::string::npos);
}

TEST(Problem, RangesAreChecked)
{
    EXPECT_NE(message_of("c2c_forward_n17179869185").find("2^34"), std::string::npos);
    EXPECT_NE(message_of("c2c_forward_n8_b0").find("batch is 0"), std::string::npos);
    EXPECT_NE(message_of("c2c_forward_n8_power_avg0").find("average is 0"),
              std::string::npos);
    EXPECT_NE(message_of("c2c_forward_n8_power_smooth0").find("smoothing is 0"),
              std::string::npos);
    EXPECT_NE(message_of("c2c_forward_n8_power_smoothnan").find("smoothing"),
              std::string::npos);
    EXPECT_NE(message_of("c2c_forward_n8_scaleinf").find("scale is inf"),
              std::string::npos);
    EXPECT_TRUE(refuses("c2c_forward_n65536x524288", "2^34"));
    for (const char* twice : { "c2c_forward_n4_n5_n6",
                               "c2c_forward_n8_b1_b2",
                               "c2c_forward_n8_cs16_cs8",
                               "c2c_forward_n8_real_cs16",
                               "c2c_forward_n8_f64_f64",
                               "c2c_forward_n8_hop4_hop4",
                               "c2c_forward_n8_window_window",
                               "c2c_forward_n8_power_decibel",
                               "c2c_forward_n8_outf16_outs8",
                               "c2c_forward_n8_power_max_min",
                               "c2c_forward_n8_power_holdmax_holdmin",
                               "c2c_forward_n8_power_density4x5_density4x5",
                               "c2c_forward_n8_power_density4x5_low1_low2",
                               "c2c_forward_n8_scale2_scale3",
                               "c2c_forward_n8_istrides2_istrides2",
                               "c2c_forward_n8_algorithm=dft_algorithm=dft" })
        EXPECT_TRUE(refuses(twice, "sets again what")) << twice;
    EXPECT_TRUE(refuses("c2c_forward_n4_n5_n6", "token \"n5\" sets again what \"n4\""));
    EXPECT_TRUE(refuses("c2c_forward_n8x0", "FFT size is 0"));
    EXPECT_TRUE(refuses("dct1_n1", "length of dct1 is 1, but must be >= 2"));
    EXPECT_TRUE(refuses("r2c_n8_cs16", "input of r2c is cs16, but must be real"));
    EXPECT_TRUE(refuses("c2r_n8_f16", "input of c2r is f16, but must be complex"));
    EXPECT_TRUE(refuses("dct2_n8_power", "output of dct2 is power"));
    EXPECT_TRUE(refuses("c2c_forward_n8_power_outs16", "stored is s16"));
    EXPECT_TRUE(refuses("c2c_forward_n8_f64_outs16", "stored is s16"));
    EXPECT_TRUE(refuses("c2c_forward_n8_cs16_f64", "token \"f64\""));
    EXPECT_TRUE(refuses("dct4_n8_ortho", "kind is dct4"));
    EXPECT_TRUE(refuses("r2c_n8_bins3", "kind is r2c, but must be zoom"));
    EXPECT_TRUE(refuses("c2c_forward_n8_window_taps0", "taps is 0, but must be 1 ... "));
    EXPECT_TRUE(refuses("c2c_forward_n8_window_taps134217729", "taps is 134217729"));
    EXPECT_TRUE(refuses("c2c_forward_n8_taps2", "1 without a window"));
    EXPECT_TRUE(refuses("c2r_n8_window_taps2", "must be c2c or r2c of one axis"));
    EXPECT_TRUE(refuses("c2c_forward_n4x4_running", "must be c2c or r2c of one axis"));
    EXPECT_TRUE(refuses("c2c_forward_n8_shiftin_running", "without shiftin"));
    EXPECT_TRUE(refuses("c2c_forward_n8_f64_running", "running is cf64"));
    EXPECT_TRUE(refuses("c2c_forward_n8_power_running", "running is power"));
    EXPECT_TRUE(refuses("c2c_forward_n8_hop9_running", "hop with running is 9"));
    EXPECT_TRUE(refuses("c2c_forward_n8_bins3", "kind is c2c, but must be zoom"));
    EXPECT_TRUE(refuses("c2c_forward_n8_running_bins9",
                        "bins with taps or running is 9, "
                        "but must be at most n = 8"));
    EXPECT_TRUE(refuses("c2c_forward_n8_window_taps2_power_bins3", "complex output"));
    EXPECT_TRUE(refuses("c2c_forward_n8_running_shiftout_bins3", "without shiftout"));
    EXPECT_TRUE(refuses("zoom_n4x4", "number of axes of zoom is 2"));
    EXPECT_TRUE(refuses("zoom_n8_bins1073741824", "bins is 1073741824"));
    EXPECT_TRUE(refuses("zoom_n8_from0.1_to1.2", "f_stop is 1.2"));
    EXPECT_TRUE(refuses("zoom_n8_frominf", "f_start is inf"));
    EXPECT_TRUE(refuses("zoom_n8_from1e300_to1e300", "f_start is 1e+300"));
    EXPECT_TRUE(refuses("zoom_n8_from-1048577_to-1048577", "-2^20 ... 2^20"));
    EXPECT_TRUE(refuses("zoom_n8_shiftout", "kind is zoom"));
    EXPECT_TRUE(refuses("zoom_n8_s16", "input of zoom is s16"));
    EXPECT_TRUE(refuses("c2c_forward_n8x8_istrides3", "number of input_strides is 1"));
    EXPECT_TRUE(refuses("c2c_forward_n8_power_odist9", "output is power"));
    EXPECT_TRUE(refuses("c2c_forward_n8_ostrides9223372036854775807", "64 bits"));
    EXPECT_TRUE(refuses("c2c_forward_n8_ostrides0", "output_strides[0] is 0"));
    EXPECT_NE(
        message_of("c2c_forward_n8_decibel_scale-1").find("scale of decibels is -1"),
        std::string::npos);
    EXPECT_NE(message_of("c2c_forward_n8_avg2").find("power or decibel"),
              std::string::npos);
    EXPECT_NE(message_of("c2c_forward_n1024_b9223372036854775807").find("64 bits"),
              std::string::npos);
}

// Counts the places: two axes that meet share one.
TEST(Problem, NoTwoPointsOfARowLieAtTheSamePlace)
{
    EXPECT_TRUE(
        refuses("c2c_forward_n4x16_ostrides1x3",
                "output_strides[1] is 3 for 16 points and output_strides[0] 1 for "
                "4, but must be such that no two points lie at the same place"));
    std::mt19937 random(5);
    const auto draw = [&](int most) { return 1 + std::size_t(random() % most); };
    int refused = 0;
    for (int i = 0; i < 2000; ++i) {
        problem what;
        what.lengths = { draw(12), draw(12) };
        what.n = what.lengths[0] * what.lengths[1];
        what.output_strides = { draw(13), draw(13) };
        std::set<std::size_t> places;
        for (std::size_t k = 0; k < what.n; ++k)
            places.insert(k % what.lengths[0] * what.output_strides[0] +
                          k / what.lengths[0] * what.output_strides[1]);
        const bool good = places.size() == what.n;
        refused += !good;
        if (good)
            EXPECT_NO_THROW(what.validate()) << what.to_string();
        else
            EXPECT_THROW(what.validate(), std::invalid_argument) << what.to_string();
    }
    EXPECT_GT(refused, 300);
    EXPECT_LT(refused, 1700);
}
