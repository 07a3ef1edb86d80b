// SPDX-License-Identifier: GPL-3.0-or-later
//
// The GPU kernels themselves, executed by fibers, against FFTW in double precision.

#include "engine/step_arguments.h"
#include "host/guarded_memory.h"
#include "host/host_kernels.h"
#include "host/host_plan.h"
#include "host_problems.h"
#include "on_host/bulk_copy_on_host.h"
#include "planner/planner.h"
#include "reference_dft.h"
#include "stream_moves.h"

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
    EXPECT_LT(relative_error(what, output.data(), expected),
              error_bound(what, kernel_error_factor(what)));

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

namespace {

// One thread of a kernel of this name does that.
void run_thread(const std::function<void()>& kernel)
{
    host_grid grid;
    grid.shared_bytes = 64;
    grid.kernel = "example_kernel<8>";
    launch_on_host(grid, kernel);
}

void expect_refused(const char* why, const std::function<void()>& kernel)
{
    try {
        run_thread(kernel);
        ADD_FAILURE() << "did not refuse: " << why;
    } catch (const std::logic_error& error) {
        EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
        EXPECT_EQ(
            std::string(error.what()).find("example_kernel<8>, block 0, thread 0: "), 0u)
            << error.what();
    }
}

} // namespace

TEST(HostLaunch, CopiesThatTheCardRefusesAreReported)
{
    alignas(16) static unsigned char memory[64];
    const auto shared = [] { return kernels::shared_memory<unsigned char>(); };
    const auto points = [](unsigned char* at) {
        return reinterpret_cast<kernels::complex*>(at);
    };
    static kernels::transfer_barrier* barrier;
    const auto load = [&](int to, int from, int bytes) {
        barrier = reinterpret_cast<kernels::transfer_barrier*>(shared() + 32);
        kernels::start_barrier(barrier, 1);
        kernels::start_bulk_load(
            points(shared() + to), points(memory + from), bytes, barrier);
    };
    run_thread([&] { load(16, 32, 16); });
    run_thread([&] { kernels::start_bulk_store(points(memory), points(shared()), 32); });
    run_thread([&] { kernels::start_copy(points(shared()), points(memory + 8)); });
    expect_refused("the source of a bulk copy", [&] { load(0, 8, 16); });
    expect_refused("the destination of a bulk copy", [&] { load(8, 0, 16); });
    expect_refused("the size of a bulk copy is 24, which is no multiple of 16",
                   [&] { load(0, 0, 24); });
    expect_refused("the source of a copy",
                   [&] { kernels::start_copy(points(shared()), points(memory + 4)); });
    expect_refused("the destination of a copy",
                   [&] { kernels::start_copy(points(shared() + 4), points(memory)); });
    expect_refused("the address of a barrier", [&] {
        kernels::start_barrier(reinterpret_cast<kernels::transfer_barrier*>(shared() + 4),
                               1);
    });
}

TEST(HostLaunch, AnAccessOutsideItsMemoryNamesTheKernel)
{
    guarded_vector<float> table(16);
    const volatile float* const first = table.data();
    run_thread([&] { EXPECT_EQ(first[0] + first[15], 0.0f); });
    EXPECT_DEATH(run_thread([&] { static_cast<void>(first[18]); }),
                 "example_kernel<8>, block 0, thread 0: an access to 8 bytes behind the "
                 "end of 64 bytes");
    const volatile float* const long_before = first - 4096 / sizeof(float);
    EXPECT_DEATH(run_thread([&] { static_cast<void>(*long_before); }),
                 "example_kernel<8>.*4096 bytes before the beginning of 64 bytes");
}

// Each thread reads and stores its own points.
static recipe threads_alone()
{
    return recipe::from_text("stockham 64 1 0 0 64x1:8.8/8/1/0/0");
}

static problem of_64_points() { return problem::from_string("c2c_forward_n64_b1"); }

// Kernels of the build's own are compiled so that they do.
TEST(HostEngine, AnAccessThatIsNotAlignedNamesTheKernel)
{
    std::vector<std::complex<float>> input(65), output(65);
    const auto at = [](auto& memory, int bytes) {
        return reinterpret_cast<char*>(memory.data()) + bytes;
    };
    host_plan plan(of_64_points(), threads_alone());
    plan.execute(at(input, 8), at(output, 8), 1);
    const char* const message = "_kernel<.*, block 0, thread 0: an address that is not a "
                                "multiple of its type's size";
    EXPECT_DEATH(plan.execute(at(input, 4), output.data(), 1), message);
    EXPECT_DEATH(plan.execute(input.data(), at(output, 4), 1), message);
}

// A right kernel, which is given too little memory.
TEST(HostEngine, ReadsBehindSamplesAndTablesNameTheKernel)
{
    const kernel_instance kernel =
        build_program(of_64_points(), threads_alone()).steps.front().kernel;
    const auto launch = [&](std::size_t samples, std::size_t roots) {
        const guarded_vector<kernels::complex> input(samples), twiddles(roots);
        guarded_vector<kernels::complex> output(64);
        kernels::transform_arguments arguments = {};
        arguments.input = input.data();
        arguments.output = output.data();
        arguments.twiddles = twiddles.data();
        arguments.frames = 1;
        arguments.hop = 64;
        host_grid grid;
        grid.threads = unsigned(kernel.block_threads);
        grid.shared_bytes = kernel.shared_bytes;
        grid.kernel = kernel.expression();
        launch_on_host(grid, [&] { find_host_kernel(kernel)(&arguments); });
    };
    launch(64, 64);
    EXPECT_DEATH(launch(62, 64), "stockham_kernel<.*bytes behind the end of 496 bytes");
    EXPECT_DEATH(launch(64, 40), "stockham_kernel<.*bytes behind the end of 320 bytes");
}

TEST(HostEngine, RowsBecomeStreamsAndStreamsRows)
{
    for (const std::size_t item_bytes : { 1, 2, 4, 8 }) {
        std::vector<std::unique_ptr<guarded_vector<char>>> memories;
        expect_stream_moves(
            item_bytes,
            [&](std::size_t bytes) {
                memories.push_back(std::make_unique<guarded_vector<char>>(bytes));
                return memories.back()->data();
            },
            [&](const async_device::stream_move& how, bool to_streams) {
                const kernel_instance kernel =
                    to_streams ? vectors_to_streams_kernel(item_bytes)
                               : streams_to_vectors_kernel(item_bytes);
                const kernels::streams_arguments arguments = streams_arguments_of(how);
                host_grid grid;
                grid.blocks_x = 3;
                grid.threads = unsigned(kernel.block_threads);
                grid.shared_bytes = kernel.shared_bytes;
                grid.kernel = kernel.expression();
                launch_on_host(grid, [&] { find_host_kernel(kernel)(&arguments); });
            });
    }
}
