// SPDX-License-Identifier: GPL-3.0-or-later
//
// Blocks with int16 and int8 at both ends on a card, beside the same on the CPU: numbers
// to one step, bytes over the link, counts of what saturates, faults.

#include "blocks/item_format.h"
#include "device_test.h"
#include "stages.h"
#include "test_blocks.h"
#include <cstring>

namespace gr {
namespace gpufft {

namespace {

struct block_case {
    const char* name;
    stage_maker make;
    std::size_t in_samples = 1; // in an item
};

std::vector<block_case> all_blocks()
{
    const auto with = [](auto make, auto what) {
        return [=](const stage_options& how) { return make(what, how); };
    };
    return {
        { "filter", with(make_filter, filter_parameters{ 3, 33 }) },
        { "channels", with(make_channel_streams, channel_parameters()) },
        { "streams", with(make_channelizer_streams, channelizer_parameters{ 5, 4, 21 }) },
        { "vectors", with(make_channelizer, channelizer_parameters{ 16, 16, 48 }) },
        { "synthesizer", with(make_synthesizer, synthesizer_parameters{ 8, 4, 24 }), 8 },
        { "fft", with(make_fft, fft_parameters{ 16 }), 16 }
    };
}

template <class Integer>
int largest_step(const std::vector<char>& a, const std::vector<char>& b)
{
    int most = 0;
    for (std::size_t i = 0; i < a.size(); i += sizeof(Integer)) {
        Integer x, y;
        std::memcpy(&x, &a[i], sizeof(x));
        std::memcpy(&y, &b[i], sizeof(y));
        most = std::max(most, std::abs(x - y));
    }
    return most;
}

} // namespace

class FormatEdges : public DeviceTest
{
protected:
    static constexpr std::size_t SAMPLES = 100000;

    // What comes out of each port; `statistics` are the block's then.
    static std::vector<stream_data> outputs(const block_case& block,
                                            const stage_options& how,
                                            const stream_data& data,
                                            stream_statistics& statistics,
                                            test_devices::fault fault,
                                            long call)
    {
        const stage made = block.make(how);
        const gr::io_signature::sptr out = made.block->output_signature();
        const top_block_sptr flowgraph = make_top_block("formats");
        flowgraph->connect(std::make_shared<scripted_source>(data), 0, made.block, 0);
        std::vector<std::shared_ptr<recording_sink>> sinks;
        for (int port = 0; port < made.outputs; ++port) {
            sinks.push_back(
                std::make_shared<recording_sink>(out->sizeof_stream_item(port)));
            flowgraph->connect(made.block, port, sinks.back(), 0);
        }
        if (call > 0)
            test_devices::fail(fault, call);
        EXPECT_TRUE(runs(flowgraph));
        statistics = made.ours.front()->statistics();
        EXPECT_EQ(made.ours.front()->error(), "");
        std::vector<stream_data> all;
        for (const auto& sink : sinks)
            all.push_back(sink->received());
        return all;
    }

    template <class Integer>
    static void compare(const block_case& block,
                        const char* format,
                        test_devices::fault fault = test_devices::fault::none,
                        long call = 0)
    {
        SCOPED_TRACE(std::string(block.name) + " " + format);
        random_source random(7);
        stream_data data = random_integers(random, 2 * SAMPLES, sizeof(Integer));
        data.item_bytes = 2 * sizeof(Integer) * block.in_samples;
        data.truncate(data.items.size() / data.item_bytes);
        stage_options how;
        how.formats = { format, format, 0.3 };
        how.on_error = call > 0 ? "cpu" : "stop";
        how.device_timeout = 0.5;
        stage_options on_cpu = how;
        on_cpu.engine = "cpu";
        stream_statistics of_card, of_cpu;
        const auto expected =
            outputs(block, on_cpu, data, of_cpu, test_devices::fault::none, 0);
        const auto got = outputs(block, how, data, of_card, fault, call);
        ASSERT_EQ(got.size(), expected.size());
        std::size_t bytes = 0;
        for (std::size_t port = 0; port < got.size(); ++port) {
            ASSERT_EQ(got[port].items.size(), expected[port].items.size());
            EXPECT_GT(got[port].count(), 0u);
            EXPECT_LE(largest_step<Integer>(got[port].items, expected[port].items), 1);
            bytes += got[port].items.size();
        }
        EXPECT_GT(of_cpu.saturated, 0u);
        if (call > 0)
            return;
        EXPECT_EQ(of_card.bytes_down, bytes);
        EXPECT_NEAR(double(of_card.saturated),
                    double(of_cpu.saturated),
                    1e-3 * double(of_cpu.saturated) + 2);
    }
};

TEST(ItemFormats, TheScaleIsAFactorOfTheProblem)
{
    problem what;
    what.scale = 0.5;
    apply_formats({ "", "cs16", 3.0 }, what);
    EXPECT_EQ(what.scale, 1.5);
    EXPECT_EQ(what.stored, number_format::s16);
}

TEST_F(FormatEdges, IntegersAreThoseOfTheCpu)
{
    for (const block_case& each : all_blocks()) {
        compare<std::int16_t>(each, "cs16");
        compare<std::int8_t>(each, "cs8");
    }
}

TEST_F(FormatEdges, TheCpuGoesOnWhereACardFails)
{
    GPUFFT_ONLY_SIMULATED("cards fail in tests of their own");
    int struck = 0;
    for (const block_case& each : all_blocks())
        for (const auto fault :
             { test_devices::fault::once, test_devices::fault::asynchronous })
            for (const long call : { 17, 60 }) {
                compare<std::int16_t>(each, "cs16", fault, call);
                struck += test_devices::struck();
                test_devices::reset();
            }
    EXPECT_GT(struck, 5);
}

} // namespace gpufft
} // namespace gr
