// SPDX-License-Identifier: GPL-3.0-or-later
//
// Channelizers and synthesizers on cards: the zeros before the stream, overlapping
// chunks, the phases of chunks that take turns, a card that fails, and taps that outgrow
// the history while chunks are on their way.

#include "blocks/bank_core.h"
#include "device_test.h"
#include "stages.h"
#include "test_blocks.h"
#include <thread>

namespace gr {
namespace gpufft {

class ChannelizerEdges : public DeviceTest
{
protected:
    static constexpr std::size_t SAMPLES = 200000;

    // source -> stages -> sink, whose buffers hold at most `buffer` items; `most_items`
    // is the limit on a call of work().
    void run(const std::vector<stage>& stages,
             int buffer,
             std::size_t integer_bytes = 0,
             int most_items = 100000000)
    {
        random_source random(5);
        const bool is_packed = integer_bytes > 2; // items of so many bytes
        stream_data data =
            is_packed           ? random_integers(random, SAMPLES / 4 * integer_bytes, 1)
            : integer_bytes > 0 ? random_integers(random, 2 * SAMPLES, integer_bytes)
                                : random_floats(random, SAMPLES, 2);
        if (is_packed)
            data.item_bytes = integer_bytes;
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
        ASSERT_TRUE(runs(flowgraph, 100, most_items));
        EXPECT_EQ(difference(expected, sink->received(), true), "");
        EXPECT_EQ(sink->count(), expected.count());
    }

    static constexpr std::size_t AT_FIRST = 80000;

    // source -> stages -> sink, whose buffers hold at most `buffer` items. When some have
    // come change() is called; the source waits for it before it sends all samples.
    stream_data run_changing(const std::vector<stage>& stages,
                             int buffer,
                             const std::function<void()>& change)
    {
        const stream_data data = samples();
        const auto source = std::make_shared<gated_source>(data, AT_FIRST);
        const auto sink = std::make_shared<recording_sink>(stages.back().out_bytes);
        const top_block_sptr flowgraph = make_top_block("channelizer");
        source->set_max_output_buffer(buffer);
        connect_chain(flowgraph, source, data, stages, { buffer }, sink);
        flowgraph->start();
        while (sink->count() == 0)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        change();
        source->open();
        EXPECT_TRUE(ends(flowgraph));
        EXPECT_EQ(stages.back().ours[0]->error(), "");
        EXPECT_EQ(stages.back().ours[0]->engine(), "cuda");
        return sink->received();
    }

    // The last stage's taps become those of another. Each row is of the first taps, and
    // from one of the first `most` on of the others.
    template <class Core>
    void expect_change(const std::vector<stage>& stages,
                       const stage& other,
                       int buffer,
                       std::size_t row_items,
                       std::size_t most)
    {
        const stage& last = stages.back();
        const stream_data got = run_changing(
            stages, buffer, [&] { core<Core>(last)->set_taps(taps<Core>(other)); });
        stream_data input = samples();
        for (std::size_t i = 0; i + 1 < stages.size(); ++i)
            input = stages[i].expect(input);
        const std::size_t change = mismatch(got, last.expect(input), 0);
        EXPECT_EQ(change % row_items, 0u);
        EXPECT_GE(change, row_items);
        EXPECT_LE(change, most * row_items);
        const stream_data after = other.expect(input);
        EXPECT_EQ(got.count(), after.count());
        EXPECT_EQ(mismatch(got, after, change), after.count());
    }

    static stream_data samples()
    {
        random_source random(5);
        return random_floats(random, SAMPLES, 2);
    }

    template <class Core>
    static std::shared_ptr<Core> core(const stage& of)
    {
        return std::dynamic_pointer_cast<Core>(of.block);
    }

    template <class Core>
    static std::vector<float> taps(const stage& of)
    {
        return core<Core>(of)->settings().taps;
    }

