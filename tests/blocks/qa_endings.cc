// SPDX-License-Identifier: GPL-3.0-or-later
//
// Streams that end from behind: a block, and what is before it, ends soon after its
// readers, but not for some of them, and not while others read what is before it.

#include "device_test.h"
#include "stages.h"
#include "test_blocks.h"
#include <gnuradio/blocks/head.h>
#include <limits>
#include <thread>

namespace gr {
namespace gpufft {

// A source that never ends and would fill the buffers of a card in half an hour.
class Endings : public DeviceTest
{
protected:
    static constexpr pace SLOW = { 60, 1, std::numeric_limits<int>::max(), 0.001 };
    static constexpr double SOON = 150; // seconds, ten times what a busy machine needs

    Endings() { send(2); }

    // Items of so many floats.
    void send(std::size_t item_floats)
    {
        random_source random(5);
        d_source = std::make_shared<scripted_source>(
            random_floats(random, 1000, item_floats), SLOW, 0);
    }

    // block -> head -> sink.
    std::shared_ptr<recording_sink>
    connect(const basic_block_sptr& block, std::size_t item_bytes, std::uint64_t items)
    {
        const auto head = gr::blocks::head::make(item_bytes, items);
        const auto sink = std::make_shared<recording_sink>(item_bytes);
        d_flowgraph->connect(block, 0, head, 0);
        d_flowgraph->connect(head, 0, sink, 0);
        return sink;
    }

    void expect_to_end_soon(const stage& block)
    {
        SCOPED_TRACE(block.text);
        d_flowgraph->connect(d_source, 0, block.block, 0);
        const auto sink = connect(block.block, block.out_bytes, 10);
        EXPECT_TRUE(runs(d_flowgraph, SOON));
        EXPECT_EQ(sink->count(), 10u);
        EXPECT_EQ(block.ours[0]->error(), "");
        d_flowgraph->disconnect_all();
    }

    void TearDown() override
    {
        d_flowgraph.reset();
        d_source.reset();
        DeviceTest::TearDown();
    }

    std::shared_ptr<scripted_source> d_source;
    top_block_sptr d_flowgraph = make_top_block("endings");
};

TEST_F(Endings, SoonAfterAHead)
{
    expect_to_end_soon(make_fft({ 64, false, true, false, true }));
    expect_to_end_soon(make_spectrum({}));
    expect_to_end_soon(make_channelizer({ 16, 16, 48 }));
    expect_to_end_soon(make_channels({}));
    send(1);
    problem real;
    real.kind = transform_kind::r2c;
    real.n = 64;
    expect_to_end_soon(make_transform(real, true));
    send(2 * 64);
    expect_to_end_soon(make_fft({ 64 }));
}

// The other one is in its first call of work(): GNU Radio ends it as soon as it waits for
// input, for their buffer is done with the first of them.
TEST_F(Endings, NotForOneOfTwoReaders)
{
    const stage block = make_channels({ 1, 33 });
    d_flowgraph->connect(d_source, 0, block.block, 0);
    const auto first = connect(block.block, block.out_bytes, 10);
    const auto other =
        std::make_shared<recording_sink>(block.out_bytes, pace{ 0, 1, 1, 1.0 });
    d_flowgraph->connect(block.block, 0, other, 0);
    d_flowgraph->start();
    while (first->count() < 10)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const std::uint64_t before = block.ours[0]->statistics().frames;
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(100);
    while (block.ours[0]->statistics().frames <= before + 5000 &&
           std::chrono::steady_clock::now() < patience)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_GT(block.ours[0]->statistics().frames, before + 5000);
    EXPECT_TRUE(ends(d_flowgraph, SOON));
}

TEST_F(Endings, NotWhileOthersReadWhatIsBefore)
{
    const stage block = make_channels({ 1, 33 });
    const stage copy = make_copy(8);
    d_flowgraph->connect(d_source, 0, copy.block, 0);
    d_flowgraph->connect(copy.block, 0, block.block, 0);
    const auto sink = connect(block.block, block.out_bytes, 10);
    const auto later = connect(d_source, 8, 300000);
    EXPECT_TRUE(runs(d_flowgraph, SOON));
    EXPECT_EQ(sink->count(), 10u);
    EXPECT_EQ(later->count(), 300000u);
}

} // namespace gpufft
} // namespace gr
