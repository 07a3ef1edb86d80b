// SPDX-License-Identifier: GPL-3.0-or-later
//
// Synthesizers with a stream for each channel: from host memory, from the card, from
// both, with buffers of several sizes, where memory cannot be registered, with cards that
// take turns or fail, and with a map that changes.

#include "streams_test.h"
#include "test_blocks.h"
#include <cmath>
#include <cstring>
#include <gnuradio/gpufft/pfb_synthesizer.h>
#include <thread>

namespace gr {
namespace gpufft {

namespace {

// Of these channels of vectors the samples with the other sign, as make_function() gives.
stream_data negated(stream_data vectors, const std::function<bool(int)>& is_negated)
{
    for (std::size_t i = 0; i < vectors.items.size(); i += sizeof(float))
        if (is_negated(int(i / sizeof(gr_complex) % CHANNELS))) {
            float value;
            std::memcpy(&value, &vectors.items[i], sizeof(value));
            value = -value;
            std::memcpy(&vectors.items[i], &value, sizeof(value));
        }
    return vectors;
}

// The other channels have no stream.
stream_data first_channels(stream_data vectors, int channels)
{
    for (std::size_t i = 0; i < vectors.items.size(); i += sizeof(gr_complex))
        if (int(i / sizeof(gr_complex) % CHANNELS) >= channels)
            std::memset(&vectors.items[i], 0, sizeof(gr_complex));
    return vectors;
}

} // namespace

class SynthesisStreams : public StreamsTest
{
protected:
    static constexpr std::size_t ROWS = 40000;

    // For each port source -> synthesizer, with a block on the card in between if
    // has_writer(port). Port 3's buffer holds at most `buffer` items, others more. The
    // call of a card fails once all blocks are made.
    void run(const std::function<bool(int)>& has_writer,
             int buffer,
             const stage_options& how = {},
             test_devices::fault fault = test_devices::fault::none,
             long call = 0)
    {
        random_source random(5);
        stream_data data = random_floats(random, ROWS, 2 * CHANNELS);
        if (d_connected == CHANNELS)
            add_random_tags(random, data, 30);
        d_block = make_synthesizer_streams({ CHANNELS, 4, 21 }, how);
        const top_block_sptr flowgraph = make_top_block("streams");
        const auto sink = std::make_shared<recording_sink>(sizeof(gr_complex));
        d_neighbours.clear();
        for (int port = 0; port < d_connected; ++port) {
            const auto source =
                std::make_shared<scripted_source>(stream_of_port(data, CHANNELS, port));
            const int items = buffer * ((port + 2) % CHANNELS + 1);
            source->set_max_output_buffer(items);
            basic_block_sptr before = source;
            if (has_writer(port)) {
                d_neighbours.push_back(make_function({ 2 }, how));
                before = d_neighbours.back().block;
                flowgraph->connect(source, 0, before, 0);
                std::dynamic_pointer_cast<gr::block>(before)->set_max_output_buffer(
                    items);
            }
            flowgraph->connect(before, 0, d_block.block, port);
        }
        flowgraph->connect(d_block.block, 0, sink, 0);
        const stream_data expected =
            d_block.expect(first_channels(negated(data, has_writer), d_connected));
        if (call > 0)
            test_devices::fail(fault, call);
        for (int runs = 0; runs < (call > 0 ? 1 : 2); ++runs) { // it can start again
            ASSERT_TRUE(gr::gpufft::runs(flowgraph));
            EXPECT_EQ(difference(expected, sink->received(), false), "");
        }
    }

