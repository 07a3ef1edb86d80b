// SPDX-License-Identifier: GPL-3.0-or-later
//
// The GPU kernels themselves, executed by fibers, against FFTW in double precision.

#include "engine/host/cuda_on_host.h"
#include "engine/host/host_plan.h"
#include "host_problems.h"
#include "plan/planner.h"
#include "reference_dft.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace gr::gpufft;

namespace {

std::vector<problem> plain_problems()
{
    std::vector<problem> problems;
    problem what;
    for (std::size_t n : host_lengths()) {
        what.n = n;
        problems.push_back(what);
    }
    return problems;
}

// Output of `frames` frames in calls of `chunk` frames; bytes never written read as NaN.
std::vector<float> run(const problem& what,
                       const std::vector<std::uint8_t>& input,
                       const std::vector<float>& window,
                       std::size_t frames,
                       std::size_t chunk,
                       thread_order order)
{
    host_plan plan(what, make_recipe(what));
    plan.set_order(order);
    if (what.window)
        plan.set_window(window);
    const std::size_t row = what.n * what.output_item_bytes() / 4;
    std::vector<float> output;
    for (std::size_t f = 0; f < frames; f += chunk) {
        const std::size_t now = std::min(chunk, frames - f);
        const std::size_t rows = plan.output_rows(now);
        std::vector<float> part(rows * row, NAN);
        plan.execute(input.data() + f * what.effective_hop() * what.input_item_bytes(),
                     rows == 0 ? nullptr : part.data(),
                     now);
        output.insert(output.end(), part.begin(), part.end());
    }
    return output;
}

class HostEngine : public ::testing::TestWithParam<problem>
{
};

std::string problem_name(const ::testing::TestParamInfo<problem>& info)
{
    std::string name = info.param.to_string();
    for (char& letter : name)
        if (!std::isalnum(static_cast<unsigned char>(letter)))
            letter = letter == '.' ? 'p' : '_';
    return name;
}

} // namespace

TEST_P(HostEngine, AgreesWithDoublePrecision)
{
    const problem what = GetParam();
    // more frames than one block takes, the last block not full
    const recipe how = make_recipe(what);
    const std::size_t frames =
        what.average > 1 ? 2 * what.average + 1 : std::size_t(how.shape().transforms) + 1;
    const std::size_t samples = (frames - 1) * what.effective_hop() + what.n;
    const std::vector<std::uint8_t> input = random_samples(what, samples);
    const std::vector<float> window = random_window(what.n);
    const std::vector<spectrum> expected = reference_rows(what, input, window, frames);

    const std::vector<float> output =
        run(what, input, window, frames, frames, thread_order::rising);
    ASSERT_EQ(output.size() * 4, expected.size() * what.n * what.output_item_bytes());
    EXPECT_LT(relative_error(what, output.data(), expected), error_bound(what));

    // A missing barrier would show as a difference between the orders of the threads.
    const std::vector<float> falling =
        run(what, input, window, frames, frames, thread_order::falling);
    EXPECT_EQ(std::memcmp(output.data(), falling.data(), output.size() * 4), 0);

    if (what.average > 1) { // rows that span calls
        const std::vector<float> chunked =
            run(what, input, window, frames, 3, thread_order::rising);
        ASSERT_EQ(chunked.size(), output.size());
        for (std::size_t i = 0; i < output.size(); ++i)
            EXPECT_NEAR(chunked[i], output[i], 1e-5 * std::abs(output[i]) + 1e-6) << i;
    }
}

INSTANTIATE_TEST_SUITE_P(Lengths,
                         HostEngine,
                         ::testing::ValuesIn(plain_problems()),
                         problem_name);
INSTANTIATE_TEST_SUITE_P(Algorithms,
                         HostEngine,
                         ::testing::ValuesIn(host_algorithm_problems()),
                         problem_name);
INSTANTIATE_TEST_SUITE_P(Steps,
                         HostEngine,
                         ::testing::ValuesIn(host_step_problems()),
                         problem_name);

TEST(HostEngine, DecibelsOfNothingAreFinite)
{
    problem what = problem::from_string("c2c_forward_n8_b1_cs8_decibel");
    const std::vector<std::uint8_t> zeros(16);
    for (float value : run(what, zeros, {}, 1, 1, thread_order::rising))
        EXPECT_NEAR(value, -379.3, 0.05);
}

TEST(HostEngine, NotANumberStaysOne)
{
    problem what = problem::from_string("c2c_forward_n64_b1");
    std::vector<std::complex<float>> input(64, 1.0f);
    input[5] = NAN;
    std::vector<std::uint8_t> bytes(64 * 8);
    std::memcpy(bytes.data(), input.data(), bytes.size());
    for (float value : run(what, bytes, {}, 1, 1, thread_order::rising))
        EXPECT_TRUE(std::isnan(value));
}

TEST(HostLaunch, DivergentBarrierIsReported)
{
    host_grid grid;
    grid.threads = 4;
    EXPECT_THROW(launch_on_host(grid,
                                [] {
                                    if (kernels::threadIdx.x != 2)
                                        kernels::__syncthreads();
                                }),
                 std::logic_error);
}
