// SPDX-License-Identifier: GPL-3.0-or-later
//
// The pipelined kernels, executed by fibers, against FFTW in double precision.

#include "host_pipelined_cases.h"
#include "recipe_checks.h"
#ifdef GPUFFT_HAVE_CUDA
#include "cuda_checks.h"
#include "engine/cuda/cuda_plan.h"
#include <gnuradio/gpufft/engine.h>
#endif

#include <gtest/gtest.h>

using namespace gr::gpufft;

namespace {

std::string name_of(const recipe_case& each)
{
    std::string name = each.what.to_string() +
                       std::string(each.how.shape().pipelined ? "_pipelined" : "_tiles") +
                       (each.how.shape().copied_by_card ? "_by_card" : "_by_threads");
    return with_letters_only(name);
}

std::string case_name(const ::testing::TestParamInfo<recipe_case>& info)
{
    return name_of(info.param);
}

} // namespace

namespace gr {
namespace gpufft {
void PrintTo(const recipe_case& each, std::ostream* stream) { *stream << name_of(each); }
} // namespace gpufft
} // namespace gr

class HostPipelined : public ::testing::TestWithParam<recipe_case>
{
};

TEST_P(HostPipelined, AgreesWithDoublePrecision)
{
    expect_agreement(GetParam(), 5); // a block takes several
    if (GetParam().what.n < 64)      // tiles begin at any place of 16 bytes
        expect_agreement(GetParam(), 43);
}

INSTANTIATE_TEST_SUITE_P(Ways,
                         HostPipelined,
                         ::testing::ValuesIn(host_pipelined_cases()),
                         case_name);

TEST(Pipelined, RecipeKeepsTheWayOfCopying)
{
    for (const recipe_case& each : host_pipelined_cases()) {
        const recipe again = recipe::from_text(each.how.to_text());
        EXPECT_EQ(again.shape().pipelined, each.how.shape().pipelined);
        EXPECT_EQ(again.shape().copied_by_card, each.how.shape().copied_by_card);
        const std::string text = again.to_string();
        const bool is_tile = again.shape().tiled;
        EXPECT_EQ(is_tile, each.how.shape().tiled);
        EXPECT_NE(text.find(is_tile ? "in tiles" : "pipelined"), std::string::npos)
            << text;
        EXPECT_EQ(text.find("by card") != std::string::npos,
                  is_tile && again.shape().copied_by_card)
            << text;
    }
}

#ifdef GPUFFT_HAVE_CUDA

TEST(Pipelined, GpuAgreesWithDoublePrecision)
{
    if (!query_cuda().usable)
        GTEST_SKIP() << query_cuda().reason;
    for (const recipe_case& each : host_pipelined_cases()) {
        const std::size_t frames = 300; // several for each block
        const std::size_t samples =
            (frames - 1) * each.what.effective_hop() + each.what.n;
        const std::vector<std::uint8_t> input = random_samples(each.what, samples);
        const std::vector<float> window = random_window(each.what.n);
        cuda_plan plan(each.what, 0, each.how);
        if (each.what.window)
            plan.set_window(window);
        const std::vector<float> output = run(plan, input, frames, frames);
        EXPECT_LT(relative_error(each.what,
                                 output.data(),
                                 reference_rows(each.what, input, window, frames)),
                  error_bound(each.what))
            << name_of(each);
    }
}

#endif // GPUFFT_HAVE_CUDA