    std::uint64_t bytes_down_of_writers() const
    {
        std::uint64_t bytes = 0;
        for (const stage& each : d_neighbours)
            bytes += each.ours[0]->statistics().bytes_down;
        return bytes;
    }
};

TEST_F(SynthesisStreams, FromHostToHost)
{
    run(never, 8192);
    EXPECT_GE(statistics().bytes_up, ROWS * CHANNELS * sizeof(gr_complex));
    EXPECT_EQ(statistics().input_edge,
              "host: no writer is a block of this module on a card");
    run(never, 4300);
}

TEST_F(SynthesisStreams, StayOnTheCard)
{
    run(always, 8192);
    EXPECT_EQ(statistics().bytes_up, 0u);
    EXPECT_EQ(bytes_down_of_writers(), 0u);
    run(always, 4300);
}

TEST_F(SynthesisStreams, SomeComeFromTheCard)
{
    run(odd, 8192);
    EXPECT_EQ(bytes_down_of_writers(), 0u);
    EXPECT_EQ(statistics().input_edge, "2 of 5 streams come from a card");
    const std::uint64_t all = ROWS * 3 * sizeof(gr_complex);
    EXPECT_GE(statistics().bytes_up, all);
    EXPECT_LT(statistics().bytes_up, 2 * all); // taps of successive chunks overlap
    run([](int port) { return port != 2; }, 5000);
}

TEST_F(SynthesisStreams, FewerThanTheChannels)
{
    stage_options on_cpu;
    on_cpu.engine = "cpu";
    for (d_connected = 1; d_connected < CHANNELS; ++d_connected) {
        run(never, 4300);
        run(odd, 4300);
        run(always, 4300);
        run(never, 4300, on_cpu);
    }
}

TEST_F(SynthesisStreams, TheCpuCopiesWhereMemoryCannotBeRegistered)
{
    GPUFFT_ONLY_SIMULATED("cards register memory");
    test_devices::refuse_registration(true);
    run(never, 8192);
    run(odd, 4300);
    test_devices::refuse_registration(false);
    test_devices::compute_in_host_memory(false);
    run(odd, 4300);
}

TEST_F(SynthesisStreams, CardsTakeTurns)
{
    test_devices::set_speed({ 1e-4, 0, 3 });
    run(never, 4300, { { 0, 1, 2 } });
    run(odd, 4300, { { 0, 1 } });
}

TEST_F(SynthesisStreams, TheCpuComputesThem)
{
    for (const int threads : { 1, 3 }) {
        stage_options how;
        how.engine = "cpu";
        how.threads = threads;
        run(never, 8192, how);
        run(never, 4300, how);
    }
}

TEST_F(SynthesisStreams, TheCpuGoesOnWhereACardFails)
{
    GPUFFT_ONLY_SIMULATED("cards fail in tests of their own");
    int struck = 0;
    for (const auto fault : { test_devices::fault::once,
                              test_devices::fault::lost,
                              test_devices::fault::asynchronous,
                              test_devices::fault::hangs })
        for (const long call : { 3, 17, 60, 130, 251 }) {
            run(call % 2 == 0 ? odd : never, 4300, { { 0 }, "cpu", 0.2 }, fault, call);
            struck += test_devices::struck();
            clear();
            test_devices::reset();
            SetUp();
        }
    EXPECT_GT(struck, 10);
}

// The writers' rings are lost, the synthesizer's card is another one.
TEST_F(SynthesisStreams, WritersFailOnAnotherCard)
{
    GPUFFT_ONLY_SIMULATED("cards fail in tests of their own");
    random_source random(5);
    const stream_data data = random_floats(random, ROWS, 2 * CHANNELS);
    int struck = 0;
    for (const long call : { 40, 90, 150, 200 }) {
        d_block = make_synthesizer_streams({ CHANNELS, 4, 21 }, { { 1 }, "cpu", 0.2 });
        const top_block_sptr flowgraph = make_top_block("streams");
        const auto sink = std::make_shared<recording_sink>(sizeof(gr_complex));
        for (int port = 0; port < CHANNELS; ++port) {
            d_neighbours.push_back(make_function({ 2 }, { { 0 }, "cpu", 0.2 }));
            std::dynamic_pointer_cast<gr::block>(d_neighbours.back().block)
                ->set_max_output_buffer(4300);
            flowgraph->connect(
                std::make_shared<scripted_source>(stream_of_port(data, CHANNELS, port)),
                0,
                d_neighbours.back().block,
                0);
            flowgraph->connect(d_neighbours.back().block, 0, d_block.block, port);
        }
        flowgraph->connect(d_block.block, 0, sink, 0);
        test_devices::fail(test_devices::fault::lost, call);
        ASSERT_TRUE(runs(flowgraph));
        struck += test_devices::struck();
        EXPECT_EQ(
            difference(d_block.expect(negated(data, always)), sink->received(), false),
            "");
        clear();
        test_devices::reset();
        SetUp();
    }
    EXPECT_GT(struck, 2);
}

// A row that is out of the taps' reach before the change has the first map, a row after
// it the second: the taps see each sample in the channel that it had when it came.
class SynthesisStreamsMap : public SynthesisStreams,
                            public testing::WithParamInterface<const char*>
{
};

TEST_P(SynthesisStreamsMap, MayChangeInBetween)
{
    stage_options how;
    how.engine = GetParam();
    random_source random(5);
    const stream_data data = random_floats(random, ROWS, 2 * CHANNELS);
    const stage block = make_synthesizer_streams({ CHANNELS, 4, 21 }, how);
    const auto synthesizer = std::dynamic_pointer_cast<pfb_synthesizer_ccf>(block.block);
    const top_block_sptr flowgraph = make_top_block("streams");
    const auto sink = std::make_shared<recording_sink>(sizeof(gr_complex));
    std::vector<std::shared_ptr<gated_source>> sources;
    for (int port = 0; port < CHANNELS; ++port) {
        sources.push_back(std::make_shared<gated_source>(
            stream_of_port(data, CHANNELS, port), ROWS / 2));
        flowgraph->connect(sources.back(), 0, block.block, port);
    }
    flowgraph->connect(block.block, 0, sink, 0);
    EXPECT_THROW(synthesizer->set_channel_map({ 5 }), std::invalid_argument);
    EXPECT_THROW(synthesizer->set_channel_map({ 0, 1, 2, 3, 4, 0 }),
                 std::invalid_argument);
    flowgraph->start();
    while (sink->count() < ROWS / 2 * 4) // all of the first half are out
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const std::vector<int> map{ 3, 3, 0, 1, 2 }; // of the first two the second counts
    synthesizer->set_channel_map(map);
    EXPECT_EQ(synthesizer->channel_map(), map);
    for (const auto& source : sources)
        source->open();
    ASSERT_TRUE(ends(flowgraph));

    stream_data mapped = data; // channel 4 has no stream
    constexpr std::size_t SAMPLE = sizeof(gr_complex);
    for (std::size_t row = ROWS / 2; row < ROWS; ++row) {
        char* const to = &mapped.items[row * mapped.item_bytes];
        std::memset(to, 0, mapped.item_bytes);
        for (int port = 0; port < CHANNELS; ++port)
            std::memcpy(to + map[port] * SAMPLE,
                        &data.items[row * data.item_bytes + port * SAMPLE],
                        SAMPLE);
    }
    EXPECT_EQ(difference(block.expect(mapped), sink->received(), false), "");
}

INSTANTIATE_TEST_SUITE_P(OnEngines,
                         SynthesisStreamsMap,
                         testing::Values("cuda", "cpu"),
                         [](const auto& info) { return std::string(info.param); });

} // namespace gpufft
} // namespace gr
