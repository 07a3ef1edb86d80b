// SPDX-License-Identifier: GPL-3.0-or-later
//
// The pipelined kernels, executed by fibers, against FFTW in double precision.

#include "engine/host/host_plan.h"
#include "host_pipelined_cases.h"
#include "reference_dft.h"

#include <cctype>
#include <cstring>
#include <gtest/gtest.h>

using namespace gr::gpufft;

namespace {

std::string name_of(const pipelined_case& each)
{
    std::string name = each.what.to_string() +
                       std::string(each.how.shape().pipelined ? "_pipelined" : "_tiles") +
                       (each.how.shape().copied_by_card ? "_by_card" : "_by_threads");
    for (char& letter : name)
        if (!std::isalnum(static_cast<unsigned char>(letter)))
            letter = '_';
    return name;
}

std::string case_name(const ::testing::TestParamInfo<pipelined_case>& info)
{
    return name_of(info.param);
}

std::vector<float> run(const pipelined_case& each,
                       const std::vector<std::uint8_t>& input,
                       const std::vector<float>& window,
                       std::size_t frames,
                       thread_order order)
{
    host_plan plan(each.what, each.how);
    plan.set_order(order);
    if (each.what.window)
        plan.set_window(window);
    std::vector<float> output(
        frames * each.what.n * each.what.output_item_bytes() / sizeof(float), NAN);
    plan.execute(input.data(), output.data(), frames);
    return output;
}

} // namespace

namespace gr {
namespace gpufft {
void PrintTo(const pipelined_case& each, std::ostream* stream)
{
    *stream << name_of(each);
}
} // namespace gpufft
} // namespace gr

class HostPipelined : public ::testing::TestWithParam<pipelined_case>
{
};

TEST_P(HostPipelined, AgreesWithDoublePrecision)
{
    const pipelined_case& each = GetParam();
    const std::size_t frames = 5; // a block takes several
    const std::size_t samples = (frames - 1) * each.what.effective_hop() + each.what.n;
    const std::vector<std::uint8_t> input = random_samples(each.what, samples);
    const std::vector<float> window = random_window(each.what.n);
    const std::vector<spectrum> expected =
        reference_rows(each.what, input, window, frames);

    const std::vector<float> rising =
        run(each, input, window, frames, thread_order::rising);
    EXPECT_LT(relative_error(each.what, rising.data(), expected), error_bound(each.what));
    const std::vector<float> falling =
        run(each, input, window, frames, thread_order::falling);
    EXPECT_EQ(std::memcmp(rising.data(), falling.data(), rising.size() * 4), 0);
}

INSTANTIATE_TEST_SUITE_P(Ways,
                         HostPipelined,
                         ::testing::ValuesIn(host_pipelined_cases()),
                         case_name);

TEST(Pipelined, RecipeKeepsTheWayOfCopying)
{
    for (const pipelined_case& each : host_pipelined_cases()) {
        const recipe again = recipe::from_text(each.how.to_text());
        EXPECT_EQ(again.shape().pipelined, each.how.shape().pipelined);
        EXPECT_EQ(again.shape().copied_by_card, each.how.shape().copied_by_card);
        EXPECT_NE(
            again.to_string().find(again.shape().pipelined ? "pipelined" : "by tiles"),
            std::string::npos)
            << again.to_string();
    }
}
