// SPDX-License-Identifier: GPL-3.0-or-later
//
// The problem string: what is written reads back as the same problem, and bad text is
// refused with the offending token in the message.

#include <gnuradio/gpufft/problem.h>
#include <gtest/gtest.h>
#include <stdexcept>

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
           "c2c_forward_n32_b1_cs8_hop100_power_scale1e-10" })
        EXPECT_EQ(problem::from_string(name).to_string(), name);
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
}

TEST(Problem, RangesAreChecked)
{
    EXPECT_NE(message_of("c2c_forward_n1073741825").find("2^30"), std::string::npos);
    EXPECT_NE(message_of("c2c_forward_n8_b0").find("batch is 0"), std::string::npos);
    EXPECT_NE(message_of("c2c_forward_n8_power_avg0").find("average is 0"),
              std::string::npos);
    EXPECT_NE(message_of("c2c_forward_n8_power_smooth0").find("smoothing is 0"),
              std::string::npos);
    EXPECT_NE(message_of("c2c_forward_n8_power_smoothnan").find("smoothing"),
              std::string::npos);
    EXPECT_NE(message_of("c2c_forward_n8_scaleinf").find("scale is inf"),
              std::string::npos);
    EXPECT_NE(message_of("c2c_forward_n8_avg2").find("power or decibel"),
              std::string::npos);
    EXPECT_NE(message_of("c2c_forward_n1024_b9223372036854775807").find("64 bits"),
              std::string::npos);
}
