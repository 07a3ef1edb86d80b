// SPDX-License-Identifier: GPL-3.0-or-later
//
// Channelizers and synthesizers on cards: the zeros before the stream, overlapping
// chunks, the phases of chunks that take turns, and a card that fails.

#include "device_test.h"
#include "stages.h"
#include "stream/stream_devices.h"
#include "test_blocks.h"

namespace gr {
namespace gpufft {

class ChannelizerEdges : public DeviceTest
{
protected:
    static constexpr std::size_t SAMPLES = 200000;

    // source -> stages -> sink, whose buffers hold at most `buffer` items.
    void run(const std::vector<stage>& stages, int buffer, std::size_t integer_bytes = 0)
    {
        random_source random(5);
        stream_data data = integer_bytes > 0
                               ? random_integers(random, 2 * SAMPLES, integer_bytes)
                               : random_floats(random, SAMPLES, 2);
        add_random_tags(random, data, 30);
        const auto sink = std::make_shared<recording_sink>(stages.back().out_bytes);
        const top_block_sptr flowgraph = make_top_block("channelizer");
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

    static stream_statistics statistics(const stage& of)
    {
        return of.ours[0]->statistics();
    }
};

TEST_F(ChannelizerEdges, FromHostToHost)
{
    run({ make_channelizer({ 16, 16, 48 }) }, 500);
    run({ make_channelizer({ 79, 45, 1000 }) }, 300);
    run({ make_channelizer({ 12, 5, 7 }) }, 100);
    run({ make_channelizer({ 1, 1, 9 }) }, 3000);
}

TEST_F(ChannelizerEdges, Integers)
{
    run({ make_channelizer({ 79, 79, 800, sample_format::cs16 }) }, 300, 2);
    run({ make_channelizer({ 10, 4, 33, sample_format::cs8 }) }, 300, 1);
}

// A filter longer than GNU Radio's buffers are: frames are collected.
TEST_F(ChannelizerEdges, LongFilters)
{
    run({ make_channelizer({ 50, 25, 40000 }) }, 20);
}

TEST_F(ChannelizerEdges, SamplesStayOnTheCard)
{
    const std::vector<stage> stages = { make_fft({ 64, false, true, false, true }),
                                        make_channelizer({ 79, 45, 1000 }),
                                        make_fft({ 79 }) };
    run(stages, 9000);
    EXPECT_EQ(statistics(stages[1]).bytes_up, 0u);
    EXPECT_EQ(statistics(stages[1]).bytes_down, 0u);
    EXPECT_EQ(statistics(stages[2]).bytes_up, 0u);
}

// In any order, and several times.
TEST_F(ChannelizerEdges, OnlyMappedChannelsComeDown)
{
    const std::vector<stage> stages = { make_channelizer(
        { 79, 50, 1000, sample_format::cf32, { 70, 3, 3 } }) };
    run(stages, 3000);
    EXPECT_EQ(statistics(stages[0]).bytes_down, SAMPLES / 50 * 3 * sizeof(gr_complex));
    run({ make_channelizer({ 10, 4, 33, sample_format::cs8, { 9 } }) }, 3000, 1);
    run({ make_channelizer({ 4, 4, 9, sample_format::cf32, { 3, 2, 1, 0 } }) }, 3000);
}

TEST_F(ChannelizerEdges, MappedChannelsStayOnTheCard)
{
    const std::vector<stage> stages = {
        make_channelizer({ 79, 45, 1000, sample_format::cf32, { 5, 78, 0, 5, 1 } }),
        make_fft({ 5 }),
    };
    run(stages, 9000);
    EXPECT_EQ(statistics(stages[0]).bytes_down, 0u);
    EXPECT_EQ(statistics(stages[1]).bytes_up, 0u);
}

TEST_F(ChannelizerEdges, CardsAndTheCpuHaveTheMap)
{
    const channelizer_parameters some{ 16, 12, 64, sample_format::cf32, { 15, 2 } };
    test_devices::set_speed({ 1e-4, 0, 3 });
    run({ make_channelizer(some, { { 0, 1, 2 }, "stop" }) }, 500);
    test_devices::fail(test_devices::fault::lost, 30);
    run({ make_channelizer(some, { { 0 }, "cpu" }) }, 300);
    EXPECT_TRUE(test_devices::struck());
}

TEST_F(ChannelizerEdges, SynthesizersFromHostToHost)
{
    const stage vectors = make_stream_to_vector(8, 16);
    run({ vectors, make_synthesizer({ 16, 16, 48 }) }, 5000);
    run({ vectors, make_synthesizer({ 16, 8, 100 }) }, 5000);
    run({ vectors, make_synthesizer({ 16, 11, 5 }) }, 500);
    run({ make_synthesizer({ 1, 1, 9 }) }, 3000);
}

TEST_F(ChannelizerEdges, ChannelsStayOnTheCard)
{
    const std::vector<stage> stages = { make_channelizer({ 79, 45, 1000 }),
                                        make_synthesizer({ 79, 45, 400 }),
                                        make_fft({ 64, false, true, false, true }) };
    run(stages, 9000);
    EXPECT_EQ(statistics(stages[1]).bytes_up, 0u);
    EXPECT_EQ(statistics(stages[1]).bytes_down, 0u);
    EXPECT_EQ(statistics(stages[2]).bytes_up, 0u);
}

TEST_F(ChannelizerEdges, SynthesizersTakeTurnsAndSurviveACard)
{
    const stage vectors = make_stream_to_vector(8, 16);
    test_devices::set_speed({ 1e-4, 0, 3 });
    run({ vectors, make_synthesizer({ 16, 12, 64 }, { { 0, 1, 2 }, "stop" }) }, 5000);
    test_devices::fail(test_devices::fault::lost, 30);
    run({ vectors, make_synthesizer({ 16, 12, 64 }, { { 0 }, "cpu" }) }, 3000);
    EXPECT_TRUE(test_devices::struck());
}

TEST_F(ChannelizerEdges, SeveralCardsKeepPhasesAndOrder)
{
    const stage_options several{ { 0, 1, 2 }, "stop" };
    test_devices::set_speed({ 1e-4, 0, 3 });
    run({ make_channelizer({ 16, 12, 64 }, several) }, 500);
}

TEST_F(ChannelizerEdges, TheCpuGoesOnWhereACardFails)
{
    test_devices::fail(test_devices::fault::lost, 30);
    run({ make_channelizer({ 16, 12, 64 }, { { 0 }, "cpu" }) }, 300);
    EXPECT_TRUE(test_devices::struck());
}

} // namespace gpufft
} // namespace gr
