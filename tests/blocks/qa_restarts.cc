// SPDX-License-Identifier: GPL-3.0-or-later
//
// Start and stop, lock and unlock, over and over, with work in flight: no wrong sample,
// no hang, and nothing is left behind.

#include "device_test.h"
#include "stages.h"
#include "stream/live_plan.h"
#include "test_blocks.h"
#include <chrono>
#include <gnuradio/gpufft/fft_pdu.h>
#include <thread>

namespace gr {
namespace gpufft {

namespace {

constexpr int TIMES = 200;
constexpr std::size_t N = 64;

typedef std::chrono::steady_clock steady;

double seconds_since(steady::time_point begin)
{
    return std::chrono::duration<double>(steady::now() - begin).count();
}

void sleep_up_to(random_source& random, int microseconds)
{
    std::this_thread::sleep_for(std::chrono::microseconds(pick(random, 0, microseconds)));
}

} // namespace

// Endless source -> FFT -> inverse FFT -> sink, and FFT -> samples -> power spectrum ->
// sink.
class Restarts : public DeviceTest
{
protected:
    Restarts()
    {
        random_source random(7);
        stream_data data = random_floats(random, 300, 2 * N);
        add_random_tags(random, data, 20);
        d_source = std::make_shared<scripted_source>(data, pace{}, 0);
        d_stages = { make_fft({ N }),
                     make_fft({ N, false, false }),
                     make_vector_to_stream(sizeof(gr_complex), N),
                     make_spectrum({ N, sample_format::cf32, N, 5, false }) };
        for (const stage& each : d_stages)
            std::dynamic_pointer_cast<gr::block>(each.block)
                ->set_max_output_buffer(100 * N);
        const stream_data spectrum = d_stages[0].expect(data);
        d_expected[0] = d_stages[1].expect(spectrum);
        d_expected[1] = d_stages[3].expect(d_stages[2].expect(spectrum));
        for (int i : { 0, 1 })
            d_sinks[i] =
                std::make_shared<recording_sink>(d_expected[i].item_bytes, pace{}, 3000);
        d_flowgraph->connect(d_source, 0, d_stages[0].block, 0);
        d_flowgraph->connect(d_stages[0].block, 0, d_stages[1].block, 0);
        d_flowgraph->connect(d_stages[1].block, 0, d_sinks[0], 0);
        connect_second();
    }

    void connect_second()
    {
        d_flowgraph->connect(d_stages[0].block, 0, d_stages[2].block, 0);
        d_flowgraph->connect(d_stages[2].block, 0, d_stages[3].block, 0);
        d_flowgraph->connect(d_stages[3].block, 0, d_sinks[1], 0);
    }
    void disconnect_second()
    {
        d_flowgraph->disconnect(d_stages[0].block, 0, d_stages[2].block, 0);
        d_flowgraph->disconnect(d_stages[2].block, 0, d_stages[3].block, 0);
        d_flowgraph->disconnect(d_stages[3].block, 0, d_sinks[1], 0);
    }

    void check(int sink, const stream_data& received)
    {
        ASSERT_EQ(
            difference(repeated(d_expected[sink], received.count()), received, true), "")
            << "sink " << sink;
    }
    void check_blocks()
    {
        for (const stage& each : d_stages)
            for (const auto& block : each.ours)
                ASSERT_EQ(block->error(), "");
        ASSERT_EQ(test_devices::violations(), std::vector<std::string>());
    }

    void TearDown() override
    {
        d_flowgraph.reset();
        d_stages.clear();
        d_source.reset();
        d_sinks[0].reset();
        d_sinks[1].reset();
        DeviceTest::TearDown();
    }

    bool all_have_begun(bool two) const
    {
        constexpr std::uint64_t ITEMS = 10;
        return d_sinks[0]->count() > ITEMS && (!two || d_sinks[1]->count() > ITEMS);
    }

    void stop_and_check()
    {
        d_flowgraph->stop();
        d_flowgraph->wait();
        check(0, d_sinks[0]->received());
        check(1, d_sinks[1]->received());
        check_blocks();
    }