    // The first item that is another, from that place on.
    static std::size_t
    mismatch(const stream_data& got, const stream_data& want, std::size_t from)
    {
        while (from < std::min(got.count(), want.count()) &&
               is_item(got.items.data() + from * got.item_bytes, want, from))
            ++from;
        return from;
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

// Items of four samples, or of two, of which a filter's taps fill no whole number.
TEST_F(ChannelizerEdges, PackedRealSamples)
{
    run({ make_channelizer({ 64, 64, 501, sample_format::s10 }) }, 500, 5);
    run({ make_channelizer({ 79, 40, 800, sample_format::s10 }) }, 300, 5);
    run({ make_channelizer({ 15, 8, 33, sample_format::s10, { 7, 0 } }) }, 3000, 5);
    run({ make_channelizer({ 33, 22, 99, sample_format::s12 }) }, 300, 3);
    run({ make_channelizer({ 64, 64, 9000, sample_format::s10 }) }, 20, 5);
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
    const stage block = make_channelizer(some, { { 0 }, "cpu" });
    test_devices::fail(test_devices::fault::lost, 30);
    run({ block }, 300);
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
    const stage block = make_synthesizer({ 16, 12, 64 }, { { 0 }, "cpu" });
    test_devices::fail(test_devices::fault::lost, 30);
    run({ vectors, block }, 3000);
    EXPECT_TRUE(test_devices::struck());
}

// GNU Radio rounds the limit on a call down to whole rows, which may leave none.
TEST_F(ChannelizerEdges, ACallMayTakeFewerItemsThanARowHas)
{
    const stage vectors = make_stream_to_vector(8, 16);
    for (const char* engine : { "cuda", "cpu" }) {
        const stage_options how{ { 0 }, "stop", 10, engine };
        run({ vectors, make_synthesizer({ 16, 12, 64 }, how) }, 5000, 0, 7);
        const stage block = make_synthesizer({ 16, 12, 64 }, how);
        core<synthesizer_core>(block)->set_max_noutput_items(5);
        run({ vectors, block }, 5000);
    }
}

TEST_F(ChannelizerEdges, TapsOutgrowTheHistory)
{
    const stage block = make_channelizer({ 20, 15, 60 });
    const stage longer = make_channelizer({ 20, 15, 9000 });
    EXPECT_EQ(core<channelizer_core>(block)->max_taps(), 4100);
    expect_change<channelizer_core>({ block }, longer, 40000, 1, (AT_FIRST + 9000) / 15);
    EXPECT_EQ(core<channelizer_core>(block)->max_taps(), 9000);
}

TEST_F(ChannelizerEdges, TapsOutgrowTheHistoryOnTheCard)
{
    const stage fft = make_fft({ 64, false, true, false, true });
    const stage block = make_channelizer({ 79, 79, 500 });
    const stage longer = make_channelizer({ 79, 79, 9000 });
    expect_change<channelizer_core>(
        { fft, block }, longer, 40000, 1, (AT_FIRST + 9000) / 79 + 1);
    EXPECT_EQ(statistics(block).bytes_up, 0u);
}

TEST_F(ChannelizerEdges, TapsOutgrowTheSynthesizersHistory)
{
    const stage vectors = make_stream_to_vector(8, 16);
    const stage block = make_synthesizer({ 16, 12, 64 });
    const stage longer = make_synthesizer({ 16, 12, 9000 });
    EXPECT_EQ(core<synthesizer_core>(block)->max_taps(), 4104);
    expect_change<synthesizer_core>(
        { vectors, block }, longer, 20000, 12, AT_FIRST / 16 + 9000 / 12);
    EXPECT_EQ(core<synthesizer_core>(block)->max_taps(), 9000);
}

TEST_F(ChannelizerEdges, MoreTapsThanTheBufferHoldsWaitForTheNextStart)
{
    const stage block = make_channelizer({ 20, 15, 60 });
    const stage longer = make_channelizer({ 20, 15, 12000 });
    const auto change = [&](const stage& to) {
        core<channelizer_core>(block)->set_taps(taps<channelizer_core>(to));
    };
    run_changing(
        { block }, 100, [&] { EXPECT_THROW(change(longer), std::invalid_argument); });
    change(longer);
    const stream_data got = run_changing({ block }, -1, [] {});
    EXPECT_EQ(difference(longer.expect(samples()), got, false), "");
}

TEST_F(ChannelizerEdges, SeveralCardsKeepPhasesAndOrder)
{
    const stage_options several{ { 0, 1, 2 }, "stop" };
    test_devices::set_speed({ 1e-4, 0, 3 });
    run({ make_channelizer({ 16, 12, 64 }, several) }, 500);
}

TEST_F(ChannelizerEdges, TheCpuGoesOnWhereACardFails)
{
    const stage block = make_channelizer({ 16, 12, 64 }, { { 0 }, "cpu" });
    test_devices::fail(test_devices::fault::lost, 30);
    run({ block }, 300);
    EXPECT_TRUE(test_devices::struck());
}

} // namespace gpufft
} // namespace gr
