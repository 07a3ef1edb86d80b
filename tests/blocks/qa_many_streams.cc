// SPDX-License-Identifier: GPL-3.0-or-later
//
// 1024 streams from a channelizer and to a synthesizer: the same samples as in vectors,
// in host memory and on the card, also where the card has no room for so many rings; and
// no more calls of the card for each chunk than with a few streams.

#include "blocks/bank_core.h"
#include "device_test.h"
#include "engine/chunk_pipeline.h"
#include "stages.h"
#include "stream/stream_buffers.h"
#include "test_blocks.h"
#include <chrono>
#include <gnuradio/buffer_reader.h>
#include <gnuradio/gpufft/pfb_channelizer.h>
#include <gnuradio/gpufft/pfb_synthesizer.h>
#include <gnuradio/hier_block2.h>

namespace gr {
namespace gpufft {

class ManyStreams : public DeviceTest
{
protected:
    static constexpr std::size_t ROWS = 300;
    static constexpr int CHANNELS = 1024;

    struct blocks {
        pfb_channelizer_ccf::sptr apart;
        pfb_synthesizer_ccf::sptr together;
    };

    static blocks make(int channels, int vlen, const std::string& engine)
    {
        const std::vector<float> taps(2 * channels, 1.0f / 1024);
        return { pfb_channelizer_ccf::make(
                     channels, taps, 1, 100, 1, engine, 0, "stop", vlen),
                 pfb_synthesizer_ccf::make(
                     channels, taps, false, 1, 100, 1, engine, 0, "stop", vlen) };
    }

    // source -> channelizer -> synthesizer -> sink; on_host: with a copy of every stream
    // in between. Returns what comes out.
    std::vector<char> run(int channels,
                          int vlen,
                          bool on_host,
                          std::size_t rows = ROWS,
                          const pace& how = {})
    {
        random_source random(3);
        const stream_data data = random_floats(random, rows * channels, 2);
        d_blocks = make(channels, vlen, d_engine);
        const top_block_sptr flowgraph = make_top_block("many");
        const auto sink = std::make_shared<recording_sink>(sizeof(gr_complex));
        flowgraph->connect(
            std::make_shared<scripted_source>(data, how), 0, d_blocks.apart, 0);
        const int ports = vlen > 1 ? 1 : channels;
        for (int port = 0; port < ports; ++port) {
            d_blocks.apart->set_max_output_buffer(port, 1024);
            if (on_host) {
                const stage copy = make_copy(vlen * sizeof(gr_complex));
                std::dynamic_pointer_cast<gr::block>(copy.block)
                    ->set_max_output_buffer(1024);
                flowgraph->connect(d_blocks.apart, port, copy.block, 0);
                flowgraph->connect(copy.block, 0, d_blocks.together, port);
            } else {
                flowgraph->connect(d_blocks.apart, port, d_blocks.together, port);
            }
        }
        flowgraph->connect(d_blocks.together, 0, sink, 0);
        EXPECT_TRUE(runs(flowgraph));
        return sink->received().items;
    }

    struct counts {
        long calls; // of the card
        std::uint64_t chunks;
    };

    counts counted_run(int channels, std::size_t rows)
    {
        test_devices::fail(test_devices::fault::none, 0); // counts from here
        run(channels, 1, false, rows, { 50 * channels, 1, 1000, 0.002 });
        return { test_devices::calls(),
                 d_blocks.apart->statistics().chunks +
                     d_blocks.together->statistics().chunks };
    }

    // Calls of the card for a chunk more, over so many that those which a run has once,
    // and now and then, do not matter. On a busy machine chunks are larger: a run of more
    // rows may have no more of them, a longer one has.
    double calls_for_a_chunk(int channels)
    {
        const counts few = counted_run(channels, 1000);
        for (const std::size_t rows : { 4000, 16000, 64000 }) {
            const counts many = counted_run(channels, rows);
            if (many.chunks > few.chunks + 30)
                return double(many.calls - few.calls) / double(many.chunks - few.chunks);
        }
        ADD_FAILURE() << "64000 rows have hardly more chunks than 1000: " << few.chunks;
        return 0;
    }

