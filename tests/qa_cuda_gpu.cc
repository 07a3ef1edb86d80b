// SPDX-License-Identifier: GPL-3.0-or-later
//
// The cuda engine on a real GPU, against FFTW in double precision. Every test skips
// itself where there is none.

#ifdef GPUFFT_HAVE_CUDA

#include "cuda_checks.h"
#include "engine/chunked_execution.h"
#include "engine/cuda/cuda_plan.h"
#include "host_problems.h"
#include "planner/planner.h"
#include "planner/stockham/stockham.h"
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

using namespace gr::gpufft;

namespace {

class CudaGpu : public testing::Test
{
protected:
    void SetUp() override
    {
        if (!query_cuda().usable)
            GTEST_SKIP() << query_cuda().reason;
    }
};

} // namespace

TEST_F(CudaGpu, LengthsForward)
{
    std::vector<problem> problems;
    for (std::size_t n : host_lengths()) {
        problem what;
        what.n = n;
        problems.push_back(what);
    }
    check_all(problems, 301, 301);
}

TEST_F(CudaGpu, LengthsInverse)
{
    std::vector<problem> problems;
    for (std::size_t n : host_lengths()) {
        problem what;
        what.n = n;
        what.dir = direction::inverse;
        if (n > 512 || n % 7 == 1)
            problems.push_back(what);
    }
    check_all(problems, 129, 129);
}

TEST_F(CudaGpu, LoadAndStoreSteps) { check_all(host_step_problems(), 43, 43); }

TEST_F(CudaGpu, EveryCandidateShape)
{
    for (int n : { 16, 60, 512, 1000, 4096 })
        for (const stockham_shape& shape : stockham_candidates(n, device_traits())) {
            problem what;
            what.n = n;
            what.algorithm = "stockham";
            recipe how = make_recipe(what);
            how.shapes = { shape };
            cuda_plan plan(what, 0, how);
            const std::vector<std::uint8_t> input = random_samples(what, 37 * what.n);
            EXPECT_EQ(compare(what,
                              run(plan, input, 37, 37),
                              reference_rows(what, input, {}, 37)),
                      "")
                << plan.describe();
        }
}

TEST_F(CudaGpu, RowsSpanCalls)
{
    std::vector<problem> problems;
    for (const char* text : { "c2c_forward_n64_b1_power_avg2",
                              "c2c_forward_n100_b1_cs16_window_power_shiftout_avg7",
                              "c2c_forward_n1000_b1_decibel_avg64",
                              "c2c_inverse_n243_b1_cs8_power_avg1000",
                              "c2c_forward_n1024_b1_power_smooth0.25",
                              "c2c_forward_n60_b1_hop13_window_power_avg5_smooth0.5",
                              "c2c_forward_n4096_b1_cs16_window_decibel_shiftout_avg10" })
        problems.push_back(problem::from_string(text));
    for (std::size_t call : { 1, 3, 64, 2001 })
        check_all(problems, 2001, call);
}

TEST_F(CudaGpu, HopsOnBothSidesOfTheLength)
{
    std::vector<problem> problems;
    for (const char* length : { "n64", "n1000" })
        for (const char* hop : { "hop1", "hop17", "hop63", "hop65", "hop999", "hop5000" })
            for (const char* rest :
                 { "", "_cs8_window_power_shiftout", "_cs16_shiftout" })
                problems.push_back(problem::from_string(std::string("c2c_forward_") +
                                                        length + "_b1_" + hop + rest));
    check_all(problems, 411, 100);
}

// Enough bytes for many chunks on their way at once, the last one not full.
TEST_F(CudaGpu, ManyChunks)
{
    const char* const texts[] = { "c2c_forward_n64_b1",
                                  "c2c_forward_n64_b1_hop16_real_window",
                                  "c2c_forward_n64_b1_hop100_cs16",
                                  "c2c_forward_n64_b1_cs8_power_avg3",
                                  "c2c_forward_n64_b1_power_avg100000" };
    for (const char* text : texts)
        EXPECT_EQ(check(problem::from_string(text), 200003, 200003), "");
}

TEST_F(CudaGpu, ResultDoesNotDependOnTheCalls)
{
    const problem what = problem::from_string("c2c_forward_n256_b1_window");
    const plan::uptr plan = plan::make(what, ON_GPU);
    const std::vector<std::uint8_t> input = random_samples(what, 5000 * what.n);
    const std::vector<float> whole = run(*plan, input, 5000, 5000);
    for (std::size_t call : { 1, 77, 2048 }) {
        const std::vector<float> split = run(*plan, input, 5000, call);
        ASSERT_EQ(split.size(), whole.size());
        EXPECT_EQ(std::memcmp(split.data(), whole.data(), whole.size() * sizeof(float)),
                  0)
            << "calls of " << call;
    }
}

