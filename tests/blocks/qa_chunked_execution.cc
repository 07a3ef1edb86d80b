// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs in chunks from host memory to host memory, on a simulated device whose work is to
// copy the last frame of each row.

#include "device_test.h"
#include "engine/chunked_execution.h"
#include "simulated_device.h"
#include <numeric>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t N = 4;

class ChunkedExecution : public DeviceTest
{
protected:
    static chunked_run run_of(std::size_t hop, std::size_t frames, std::size_t chunk)
    {
        chunked_run run;
        run.layout.n = run.layout.bins = N;
        run.layout.hop = hop;
        run.layout.sample_bytes = run.layout.bin_bytes = sizeof(float);
        run.frames = frames;
        run.chunk = chunk;
        return run;
    }

    // Frame f and bin k of its row are sample f * hop + k, which is f * hop + k + 1.
    static void execute(const chunked_run& run, std::vector<float>& output)
    {
        std::vector<float> input(run.frames * run.layout.hop + N);
        std::iota(input.begin(), input.end(), 1.0f);
        chunk_pipeline with(make_simulated_device(0));
        reserve_chunks(run, with);
        execute_chunks(run,
                       with,
                       input.data(),
                       output.data(),
                       [&](const void* in,
                           void* out,
                           std::size_t frames,
                           std::size_t before,
                           void*) {
                           const std::size_t average = run.layout.average;
                           for (std::size_t f = 0; f < frames; ++f)
                               if ((before + f + 1) % average == 0)
                                   with.device()->copy(with.compute(),
                                                       static_cast<float*>(out) +
                                                           (before + f) / average * N,
                                                       static_cast<const float*>(in) +
                                                           f * run.layout.device_hop(),
                                                       N * sizeof(float));
                       });
    }
};

} // namespace

TEST_F(ChunkedExecution, FramesAreContiguousOverlapOrLieApart)
{
    for (std::size_t hop : { 1, 4, 7 })
        for (std::size_t frames : { 1, 3, 4, 11 })
            for (std::size_t chunk : { 1, 2, 4, 20 }) {
                std::vector<float> output(frames * N);
                execute(run_of(hop, frames, chunk), output);
                for (std::size_t f = 0; f < frames; ++f)
                    for (std::size_t k = 0; k < N; ++k)
                        ASSERT_EQ(output[f * N + k], f * hop + k + 1)
                            << hop << " " << frames << " " << chunk;
            }
}

TEST_F(ChunkedExecution, BinsHavePlaces)
{
    constexpr std::size_t FRAMES = 11;
    chunked_run run = run_of(N, FRAMES, 3);
    for (const bool rows_first : { true, false }) {
        run.distance = rows_first ? 1 : 2 * N;
        run.places.resize(N);
        for (std::size_t k = 0; k < N; ++k)
            run.places[k] = rows_first ? k * FRAMES : 2 * k;
        std::vector<float> output(FRAMES * 2 * N, -1);
        execute(run, output);
        std::size_t untouched = output.size();
        for (std::size_t f = 0; f < FRAMES; ++f)
            for (std::size_t k = 0; k < N; ++k, --untouched)
                ASSERT_EQ(output[f * run.distance + run.places[k]], f * N + k + 1);
        EXPECT_EQ(std::count(output.begin(), output.end(), -1), untouched);
    }
}

TEST_F(ChunkedExecution, RowsOfSeveralFramesGoOnInTheNextChunk)
{
    for (std::size_t before : { 0, 1, 2 }) {
        chunked_run run = run_of(N, 10, 2);
        run.layout.average = 3;
        run.frames_in_row = before;
        std::vector<float> output((before + 10) / 3 * N);
        execute(run, output);
        for (std::size_t i = 0; i < output.size(); ++i)
            ASSERT_EQ(output[i], ((i / N + 1) * 3 - 1 - before) * N + i % N + 1);
    }
}

TEST_F(ChunkedExecution, NothingIsInFlightAfterAnError)
{
    for (long call = 1; call < 60; ++call) {
        simulation::reset();
        simulation::fail(simulation::fault::once, call);
        std::vector<float> output(11 * N);
        EXPECT_THROW(execute(run_of(N, 11, 2), output), cuda_error) << call;
    }
    simulation::reset();
}

} // namespace gpufft
} // namespace gr
