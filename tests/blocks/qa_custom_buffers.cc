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