    random_source d_random{ 11 };
    top_block_sptr d_flowgraph = make_top_block("restarts");
    std::vector<stage> d_stages;
    std::shared_ptr<scripted_source> d_source;
    std::shared_ptr<recording_sink> d_sinks[2];
    stream_data d_expected[2];
};

TEST_F(Restarts, StartAndStop)
{
    int kept = test_devices::live().plans; // and what a card's plans hold
    std::uint64_t items = 0;
    int descriptors_then = 0, threads_then = 0;
    for (int i = 0; i < TIMES; i++) {
        SCOPED_TRACE("start " + std::to_string(i));
        test_devices::set_speed({ i % 3 * 2e-4, 0, 1 });
        test_devices::refuse_registration(i % 5 == 4);
        tally("starts");
        d_flowgraph->start();
        const auto started = steady::now();
        sleep_up_to(d_random, 12000);
        while (i % 4 == 0 && d_sinks[0]->count() == 0 && seconds_since(started) < 100)
            sleep_up_to(d_random, 1000);
        stop_and_check();
        if (HasFatalFailure())
            return;
        if (i <= TIMES / 10 && test_devices::are_cards()) // plans grow with their calls
            kept = test_devices::live().total();
        ASSERT_EQ(test_devices::live().total(), kept); // all else is released
        items += d_sinks[0]->count();
        if (i == TIMES / 10) {
            descriptors_then = descriptors();
            threads_then = threads();
        }
    }
    EXPECT_GT(items, std::uint64_t(TIMES));
    EXPECT_LE(descriptors(), descriptors_then);
    EXPECT_LE(threads_left(threads_then), threads_then);
}

// The stream starts anew at every unlock(): GNU Radio drops what is in its buffers, and
// the source begins at its beginning.
TEST_F(Restarts, LockAndUnlock)
{
    d_flowgraph->start();
    bool connected = true;
    std::uint64_t items[2] = { 0, 0 };
    int objects_then = 0, threads_then = 0;
    for (int i = 0; i < TIMES; i++) {
        SCOPED_TRACE("unlock " + std::to_string(i));
        test_devices::set_speed({ i % 3 * 2e-4, 0, 1 });
        const auto started = steady::now();
        sleep_up_to(d_random, 12000);
        while (i % 4 == 0 && !all_have_begun(connected) && seconds_since(started) < 100)
            sleep_up_to(d_random, 1000);
        const bool two = connected;
        tally("locks");
        d_flowgraph->lock();
        if (i % 4 == 1) {
            connected ? disconnect_second() : connect_second();
            connected = !connected;
        }
        d_flowgraph->unlock();
        check(0, d_sinks[0]->received_before());
        items[0] += d_sinks[0]->received_before().count();
        if (two && connected) { // else it has not started again
            check(1, d_sinks[1]->received_before());
            items[1] += d_sinks[1]->received_before().count();
        }
        check_blocks();
        if (HasFatalFailure())
            break;
        if (i == TIMES / 10) {
            objects_then = test_devices::live().total();
            threads_then = threads();
        }
    }
    d_flowgraph->stop();
    d_flowgraph->wait();
    EXPECT_GT(items[0], std::uint64_t(TIMES));
    EXPECT_GT(items[1], std::uint64_t(TIMES / 5));
    EXPECT_LE(test_devices::live().total(), objects_then);
    EXPECT_LE(threads_left(threads_then), threads_then);
}

TEST_F(Restarts, StopWithSlowWorkInFlight)
{
    GPUFFT_ONLY_SIMULATED("a card cannot be slowed down");
    test_devices::set_speed({ 0.02, 0, 1 });
    for (int i = 0; i < 20; i++) {
        const long copies = test_devices::copies();
        d_flowgraph->start();
        while (test_devices::copies() == copies)
            std::this_thread::yield();
        sleep_up_to(d_random, 60000);
        stop_and_check();
        if (HasFatalFailure())
            return;
    }
}

// A card that broke in another's work is not there for "auto", until nobody is left on
// it.
TEST_F(DeviceTest, BurstsReturnToACardThatWasBroken)
{
    GPUFFT_ONLY_SIMULATED("a card that is broken stays so, see qa_card_faults");
    live_plan::s_make = [](const problem& what, const plan_options& options) {
        try {
            return test_devices::make_plan(what, options);
        } catch (const cuda_error&) {
            plan_options on_cpu = options;
            on_cpu.engine = engine_kind::cpu;
            return plan::make(what, on_cpu);
        }
    };
    const auto device = make_simulated_device(0);
    auto others = device->make_queue();
    test_devices::fail(test_devices::fault::lost, 1);
    EXPECT_THROW(device->make_queue(), cuda_error);
    const auto fft =
        fft_pdu::make(64, true, window_spec(), false, "complex", "auto", 0, "stop", 10);
    EXPECT_EQ(fft->engine(), "cpu");
    const auto flowgraph = make_top_block("bursts");
    flowgraph->msg_connect(fft, "pdu_out", fft, "pdu_in");
    for (const char* engine : { "cpu", "cuda" }) {
        flowgraph->start();
        flowgraph->stop();
        flowgraph->wait();
        EXPECT_EQ(fft->engine(), engine);
        others.reset();
    }
}

} // namespace gpufft
} // namespace gr
