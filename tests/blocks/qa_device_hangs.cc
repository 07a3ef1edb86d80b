// SPDX-License-Identifier: GPL-3.0-or-later
//
// Devices that do not end their work: what they were given is computed by the CPU, or the
// flowgraph ends, and what they do when they end it after all harms nobody. (See
// qa_device_faults for hangs at every call of some flowgraphs.)

#include "device_test.h"
#include "stages.h"
#include "stream/host_buffer.h"
#include "test_blocks.h"
#include <chrono>
#include <cmath>
#include <gnuradio/gpufft/fft_pdu.h>
#include <gnuradio/gpufft/fft_v.h>
#include <limits>
#include <pmt/pmt.h>
#include <thread>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t N = 64;
constexpr double TIMEOUT = 10; // seconds, as the devices' clocks show them

typedef simulation::fault fault;

void sleep_a_little() { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }

} // namespace

class DeviceHangs : public DeviceTest
{
protected:
    DeviceHangs() { gr::logging::singleton().set_default_level(spdlog::level::off); }
};

// The stream goes round its buffers many times when the device writes what it was told to
// long ago. It works on the pages that were registered, as cards do.
TEST_F(DeviceHangs, WorkThatEndsLateHarmsNobody)
{
    constexpr std::size_t FRAMES = 20000, AT_FIRST = 2000;
    random_source random(1);
    const stream_data data = random_floats(random, FRAMES, 2 * N);
    long late = 0;
    for (long call = 30; call < 90; call += 6) {
        test_devices::reset();
        const stage fft = make_fft({ N }, { { 0 }, "cpu", TIMEOUT });
        const auto source = std::make_shared<gated_source>(data, AT_FIRST);
        const auto sink = std::make_shared<recording_sink>(fft.out_bytes);
        source->set_max_output_buffer(100);
        const auto flowgraph = make_top_block("late");
        const stream_data expected =
            connect_chain(flowgraph, source, data, { fft }, { 100 }, sink);
        simulation::fail(fault::hangs, call);
        flowgraph->start();
        while (sink->count() < AT_FIRST)
            sleep_a_little();
        late += fft.ours[0]->engine() == "cpu";
        source->open();
        while (sink->count() < FRAMES / 2)
            sleep_a_little();
        simulation::release();
        EXPECT_TRUE(ends(flowgraph));
        EXPECT_EQ(difference(expected, sink->received(), false), "") << "call " << call;
        EXPECT_EQ(fft.ours[0]->error(), "");
    }
    EXPECT_GT(late, 5);
}

// Another device reads what the hung one's block writes: not from the pages that were
// registered.
TEST_F(DeviceHangs, ASoundDeviceReadsBehindAHungOne)
{
    constexpr std::size_t FRAMES = 5000;
    random_source random(2);
    const stream_data data = random_floats(random, FRAMES, 2 * N);
    for (long call = 40; call < 160; call += 15) {
        test_devices::reset();
        simulation::keep_apart(true); // the edge is in host memory
        const stage first = make_fft({ N }, { { 0 }, "cpu", TIMEOUT });
        const stage second = make_fft({ N, false, false }, { { 1 }, "cpu", TIMEOUT });
        const auto sink = std::make_shared<recording_sink>(second.out_bytes);
        const auto flowgraph = make_top_block("behind");
        const stream_data expected =
            connect_chain(flowgraph,
                          std::make_shared<scripted_source>(data, pace{ 50 }),
                          data,
                          { first, second },
                          { 200 },
                          sink);
        simulation::fail(fault::hangs, call);
        EXPECT_TRUE(runs(flowgraph));
        EXPECT_EQ(difference(expected, sink->received(), false), "") << "call " << call;
    }
}

