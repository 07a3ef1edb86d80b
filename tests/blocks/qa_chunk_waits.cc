// SPDX-License-Identifier: GPL-3.0-or-later
//
// How a block waits for the chunks of a slow stream: its vectors arrive one at a time,
// and the tests control the time of the host and of the device.

#include "device_test.h"
#include "engine/poll_rhythm.h"
#include "stages.h"
#include "test_blocks.h"
#include <chrono>
#include <cstring>
#include <gnuradio/io_signature.h>
#include <thread>

namespace gr {
namespace gpufft {

namespace {

constexpr double US = 1e-6;
constexpr double ASK = simulation::ASK_SECONDS, LATE = simulation::LATE_SECONDS;
constexpr std::size_t SMALL_N = 1024;  // 8 KiB: a kernel reaches them in host memory
constexpr std::size_t LARGE_N = 16384; // 128 KiB: copies up and down
constexpr int VECTORS = 200;
constexpr double TIMEOUT = 10;

// Sends a vector some time after the sink has got the one before.
class slow_source : public sync_block
{
public:
    slow_source(const stream_data& what,
                std::shared_ptr<const recording_sink> sink,
                double gap)
        : sync_block("slow_source",
                     io_signature::make(0, 0, 0),
                     io_signature::make(1, 1, static_cast<int>(what.item_bytes))),
          d_what(what),
          d_sink(std::move(sink)),
          d_gap(gap)
    {
    }
    int work(int, gr_vector_const_void_star&, gr_vector_void_star& outputs) override
    {
        while (d_sink->count() < d_sent)
            std::this_thread::sleep_for(std::chrono::microseconds(20));
        if (d_sent == d_what.count())
            return WORK_DONE;
        simulation::spend(d_gap);
        std::memcpy(outputs[0],
                    d_what.items.data() + d_sent++ * d_what.item_bytes,
                    d_what.item_bytes);
        return 1;
    }

private:
    const stream_data d_what;
    const std::shared_ptr<const recording_sink> d_sink;
    const double d_gap;
    std::size_t d_sent = 0;
};

} // namespace

class ChunkWaits : public DeviceTest
{
protected:
    ChunkWaits() { gr::logging::singleton().set_default_level(spdlog::level::off); }

    void SetUp() override
    {
        test_devices::compute_in_host_memory(true);
        simulation::control_waits(true);
    }

    // Each copy or transform takes `seconds`.
    void run(std::size_t n, double seconds, double gap, const char* on_error = "stop")
    {
        simulation::set_speed({ seconds });
        random_source random(1);
        const stream_data data = random_floats(random, VECTORS, 2 * n);
        const stage fft = make_fft({ n }, { { 0 }, on_error, TIMEOUT });
        const auto sink = std::make_shared<recording_sink>(fft.out_bytes);
        const auto source = std::make_shared<slow_source>(data, sink, gap);
        const auto flowgraph = make_top_block("slow");
        const stream_data expected =
            connect_chain(flowgraph, source, data, { fft }, { 100 }, sink);
        const double begin = simulation::host_clock();
        EXPECT_TRUE(runs(flowgraph));
        d_seconds = simulation::host_clock() - begin;
        EXPECT_EQ(difference(expected, sink->received(), false), "");
        EXPECT_EQ(fft.ours[0]->error(), "");
        d_engine = fft.ours[0]->engine();
        d_now = simulation::waited();
    }

    // Questions that followed no sleep, nor began a wait.
    long spins() const { return d_now.asks - d_now.sleeps - d_now.waits; }

    simulation::waits d_now;
    double d_seconds = 0;
    std::string d_engine;
};

TEST_F(ChunkWaits, SmallOnesAreSeenAtOnce)
{
    run(SMALL_N, 12 * US, 88 * US);
    EXPECT_EQ(test_devices::copies(), 0);
    EXPECT_EQ(d_now.waits, VECTORS);
    EXPECT_EQ(d_now.sleeps, 0);
    EXPECT_LE(d_now.most_late, 2 * ASK);
}

TEST_F(ChunkWaits, LargeOnesTakeFewQuestions)
{
    constexpr double CHUNK = 300 * US; // up, transform, down
    // Two spins, until two waits are known.
    constexpr long AT_FIRST = 2 * static_cast<long>(poll_rhythm::MOST_CREDIT / ASK) + 2;
    run(LARGE_N, CHUNK / 3, 88 * US);
    EXPECT_EQ(test_devices::copies(), 2 * VECTORS);
    EXPECT_EQ(d_now.waits, VECTORS);
    EXPECT_GE(d_now.sleeps, VECTORS);
    EXPECT_LE(spins(), AT_FIRST);
    EXPECT_LE(d_now.asks, 4 * VECTORS + AT_FIRST);
    EXPECT_LE(d_now.most_late, CHUNK / 8 + LATE + 2 * ASK);
}

// Vectors that arrive faster than a block may spin for them.
TEST_F(ChunkWaits, SpinsTakeLessThanAFifthOfTheTime)
{
    run(SMALL_N, 12 * US, 2 * US);
    EXPECT_EQ(d_now.waits, VECTORS);
    EXPECT_GT(d_now.sleeps, VECTORS / 4);
    EXPECT_GT(spins(), VECTORS);
    EXPECT_LE(spins() * ASK,
              d_seconds / 5 + poll_rhythm::MOST_CREDIT + 0.5 * ASK * VECTORS);
    EXPECT_LE(d_now.most_late, poll_rhythm::LEAST_SLEEP + LATE + 2 * ASK);
}

// A failure while the stream is slow loses no vector.
TEST_F(ChunkWaits, TheCpuGoesOnAfterAFault)
{
    for (const auto fault :
         { simulation::fault::once, simulation::fault::asynchronous }) {
        test_devices::reset();
        SetUp();
        simulation::fail(fault, 400);
        run(SMALL_N, 12 * US, 88 * US, "cpu");
        EXPECT_TRUE(simulation::struck());
        EXPECT_EQ(d_engine, "cpu");
        EXPECT_GT(d_now.waits, VECTORS / 10);
        EXPECT_LT(d_now.waits, VECTORS);
    }
}

} // namespace gpufft
} // namespace gr