TEST_F(CudaGpu, SettersTakeEffectAtTheNextCall)
{
    problem what = problem::from_string("c2c_forward_n128_b1_window_power_shiftout");
    const plan::uptr plan = plan::make(what, ON_GPU);
    const std::vector<std::uint8_t> input = random_samples(what, 100000);
    std::vector<float> window(what.n, 1.0f); // until one is set
    const auto expect_agreement = [&](const char* after) {
        const problem now = plan->what();
        const std::size_t frames = 60;
        EXPECT_EQ(compare(now,
                          run(*plan, input, frames, frames),
                          reference_rows(now, input, window, frames)),
                  "")
            << after;
    };
    expect_agreement("nothing");
    window = random_window(what.n, 5);
    plan->set_window(window);
    expect_agreement("set_window");
    plan->set_hop(31);
    expect_agreement("set_hop");
    plan->set_hop(1000);
    expect_agreement("set_hop, larger");
    plan->set_scale(0.001);
    expect_agreement("set_scale");
    plan->set_average(7);
    expect_agreement("set_average");
    plan->reset_average();
    plan->set_smoothing(0.125);
    expect_agreement("set_smoothing");
    plan->set_average(1);
    plan->set_smoothing(1.0);
    expect_agreement("averages off");
    plan->set_smoothing(0.5); // starts anew, nothing is kept while it is off
    expect_agreement("set_smoothing again");
}

TEST_F(CudaGpu, NotANumberStaysInItsFrame)
{
    problem what;
    what.n = 1024;
    std::vector<std::uint8_t> input = random_samples(what, 64 * what.n);
    const plan::uptr plan = plan::make(what, ON_GPU);
    const std::vector<float> clean = run(*plan, input, 64, 64);
    reinterpret_cast<float*>(input.data())[2 * (10 * what.n + 5)] = NAN;
    const std::vector<float> output = run(*plan, input, 64, 64);
    for (std::size_t i = 0; i < output.size(); ++i)
        if (i / row_floats(what) == 10)
            ASSERT_TRUE(std::isnan(output[i])) << i;
        else
            ASSERT_EQ(output[i], clean[i]) << i;
}

TEST_F(CudaGpu, EnqueuedWorkEqualsExecuted)
{
    for (const char* text : { "c2c_forward_n1000_b1_cs16_hop300_window_shiftout",
                              "c2c_forward_n512_b1_power_avg9",
                              "c2c_inverse_n64_b1_hop100" }) {
        const problem what = problem::from_string(text);
        const std::size_t frames = 321;
        const plan::uptr plan = plan::make(what, ON_GPU);
        const std::vector<std::uint8_t> input =
            random_samples(what, plan->input_samples(frames));
        const std::vector<float> expected = run(*plan, input, frames, frames);
        plan->reset_average();

        const device_context& context = device_context::get(0);
        const device_context::scope scope(context);
        const stream_uptr stream = make_stream(context);
        memory_buffer dev_input(context, memory_kind::device);
        memory_buffer dev_output(context, memory_kind::device);
        std::vector<float> output(expected.size(), NAN);
        dev_input.reserve(input.size());
        dev_output.reserve(output.size() * sizeof(float));
        GPUFFT_CUDA(cuMemcpyHtoD(dev_input.device(), input.data(), input.size()));
        GPUFFT_CUDA(cuCtxSynchronize());
        const std::size_t rows =
            plan->enqueue(dev_input.as(), dev_output.as(), frames, stream.get());
        GPUFFT_CUDA(cuStreamSynchronize(stream.get()));
        GPUFFT_CUDA(cuMemcpyDtoH(
            output.data(), dev_output.device(), output.size() * sizeof(float)));
        EXPECT_EQ(rows * row_floats(what), expected.size());
        // With averaging the partial sums may be grouped in another way.
        for (std::size_t i = 0; i < output.size(); ++i)
            ASSERT_NEAR(output[i], expected[i], 1e-5 * std::abs(expected[i])) << text;
    }
}

TEST_F(CudaGpu, PlansWorkInManyThreads)
{
    std::vector<problem> problems;
    for (int copy = 0; copy < 8; ++copy)
        for (const char* text :
             { "c2c_forward_n1024_b1",
               "c2c_forward_n256_b1_cs16_window_decibel_shiftout_avg10" })
            problems.push_back(problem::from_string(text));
    check_all(problems, 5000, 1234);
}

TEST_F(CudaGpu, RefusesWhatItDoesNotHave)
{
    plan_options options = ON_GPU;
    options.device = static_cast<int>(query_cuda().devices.size());
    EXPECT_THROW(plan::make(problem::from_string("c2c_forward_n64_b1"), options),
                 std::invalid_argument);
    options.device = -1;
    EXPECT_THROW(plan::make(problem::from_string("c2c_forward_n64_b1"), options),
                 std::invalid_argument);
    try {
        plan::make(problem::from_string("c2c_forward_n8191_b1_algorithm=stockham"),
                   ON_GPU);
        FAIL() << "made a Stockham plan for a prime";
    } catch (const std::invalid_argument& error) {
        EXPECT_NE(std::string(error.what()).find("8191"), std::string::npos)
            << error.what();
    }
}

TEST_F(CudaGpu, DescriptionNamesWhatRuns)
{
    const plan::uptr plan = plan::make(
        problem::from_string("c2c_forward_n4096_b1_cs16_hop2048_window_decibel_avg100"),
        ON_GPU);
    const std::string text = plan->describe();
    std::printf("    %s\n", text.c_str());
    for (const std::string& part : { std::string("stockham(4096"),
                                     std::string("load cs16 window hop(2048)"),
                                     std::string("store power mean(100) decibel"),
                                     query_cuda().devices[0].name })
        EXPECT_NE(text.find(part), std::string::npos) << part << " is not in " << text;
}

#endif // GPUFFT_HAVE_CUDA