// What the second block reads from device 0 has left it before device 1 has done it.
TEST_F(DeviceHangs, ADeviceBeforeAHungOneStaysSound)
{
    constexpr std::size_t FRAMES = 5000;
    random_source random(4);
    const stream_data data = random_floats(random, FRAMES, 2 * N);
    for (long call = 40; call < 400; call += 6) {
        test_devices::reset();
        const stage_options there = { { 1 }, "stop", TIMEOUT };
        const std::vector<stage> stages = { make_fft({ N }, { { 0 }, "stop", TIMEOUT }),
                                            make_fft({ N, false, false }, there),
                                            make_fft({ N }, there) };
        const auto sink = std::make_shared<recording_sink>(stages.back().out_bytes);
        const auto flowgraph = make_top_block("before");
        const stream_data expected =
            connect_chain(flowgraph,
                          std::make_shared<scripted_source>(data, pace{ 50 }),
                          data,
                          stages,
                          { 200 },
                          sink);
        simulation::fail(fault::hangs, call);
        EXPECT_TRUE(runs(flowgraph));
        EXPECT_EQ(difference(expected, sink->received(), true), "") << "call " << call;
        EXPECT_EQ(simulation::hanging(), 1) << "call " << call;
        const std::string error = stages[0].ours[0]->error();
        EXPECT_EQ(error.find("device 1"), std::string::npos) << error;
    }
}

TEST_F(DeviceHangs, NobodyUsesTheDeviceAnyMore)
{
    random_source random(3);
    const stream_data data = random_floats(random, 2000, 2 * N);
    const stage fft = make_fft({ N }, { { 0 }, "stop", TIMEOUT });
    for (const bool is_first : { true, false }) {
        const auto sink = std::make_shared<recording_sink>(fft.out_bytes);
        const auto flowgraph = make_top_block("stop");
        connect_chain(flowgraph,
                      std::make_shared<scripted_source>(data),
                      data,
                      { fft },
                      { 100 },
                      sink);
        if (is_first)
            simulation::fail(fault::hangs, 30);
        EXPECT_TRUE(runs(flowgraph));
        EXPECT_EQ(fft.ours[0]->error(),
                  "device 0 (simulated) hangs: it has not finished its work within "
                  "10 s (device_timeout); this process does not use it any more");
    }
    EXPECT_THROW(make_fft({ N }, { { 0 }, "stop", TIMEOUT }), cuda_error);
    EXPECT_NO_THROW(make_fft({ N }, { { 1 }, "stop", TIMEOUT }));
}

TEST_F(DeviceHangs, BurstsGoOnOnTheCpu)
{
    constexpr int BURSTS = 20;
    const auto fft = fft_pdu::make(
        N, true, window_spec(), false, "complex", "cuda", 0, "cpu", TIMEOUT);
    simulation::fail(fault::hangs, 7);
    const auto flowgraph = make_top_block("bursts");
    const auto reader = fft_pdu::make(
        N, false, window_spec(), false, "complex", "cpu", 0, "stop", TIMEOUT);
    flowgraph->msg_connect(fft, "pdu_out", reader, "pdu_in");
    flowgraph->start();
    const pmt::pmt_t burst =
        pmt::cons(pmt::make_dict(), pmt::make_c32vector(N, gr_complex(1, 0)));
    for (int i = 0; i < BURSTS; ++i)
        fft->_post(pmt::mp("pdu_in"), burst);
    while (reader->statistics().frames < BURSTS && fft->error().empty())
        sleep_a_little();
    flowgraph->stop();
    flowgraph->wait();
    EXPECT_EQ(fft->error(), "");
    EXPECT_EQ(fft->engine(), "cpu");
    EXPECT_EQ(fft->dropped(), 0u);
}

TEST_F(DeviceHangs, TheTimeoutHasARange)
{
    const double infinity = std::numeric_limits<double>::infinity();
    for (const double seconds : { -1.0, -infinity, infinity, std::nan("") }) {
        try {
            make_fft({ N }, { { 0 }, "stop", seconds });
            ADD_FAILURE() << seconds;
        } catch (const std::invalid_argument& error) {
            EXPECT_NE(std::string(error.what()).find("device_timeout is "),
                      std::string::npos);
            EXPECT_NE(std::string(error.what()).find("must be a finite number >= 0"),
                      std::string::npos);
        }
    }
    EXPECT_NO_THROW(make_fft({ N }, { { 0 }, "stop", 0 }));
}

} // namespace gpufft
} // namespace gr
