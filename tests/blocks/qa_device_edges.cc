// SPDX-License-Identifier: GPL-3.0-or-later
//
// Between our blocks the data stays on the card, where it can; chunks overlap on their
// way.

#include "device_test.h"
#include "engine/chunk_pipeline.h"
#include "stages.h"
#include "test_blocks.h"

namespace gr {
namespace gpufft {

namespace {
constexpr std::size_t N = 64;
constexpr std::size_t ITEMS = 4000;
} // namespace

// source -> FFT -> inverse FFT -> FFT -> sink
class DeviceEdges : public DeviceTest
{
protected:
    void build(const stage_options& how, const stage_options& how_second)
    {
        random_source random(2);
        const stream_data data = random_floats(random, ITEMS, 2 * N);
        d_stages = { make_fft({ N }, how),
                     make_fft({ N, false, false }, how_second),
                     make_fft({ N, false, true, true }, how) };
        connect(data, { 400 });
    }

    void connect(const stream_data& data, const std::vector<int>& buffers)
    {
        d_expected = connect_chain(d_flowgraph,
                                   std::make_shared<scripted_source>(data),
                                   data,
                                   d_stages,
                                   buffers,
                                   d_sink);
    }

    // Another reader, on the host, of the first block.
    std::shared_ptr<recording_sink> add_host_reader()
    {
        const auto sink = std::make_shared<recording_sink>(N * sizeof(gr_complex));
        d_flowgraph->connect(d_stages[0].block, 0, sink, 0);
        return sink;
    }

    void run()
    {
        ASSERT_TRUE(runs(d_flowgraph));
        EXPECT_EQ(difference(d_expected, d_sink->received(), false), "");
    }

    stream_statistics statistics(int stage)
    {
        return d_stages[stage].ours[0]->statistics();
    }

    void TearDown() override
    {
        d_flowgraph.reset();
        d_stages.clear();
        DeviceTest::TearDown();
    }

