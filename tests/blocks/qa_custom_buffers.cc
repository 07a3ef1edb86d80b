// SPDX-License-Identifier: GPL-3.0-or-later
//
// Neighbours with buffers of a type of their own, which are mapped once: GNU Radio moves
// what is in them between two calls, so nothing may be on its way then.

#include "device_test.h"
#include "stages.h"
#include "test_blocks.h"

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t SAMPLES = 30000;
constexpr long BUFFER_BYTES = 16384;

struct middle {
    const char* name;
    std::size_t n; // of an input item
    stage (*make)();
};

const middle MIDDLES[] = {
    { "Vectors",
      64,
      [] {
          return make_fft({ 64, false, true, true });
      } },
    { "Stream",
      1,
      [] {
          fft_parameters what{ 100 };
          what.stream = true;
          what.window = "hann";
          return make_fft(what);
      } },
    { "Overlap",
      1,
      [] {
          return make_spectrum({ 64, sample_format::cf32, 24, 1 });
      } },
    { "Mean",
      1,
      [] {
          return make_spectrum({ 32, sample_format::cf32, 50, 5 });
      } },
};

constexpr const char* WHERE[] = { "Nowhere", "Before", "After", "BeforeAndAfter" };

} // namespace

// source -> [custom copy] -> our block -> [custom copy] -> sink
class CustomBuffers : public DeviceTest,
                      public testing::WithParamInterface<std::tuple<int, int>>
{
};

TEST_P(CustomBuffers, AreReadAndWritten)
{
    const middle& what = MIDDLES[std::get<0>(GetParam())];
    const bool before = std::get<1>(GetParam()) & 1, after = std::get<1>(GetParam()) & 2;
    random_source random(1);
    stream_data data = random_floats(random, SAMPLES / what.n, 2 * what.n);
    add_random_tags(random, data, 30);
    stream_statistics seen;
    {
        const auto flowgraph = make_top_block("custom_buffers");
        std::vector<stage> stages = { what.make() };
        const auto ours = stages[0].ours[0];
        if (after)
            stages.push_back(make_custom_copy(stages[0].out_bytes));
        if (before)
            stages.insert(stages.begin(), make_custom_copy(data.item_bytes));
        gr::basic_block_sptr last = std::make_shared<scripted_source>(data, pace{ 999 });
        for (const stage& each : stages) { // short buffers: their ends come often
            std::dynamic_pointer_cast<gr::block>(each.block)
                ->set_max_output_buffer(BUFFER_BYTES / each.out_bytes);
            flowgraph->connect(last, 0, each.block, 0);
            last = each.block;
            data = each.expect(data);
        }
        const auto sink = std::make_shared<recording_sink>(stages.back().out_bytes);
        flowgraph->connect(last, 0, sink, 0);
        for (int run = 0; run < 2; run++) {
            ASSERT_TRUE(runs(flowgraph)) << "hangs";
            EXPECT_EQ(difference(data, sink->received(), false), "");
            EXPECT_EQ(ours->error(), "");
            EXPECT_EQ(ours->engine(), "cuda");
        }
        seen = ours->statistics();
    }
    const std::string why =
        before || after ? "host: a buffer of a custom type" : "host: ";
    EXPECT_EQ(seen.input_edge.find(why), 0u) << seen.input_edge;
    EXPECT_EQ(seen.output_edge.find(why), 0u) << seen.output_edge;
}

// source -> channelizer -> a sink for each channel, behind a custom copy for one of them
TEST_F(DeviceTest, CustomBuffersBehindOneOfSeveralStreams)
{
    constexpr int CHANNELS = 3;
    for (const char* engine : { "cuda", "cpu" }) {
        random_source random(1);
        const stream_data data = random_floats(random, SAMPLES, 2);
        stage_options how;
        how.engine = engine;
        const stage ours = make_channelizer_streams({ CHANNELS, CHANNELS, 10 }, how);
        const stage copy = make_custom_copy(ours.out_bytes);
        const stream_data all = ours.expect(data);
        const auto flowgraph = make_top_block("custom_buffers");
        flowgraph->connect(
            std::make_shared<scripted_source>(data, pace{ 999 }), 0, ours.block, 0);
        std::vector<std::shared_ptr<recording_sink>> sinks;
        for (int port = 0; port < CHANNELS; ++port) {
            sinks.push_back(std::make_shared<recording_sink>(ours.out_bytes));
            std::dynamic_pointer_cast<hier_block2>(ours.block)
                ->set_max_output_buffer(port, 700);
            if (port == 1) {
                flowgraph->connect(ours.block, port, copy.block, 0);
                flowgraph->connect(copy.block, 0, sinks.back(), 0);
            } else {
                flowgraph->connect(ours.block, port, sinks.back(), 0);
            }
        }
        ASSERT_TRUE(runs(flowgraph)) << "hangs";
        for (int port = 0; port < CHANNELS; ++port)
            EXPECT_EQ(difference(stream_of_port(all, CHANNELS, port),
                                 sinks[port]->received(),
                                 false),
                      "")
                << engine << ", port " << port;
    }
}

INSTANTIATE_TEST_SUITE_P(
    OnBothSides,
    CustomBuffers,
    testing::Combine(testing::Range(0, static_cast<int>(std::size(MIDDLES))),
                     testing::Range(0, static_cast<int>(std::size(WHERE)))),
    [](const auto& info) {
        return std::string(MIDDLES[std::get<0>(info.param)].name) + "_" +
               WHERE[std::get<1>(info.param)];
    });

} // namespace gpufft
} // namespace gr
