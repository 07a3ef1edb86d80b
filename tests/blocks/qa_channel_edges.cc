// SPDX-License-Identifier: GPL-3.0-or-later
//
// Banks of filters on cards: the zeros before the stream, overlapping chunks, the phases
// of chunks that take turns, and a card that fails.

#include "blocks/channel_core.h"
#include "device_test.h"
#include "stages.h"
#include "test_blocks.h"
#include <chrono>
#include <thread>

namespace gr {
namespace gpufft {

class ChannelEdges : public DeviceTest
{
protected:
    static constexpr std::size_t SAMPLES = 200000;

    // source -> stages -> sink, whose buffers hold at most `buffer` items. The samples
    // are complex, or in items of so many bytes.
    void run(const std::vector<stage>& stages, int buffer, std::size_t item_bytes = 0)
    {
        random_source random(5);
        stream_data data = item_bytes > 0
                               ? random_integers(random, SAMPLES / 4 * item_bytes, 1)
                               : random_floats(random, SAMPLES, 2);
        if (item_bytes > 0)
            data.item_bytes = item_bytes;
        add_random_tags(random, data, 30);
        const auto sink = std::make_shared<recording_sink>(stages.back().out_bytes);
        const top_block_sptr flowgraph = make_top_block("channels");
        const stream_data expected =
            connect_chain(flowgraph,
                          std::make_shared<scripted_source>(data),
                          data,
                          stages,
                          { buffer },
                          sink);
        ASSERT_TRUE(runs(flowgraph));
        EXPECT_EQ(difference(expected, sink->received(), true), "");
        EXPECT_EQ(sink->count(), expected.count());
    }
};

TEST_F(ChannelEdges, FromHostToHost)
{
    run({ make_channels({}) }, 1000);
    run({ make_channels({ 1, 20, { 0.3 } }) }, 9000);
    run({ make_channels({ 100, 501, { -0.5, 0.123, 0.0, 0.4 } }) }, 100);
}

// Items of four samples, or of two; on three cards the phases go on from item to item.
TEST_F(ChannelEdges, PackedRealSamples)
{
    const stage_options several{ { 0, 1, 2 }, "stop" };
    const auto s10 = sample_format::s10, s12 = sample_format::s12;
    run({ make_channels({ 4, 33, { 0.1, -0.25 }, false, false, s10 }) }, 1000, 5);
    run({ make_channels({ 12, 50, { 0.17, 0.45 }, false, false, s10 }, several) },
        500,
        5);
    run({ make_channels({ 2, 20, { 0.3 }, false, true, s12 }) }, 9000, 3);
    run({ make_channels({ 100, 501, { 0.123 }, false, false, s12 }, several) }, 100, 3);
}

// Of a filter longer than GNU Radio's buffers, frames are collected.
TEST_F(ChannelEdges, FiltersOfPackedRealSamples)
{
    const stage_options several{ { 0, 1, 2 }, "stop" };
    const auto s10 = sample_format::s10, s12 = sample_format::s12;
    run({ make_filter({ 4, 33, true, true, s10 }) }, 1000, 5);
    run({ make_filter({ 8, 1, true, true, s10 }, several) }, 3000, 5);
    run({ make_filter({ 2, 65, true, true, s12 }, several) }, 5000, 3);
    run({ make_filter({ 52, 20001, true, true, s10 }) }, 40, 5);
}

TEST_F(ChannelEdges, TheCpuGoesOnWithPackedRealSamples)
{
    const stage block =
        make_filter({ 4, 33, true, true, sample_format::s10 }, { { 0 }, "cpu" });
    test_devices::fail(test_devices::fault::lost, 30);
    run({ block }, 300, 5);
    EXPECT_TRUE(test_devices::struck());
}

TEST_F(ChannelEdges, SamplesStayOnTheCard)
{
    const std::vector<stage> stages = { make_fft({ 64, false, true, false, true }),
                                        make_channels({ 10, 33, { 0.1 } }),
                                        make_fft({ 64, false, true, false, true }) };
    run(stages, 9000);
    EXPECT_EQ(stages[1].ours[0]->statistics().bytes_up, 0u);
    EXPECT_EQ(stages[1].ours[0]->statistics().bytes_down, 0u);
}

TEST_F(ChannelEdges, SeveralCardsKeepPhasesAndOrder)
{
    const stage_options several{ { 0, 1, 2 }, "stop" };
    test_devices::set_speed({ 1e-4, 0, 3 });
    run({ make_channels({ 7, 50, { 0.17, -0.31, 0.45 } }, several) }, 500);
}

TEST_F(ChannelEdges, TheCpuGoesOnWhereACardFails)
{
    const stage block = make_channels({}, { { 0 }, "cpu" });
    test_devices::fail(test_devices::fault::lost, 30);
    run({ block }, 300);
    EXPECT_TRUE(test_devices::struck());
}

// The phase that a run turned to, no whole number of turns, is not the next one's.
TEST_F(ChannelEdges, ARunAfterRetuningBeginsAnew)
{
    random_source random(5);
    const stream_data data = random_floats(random, SAMPLES, 2);
    const stage block = make_channels({ 10, 33, { 0.1 } });
    const auto source = std::make_shared<gated_source>(data, SAMPLES / 2);
    const auto sink = std::make_shared<recording_sink>(block.out_bytes);
    const top_block_sptr flowgraph = make_top_block("channels");
    flowgraph->connect(source, 0, block.block, 0);
    flowgraph->connect(block.block, 0, sink, 0);
    flowgraph->start();
    while (sink->count() == 0)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::dynamic_pointer_cast<channel_core>(block.block)
        ->change([](channel_settings& next) { next.centers = { 1.0 / 7 }; });
    source->open();
    ASSERT_TRUE(ends(flowgraph));
    ASSERT_TRUE(runs(flowgraph));
    const stream_data expected = make_channels({ 10, 33, { 1.0 / 7 } }).expect(data);
    EXPECT_EQ(difference(expected, sink->received(), false), "");
}

} // namespace gpufft
} // namespace gr