    static constexpr std::size_t ALL_BYTES = ITEMS * N * sizeof(gr_complex);
    top_block_sptr d_flowgraph = make_top_block("edges");
    std::vector<stage> d_stages;
    std::shared_ptr<recording_sink> d_sink =
        std::make_shared<recording_sink>(N * sizeof(gr_complex));
    stream_data d_expected;
};

TEST_F(DeviceEdges, DataStaysOnTheCard)
{
    build({}, {});
    run();
    EXPECT_EQ(statistics(0).bytes_up, ALL_BYTES);
    EXPECT_EQ(statistics(0).bytes_down, 0u);
    EXPECT_EQ(statistics(1).bytes_up, 0u);
    EXPECT_EQ(statistics(1).bytes_down, 0u);
    EXPECT_EQ(statistics(2).bytes_up, 0u);
    EXPECT_EQ(statistics(2).bytes_down, ALL_BYTES);
    EXPECT_EQ(statistics(1).frames, ITEMS);
    EXPECT_EQ(statistics(1).input_edge.find("device"), 0u);
    EXPECT_EQ(statistics(0).output_edge.find("device: "), 0u);
}

TEST_F(DeviceEdges, AReaderOnTheHostAddsADownload)
{
    build({}, {});
    const auto sink = add_host_reader();
    run();
    EXPECT_EQ(sink->count(), ITEMS);
    EXPECT_EQ(statistics(0).bytes_down, ALL_BYTES);
    EXPECT_EQ(statistics(1).bytes_up, 0u);
    EXPECT_EQ(statistics(0).output_edge.find("device and host"), 0u);
}

TEST_F(DeviceEdges, CpuOnErrorKeepsTheDataOnTheHostToo)
{
    build({ { 0 }, "cpu" }, { { 0 }, "cpu" });
    run();
    EXPECT_EQ(statistics(0).bytes_down, ALL_BYTES);
    EXPECT_EQ(statistics(1).bytes_up, 0u);
}

TEST_F(DeviceEdges, AnotherCardReadsTheFirstOnes)
{
    build({}, { { 1 }, "stop" });
    run();
    EXPECT_EQ(statistics(0).bytes_down, 0u);
    EXPECT_EQ(statistics(1).bytes_up, 0u);
}

TEST_F(DeviceEdges, ACardThatCannotReadTheOthersGetsHostMemory)
{
    GPUFFT_ONLY_SIMULATED("cards are as they are");
    simulation::keep_apart(true);
    build({}, { { 1 }, "stop" });
    run();
    EXPECT_EQ(statistics(0).bytes_down, ALL_BYTES);
    EXPECT_EQ(statistics(1).bytes_up, ALL_BYTES);
    EXPECT_EQ(statistics(0).output_edge, "host: card 1 cannot read from card 0");
}

// A row that GNU Radio's buffer has no room for must not overwrite what nobody has read.
TEST_F(DeviceEdges, RowsAheadOfTheBufferSpareTheUnread)
{
    constexpr std::size_t LONG = 3000, SHORT = 7;
    random_source random(9);
    const stream_data data = random_floats(random, 200 * LONG, 2);
    fft_parameters first{ LONG }, second{ SHORT };
    first.stream = second.stream = true;
    d_stages = { make_fft(first), make_fft(second) };
    d_sink = std::make_shared<recording_sink>(sizeof(gr_complex));
    connect(data, { 9000 });
    test_devices::set_speed({ 1e-4, 0, 2 });
    run();
    EXPECT_EQ(statistics(1).bytes_up, 0u);
}

TEST_F(DeviceEdges, SeveralCardsKeepTheOrder)
{
    build({ { 0, 1, 2 }, "stop" }, { { 1, 0 }, "cpu" });
    test_devices::set_speed({ 1e-4, 0, 3 });
    run();
    EXPECT_EQ(statistics(0).bytes_down, ALL_BYTES);
}

TEST_F(DeviceEdges, StagesTheBuffersThatCannotBeRegistered)
{
    test_devices::refuse_registration(true);
    build({}, {});
    run();
    EXPECT_EQ(statistics(0).bytes_up, ALL_BYTES);
    EXPECT_EQ(statistics(1).bytes_up, 0u);
}

// The first block is far faster than the second, and the ring between them is short.
TEST_F(DeviceEdges, WritersWaitForReaders)
{
    random_source random(4);
    stream_data data = random_floats(random, 100000, 2);
    fft_parameters first{ N };
    first.stream = true;
    d_stages = { make_fft(first),
                 make_spectrum({ N, sample_format::cf32, N / 8 }),
                 make_fft({ N, true }) };
    connect(data, { 4096, 2000, 2000 });
    test_devices::set_speed({ 0, 5e-8 });
    run();
    EXPECT_EQ(statistics(1).bytes_up, 0u);
    EXPECT_EQ(statistics(1).bytes_down, 0u);
}

// Of a block between two on the host, whose chunks are that small.
TEST_F(DeviceEdges, KernelsReachSmallChunksInHostMemory)
{
    test_devices::compute_in_host_memory(true);
    random_source random(6);
    stream_data data = random_floats(random, ITEMS, 2 * N);
    add_random_tags(random, data, 20);
    d_stages = { make_fft({ N }) };
    connect(data, { 100 });
    run();
    EXPECT_EQ(statistics(0).bytes_up, ALL_BYTES);
    EXPECT_EQ(statistics(0).bytes_down, ALL_BYTES);
    if (!test_devices::are_cards()) { // there launches count, too
        EXPECT_EQ(test_devices::copies(), 0);
    }
}

TEST_F(DeviceEdges, ChunksOverlapOnTheirWay)
{
    GPUFFT_ONLY_SIMULATED("a card is too fast for so few items");
    test_devices::set_speed({ 1e-3 });
    build({}, {});
    add_host_reader();
    run();
    EXPECT_EQ(statistics(0).most_in_flight, std::size_t(chunk_pipeline::SLOTS));
    EXPECT_EQ(statistics(2).most_in_flight, std::size_t(chunk_pipeline::SLOTS));
}

} // namespace gpufft
} // namespace gr
