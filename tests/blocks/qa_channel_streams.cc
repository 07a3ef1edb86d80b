// SPDX-License-Identifier: GPL-3.0-or-later
//
// Channelizers with a stream for each channel: in host memory, on the card, both, with
// buffers of several sizes, where memory cannot be registered, with cards that take turns
// or fail, and with a map that changes.

#include "streams_test.h"
#include "test_blocks.h"
#include <gnuradio/gpufft/pfb_channelizer.h>
#include <thread>

namespace gr {
namespace gpufft {

class ChannelStreams : public StreamsTest
{
protected:
    static constexpr std::size_t SAMPLES = 200000;

    // source -> channelizer -> for each connected port a sink, behind a transform on the
    // card if has_reader(port). Port 3's buffer holds at most `buffer` items, others
    // more. The call of a card fails once all blocks are made.
    void run(const std::function<bool(int)>& has_reader,
             int buffer,
             const stage_options& how = {},
             test_devices::fault fault = test_devices::fault::none,
             long call = 0)
    {
        random_source random(5);
        stream_data data = random_floats(random, SAMPLES, 2);
        add_random_tags(random, data, 30);
        const channelizer_parameters what{ CHANNELS, 4, 21 };
        d_block = make_channelizer_streams(what, how);
        const stream_data all = d_block.expect(data);
        const top_block_sptr flowgraph = make_top_block("streams");
        flowgraph->connect(std::make_shared<scripted_source>(data), 0, d_block.block, 0);
        std::vector<std::shared_ptr<recording_sink>> sinks;
        d_neighbours.clear();
        for (int port = 0; port < d_connected; ++port) {
            sinks.push_back(std::make_shared<recording_sink>(sizeof(gr_complex)));
            if (has_reader(port)) {
                d_neighbours.push_back(make_fft({ 16, false, true, false, true }, how));
                flowgraph->connect(d_block.block, port, d_neighbours.back().block, 0);
                flowgraph->connect(d_neighbours.back().block, 0, sinks.back(), 0);
            } else {
                flowgraph->connect(d_block.block, port, sinks.back(), 0);
            }
            std::dynamic_pointer_cast<hier_block2>(d_block.block)
                ->set_max_output_buffer(port, buffer * ((port + 2) % CHANNELS + 1));
        }
        if (call > 0)
            test_devices::fail(fault, call);
        ASSERT_TRUE(runs(flowgraph));
        auto reader = d_neighbours.begin();
        for (int port = 0; port < d_connected; ++port) {
            stream_data expected = stream_of_port(all, CHANNELS, port);
            if (has_reader(port))
                expected = (reader++)->expect(expected);
            EXPECT_EQ(difference(expected, sinks[port]->received(), true), "") << port;
            EXPECT_EQ(sinks[port]->count(), expected.count()) << port;
        }
    }
};

TEST_F(ChannelStreams, FromHostToHost)
{
    run(never, 8192);
    EXPECT_EQ(statistics().bytes_down, SAMPLES / 4 * CHANNELS * sizeof(gr_complex));
    run(never, 70);
}

TEST_F(ChannelStreams, StayOnTheCard)
{
    run(always, 8192);
    EXPECT_EQ(statistics().bytes_down, 0u);
    for (const stage& reader : d_neighbours)
        EXPECT_EQ(reader.ours[0]->statistics().bytes_up, 0u);
}

TEST_F(ChannelStreams, SomeStayOnTheCard)
{
    run(odd, 8192);
    for (const stage& reader : d_neighbours)
        EXPECT_EQ(reader.ours[0]->statistics().bytes_up, 0u);
    run(odd, 100);
}

TEST_F(ChannelStreams, FewerThanTheChannels)
{
    for (d_connected = 1; d_connected < CHANNELS; ++d_connected) {
        run(never, 1000);
        run(odd, 1000);
    }
}

TEST_F(ChannelStreams, TheCpuCopiesWhereMemoryCannotBeRegistered)
{
    GPUFFT_ONLY_SIMULATED("cards register memory");
    test_devices::refuse_registration(true);
    run(never, 8192);
    run(odd, 1000);
    test_devices::refuse_registration(false);
    test_devices::compute_in_host_memory(false);
    run(odd, 1000);
}

TEST_F(ChannelStreams, CardsTakeTurns)
{
    test_devices::set_speed({ 1e-4, 0, 3 });
    run(never, 2000, { { 0, 1, 2 } });
    run(odd, 2000, { { 0, 1 } });
}

TEST_F(ChannelStreams, TheCpuGoesOnWhereACardFails)
{
    GPUFFT_ONLY_SIMULATED("cards fail in tests of their own");
    int struck = 0;
    for (const auto fault : { test_devices::fault::once,
                              test_devices::fault::lost,
                              test_devices::fault::asynchronous,
                              test_devices::fault::hangs })
        for (const long call : { 3, 17, 60, 130, 251 }) {
            run(call % 2 == 0 ? odd : never, 1000, { { 0 }, "cpu", 0.2 }, fault, call);
            struck += test_devices::struck();
            clear();
            test_devices::reset();
            SetUp();
        }
    EXPECT_GT(struck, 10);
}

// Each item is of one of the two channels, and once it is of the second, all are.
class ChannelStreamsMap : public ChannelStreams,
                          public testing::WithParamInterface<const char*>
{
};

TEST_P(ChannelStreamsMap, MayChangeInBetween)
{
    stage_options how;
    how.engine = GetParam();
    random_source random(5);
    const stream_data data = random_floats(random, SAMPLES, 2);
    const channelizer_parameters what{ CHANNELS, 4, 21 };
    const stage block = make_channelizer_streams(what, how);
    const stream_data all = block.expect(data);
    const auto channelizer = std::dynamic_pointer_cast<pfb_channelizer_ccf>(block.block);
    const auto source = std::make_shared<gated_source>(data, SAMPLES / 2);
    const top_block_sptr flowgraph = make_top_block("streams");
    source->set_max_output_buffer(8192);
    flowgraph->connect(source, 0, block.block, 0);
    std::vector<std::shared_ptr<recording_sink>> sinks;
    for (int port = 0; port < CHANNELS; ++port) {
        sinks.push_back(std::make_shared<recording_sink>(sizeof(gr_complex)));
        flowgraph->connect(block.block, port, sinks.back(), 0);
    }
    EXPECT_THROW(channelizer->set_channel_map({ 5 }), std::invalid_argument);
    EXPECT_THROW(channelizer->set_channel_map({ 0, 1, 2, 3, 4, 0 }),
                 std::invalid_argument);
    flowgraph->start();
    while (sinks[0]->count() == 0)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const std::vector<int> map{ 3, 3, 0, 1, 2 };
    channelizer->set_channel_map(map);
    EXPECT_EQ(channelizer->channel_map(), map);
    source->open();
    ASSERT_TRUE(ends(flowgraph));
    for (int port = 0; port < CHANNELS; ++port) {
        const stream_data &got = sinks[port]->received(),
                          before = stream_of_port(all, CHANNELS, port),
                          after = stream_of_port(all, CHANNELS, map[port]);
        ASSERT_EQ(got.count(), after.count());
        const auto is_of = [&](const stream_data& channel, std::size_t i) {
            return is_item(got.items.data() + i * got.item_bytes, channel, i);
        };
        std::size_t i = 0;
        while (i < got.count() && is_of(before, i))
            ++i;
        EXPECT_GT(i, 0u);
        EXPECT_LT(i, got.count());
        while (i < got.count() && is_of(after, i))
            ++i;
        EXPECT_EQ(i, got.count()) << port;
    }
}

INSTANTIATE_TEST_SUITE_P(OnEngines,
                         ChannelStreamsMap,
                         testing::Values("cuda", "cpu"),
                         [](const auto& info) { return std::string(info.param); });

} // namespace gpufft
} // namespace gr
