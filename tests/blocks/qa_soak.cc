// SPDX-License-Identifier: GPL-3.0-or-later
//
// A flowgraph with all kinds of edges that runs for long: no wrong sample, and the
// process does not grow. GPUFFT_TEST_SOAK_MINUTES says how long.

#include "device_test.h"
#include "stages.h"
#include "test_blocks.h"
#include <algorithm>
#include <chrono>
#include <thread>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t N = 256;

// Sanitizers keep what was released.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool SANITIZED = true;
#else
constexpr bool SANITIZED = false;
#endif

struct usage {
    std::size_t bytes = private_bytes();
    int open = descriptors();
    int running = threads();
    int objects = test_devices::live().total();
};

} // namespace

class Soak : public DeviceTest
{
protected:
    // Connects stage after stage, with small buffers: they are in use from end to end
    // soon.
    void add(const gr::basic_block_sptr& from,
             stream_data data,
             const std::vector<stage>& stages)
    {
        gr::basic_block_sptr last = from;
        for (const stage& each : stages) {
            if (const auto block = std::dynamic_pointer_cast<gr::block>(each.block))
                block->set_max_output_buffer((1 << 20) / each.out_bytes);
            d_flowgraph->connect(last, 0, each.block, 0);
            last = each.block;
            data = each.expect(data);
            d_ours.insert(d_ours.end(), each.ours.begin(), each.ours.end());
        }
        data.tags.clear();
        d_sinks.push_back(std::make_shared<periodic_sink>(data));
        d_flowgraph->connect(last, 0, d_sinks.back(), 0);
    }

    void check()
    {
        for (const auto& sink : d_sinks)
            ASSERT_EQ(sink->wrong(), 0u);
        for (const auto& block : d_ours)
            ASSERT_EQ(block->error(), "");
        ASSERT_EQ(test_devices::violations(), std::vector<std::string>());
    }

    top_block_sptr d_flowgraph = make_top_block("soak");
    std::vector<std::shared_ptr<engine_block>> d_ours;
    std::vector<std::shared_ptr<periodic_sink>> d_sinks;
};

TEST_F(Soak, NothingGrows)
{
    typedef std::chrono::steady_clock steady;
    const double seconds = 60 * environment("GPUFFT_TEST_SOAK_MINUTES", 1.0 / 3);
    random_source random(5);
    stream_data data = random_floats(random, 60, 2 * N); // whole means in a period
    add_random_tags(random, data, 30);
    {
        test_devices::set_speed({ 2e-5, 0, 1 });
        const auto source = std::make_shared<scripted_source>(data, pace{}, 0);
        source->set_max_output_buffer((1 << 20) / data.item_bytes);
        const stage first = make_fft({ N });
        const stream_data spectrum = first.expect(data);
        add(source, data, { first });
        add(first.block, spectrum, { make_fft({ N, false, false }) });
        add(first.block,
            spectrum,
            { make_fft({ N, false, false, true }, { { 0 }, "cpu" }), make_fft({ N }) });
        add(first.block,
            spectrum,
            { make_vector_to_stream(sizeof(gr_complex), N),
              make_spectrum({ N, sample_format::cf32, N, 5, true }) });
        d_flowgraph->start();
        const auto begin = steady::now();
        const auto elapsed = [&] {
            return std::chrono::duration<double>(steady::now() - begin).count();
        };
        while (elapsed() < std::min(120.0, seconds / 2)) // until all memory is in use
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        const usage then;
        const auto is_little = [&] { // on a busy machine
            return std::any_of(d_sinks.begin(), d_sinks.end(), [](const auto& sink) {
                return sink->count() <= 1000;
            });
        };
        while ((elapsed() < seconds || (is_little() && elapsed() < 100 + 10 * seconds)) &&
               !HasFatalFailure()) {
            std::this_thread::sleep_for(std::chrono::milliseconds(200));
            check();
        }
        const usage now;
        d_flowgraph->stop();
        d_flowgraph->wait();
        check();
        if (!SANITIZED) {
            EXPECT_LT(now.bytes, then.bytes + (std::size_t(4) << 20));
        }
        EXPECT_LE(now.open, then.open);
        EXPECT_LE(now.running, then.running);
        EXPECT_LT(now.objects, then.objects + 100); // events of chunks on their way
        for (const auto& sink : d_sinks) {
            EXPECT_GT(sink->count(), 1000u);
            tally("items checked", sink->count());
        }
        std::printf("%.0f s: %.1f -> %.1f MiB, %d -> %d descriptors, %d -> %d threads, "
                    "%d -> %d objects, %.3g items\n",
                    elapsed(),
                    then.bytes / 1048576.0,
                    now.bytes / 1048576.0,
                    then.open,
                    now.open,
                    then.running,
                    now.running,
                    then.objects,
                    now.objects,
                    static_cast<double>(d_sinks[0]->count()));
    }
    d_flowgraph.reset();
    d_ours.clear();
    d_sinks.clear();
}

} // namespace gpufft
} // namespace gr