    void SetUp() override { test_devices::compute_in_host_memory(true); }
    void TearDown() override
    {
        d_blocks = blocks();
        DeviceTest::TearDown();
    }

    blocks d_blocks;
    std::string d_engine = "cuda";
};

TEST_F(ManyStreams, HaveTheSamplesOfVectors)
{
    const std::vector<char> expected = run(CHANNELS, CHANNELS, false);
    EXPECT_EQ(expected.size(), ROWS * CHANNELS * sizeof(gr_complex));
    EXPECT_TRUE(run(CHANNELS, 1, false) == expected);
    EXPECT_EQ(d_blocks.apart->statistics().bytes_down, 0u);
    EXPECT_EQ(d_blocks.together->statistics().bytes_up, 0u);
    d_engine = "cpu";
    EXPECT_TRUE(run(CHANNELS, 1, false).size() == expected.size());
}

TEST_F(ManyStreams, PassThroughHostMemory)
{
    constexpr int SOME = 300; // a thread for each copy
    const std::vector<char> expected = run(SOME, SOME, true);
    EXPECT_TRUE(run(SOME, 1, true) == expected);
    EXPECT_GT(d_blocks.together->statistics().bytes_up, 0u);
}

TEST_F(ManyStreams, OnlySomeStayOnACardOfLittleMemory)
{
    GPUFFT_ONLY_SIMULATED("cards have memory");
    const std::vector<char> expected = run(CHANNELS, CHANNELS, false);
    for (const std::size_t free : { 0, 64 << 20 }) {
        simulation::set_free_bytes(free);
        EXPECT_TRUE(run(CHANNELS, 1, false) == expected);
        const std::string out = d_blocks.apart->statistics().output_edge;
        const std::string why = "host: the card has too little free memory for the ring";
        EXPECT_NE(out.find(why), std::string::npos) << out;
        EXPECT_EQ(out.find(" of 1024 streams stay on a card") != std::string::npos,
                  free > 0)
            << out;
        EXPECT_GT(d_blocks.together->statistics().bytes_up, 0u);
    }
}

TEST_F(ManyStreams, TakeNoMoreCallsForAChunk)
{
    GPUFFT_ONLY_SIMULATED("they count calls");
    EXPECT_LT(calls_for_a_chunk(256), calls_for_a_chunk(4) + 3);
}

// GNU Radio's cost of a call grows with the streams, and so does what a call can move.
TEST_F(ManyStreams, HaveBuffersForLargerChunks)
{
    const auto buffers_of = [&](int channels) {
        d_blocks = make(channels, 1, d_engine);
        const top_block_sptr flowgraph = make_top_block("buffers");
        std::vector<std::shared_ptr<recording_sink>> sinks;
        stream_data nothing;
        nothing.item_bytes = sizeof(gr_complex);
        flowgraph->connect(
            std::make_shared<scripted_source>(nothing), 0, d_blocks.apart, 0);
        for (int port = 0; port < channels; ++port) {
            sinks.push_back(std::make_shared<recording_sink>(sizeof(gr_complex)));
            flowgraph->connect(d_blocks.apart, port, sinks.back(), 0);
        }
        EXPECT_TRUE(runs(flowgraph));
        return channels *
               stream_buffers::bytes_of(sinks.front()->detail()->input(0)->buffer());
    };
    const double in_flight = 2 * chunk_pipeline::SLOTS * chunk_pipeline::CHUNK_BYTES;
    EXPECT_NEAR(buffers_of(100), in_flight, 0.1 * in_flight);
    EXPECT_NEAR(buffers_of(400), in_flight * 400 / 256, 0.1 * in_flight);
    EXPECT_EQ(chunk_pipeline::bytes_of_chunk(65536), chunk_pipeline::MOST_CHUNK_BYTES);
}

} // namespace gpufft
} // namespace gr
