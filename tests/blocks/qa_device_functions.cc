// SPDX-License-Identifier: GPL-3.0-or-later
//
// Users' functions between our blocks: the data stays on the card, whatever the function
// does to the number of items; several cards keep the order; errors of the function and
// of the card.

#include "device_test.h"
#include "stages.h"
#include "test_blocks.h"
#include <algorithm>
#include <gnuradio/gpufft/device_block.h>

namespace gr {
namespace gpufft {

class DeviceFunctions : public DeviceTest
{
protected:
    // source -> stages -> sinks, whose buffers hold at most `buffer` items.
    void run(const std::vector<stage>& stages,
             int buffer,
             std::size_t item_floats = 2,
             std::size_t items = 150000)
    {
        random_source random(3);
        stream_data data = random_floats(random, items, item_floats);
        add_random_tags(random, data, 30);
        const auto sink = std::make_shared<recording_sink>(stages.back().out_bytes);
        const top_block_sptr flowgraph = make_top_block("functions");
        const stream_data expected =
            connect_chain(flowgraph,
                          std::make_shared<scripted_source>(data),
                          data,
                          stages,
                          { buffer },
                          sink);
        ASSERT_TRUE(runs(flowgraph));
        for (const stage& each : stages)
            for (const auto& block : each.ours)
                EXPECT_EQ(block->error(), "");
        EXPECT_EQ(difference(expected, sink->received(), false), "");
        EXPECT_GT(sink->count(), 0u);
    }

    static stage forward() { return make_fft({ 64, false, true, false, true }); }
    static stage inverse() { return make_fft({ 64, false, false, false, true }); }

    // All data between the stages stays on the card.
    static void expect_on_card(const std::vector<stage>& stages)
    {
        for (std::size_t i = 0; i < stages.size(); ++i) {
            const stream_statistics now = stages[i].ours[0]->statistics();
            EXPECT_EQ(now.bytes_up > 0, i == 0) << stages[i].text;
            EXPECT_EQ(now.bytes_down > 0, i + 1 == stages.size()) << stages[i].text;
            if (i > 0) {
                EXPECT_EQ(now.input_edge.find("device: "), 0u) << now.input_edge;
            }
        }
    }
};

TEST_F(DeviceFunctions, StandBetweenTransformsOnTheCard)
{
    const std::vector<stage> stages = { forward(), make_function({}), inverse() };
    run(stages, 9000);
    expect_on_card(stages);
    EXPECT_EQ(stages[1].ours[0]->engine(), "cuda");
    EXPECT_EQ(stages[1].ours[0]->engine_reason(), "cuda: asked for");
    if (!test_devices::are_cards()) {
        EXPECT_EQ(stages[1].ours[0]->describe(), "negate, simulated device 0");
    }
}

TEST_F(DeviceFunctions, ChangeTheNumberOfItems)
{
    const function_parameters cases[] = { { 2, 1, 1, 0 },  { 2, 4, 1, 0 },
                                          { 2, 1, 3, 0 },  { 2, 5, 2, 0 },
                                          { 2, 1, 1, 7 },  { 2, 3, 1, 2 },
                                          { 2, 2, 5, 9 },  { 2, 1, 2, 10000 },
                                          { 2, 7, 7, 100 } };
    for (const function_parameters& each : cases) {
        const std::vector<stage> stages = { forward(), make_function(each), inverse() };
        SCOPED_TRACE(stages[1].text);
        run(stages, 30000);
        expect_on_card(stages);
    }
}

TEST_F(DeviceFunctions, FromHostToHost)
{
    const function_parameters cases[] = { { 2, 1, 1, 0 },
                                          { 1, 3, 2, 5 },
                                          { 60, 1, 1, 3 } };
    for (const function_parameters& each : cases)
        for (const char* engine : { "cuda", "cpu" })
            for (bool refused : { false, true }) {
                stage_options how;
                how.engine = engine;
                const std::vector<stage> stages = { make_function(each, how) };
                SCOPED_TRACE(stages[0].text);
                test_devices::refuse_registration(refused);
                run(stages, 5000, each.item_floats, 60000);
                EXPECT_EQ(stages[0].ours[0]->engine(), engine);
            }
}

TEST_F(DeviceFunctions, VectorsOfAnyLength)
{
    for (std::size_t n : { 1, 3, 60, 500 }) {
        const std::vector<stage> stages = { make_fft({ n }),
                                            make_function({ 2 * n, 2, 3, 1 }),
                                            make_fft({ n, false, false }) };
        SCOPED_TRACE(n);
        run(stages, 200, 2 * n, 300);
        expect_on_card(stages);
    }
}

TEST_F(DeviceFunctions, BuffersOfACustomType)
{
    const std::vector<stage> stages = { make_custom_copy(8),
                                        make_function({ 2, 3, 2 }),
                                        make_custom_copy(8) };
    run(stages, 9000);
    EXPECT_GT(stages[1].ours[0]->statistics().frames, 0u);
}

TEST_F(DeviceFunctions, SeveralCardsKeepTheOrder)
{
    test_devices::set_speed({ 1e-4, 0, 3 });
    for (std::size_t history : { 0, 4 })
        run({ make_fft({ 64, false, true, false, true }, { { 0, 1, 2 }, "stop" }),
              make_function({ 2, 2, 3, history }, { { 1, 0 }, "cpu" }),
              inverse() },
            9000);
}

TEST_F(DeviceFunctions, HaveSeveralOutputs)
{
    random_source random(5);
    stream_data data = random_floats(random, 40000, 2);
    add_random_tags(random, data, 20);
    const stage before = forward();
    const stage split = make_function({ 2, 2, 1, 1, 3 });
    const top_block_sptr flowgraph = make_top_block("outputs");
    flowgraph->connect(std::make_shared<scripted_source>(data), 0, before.block, 0);
    flowgraph->connect(before.block, 0, split.block, 0);
    std::vector<stage> after;
    std::vector<std::shared_ptr<recording_sink>> sinks;
    for (int port = 0; port < 3; ++port) {
        after.push_back(inverse());
        sinks.push_back(std::make_shared<recording_sink>(sizeof(gr_complex)));
        flowgraph->connect(split.block, port, after[port].block, 0);
        flowgraph->connect(after[port].block, 0, sinks[port], 0);
    }
    ASSERT_TRUE(runs(flowgraph));
    const stream_data rows = split.expect(before.expect(data));
    for (int port = 0; port < 3; ++port) {
        const stream_data expected = after[port].expect(stream_of_port(rows, 3, port));
        EXPECT_EQ(difference(expected, sinks[port]->received(), false), "") << port;
        EXPECT_EQ(after[port].ours[0]->statistics().bytes_up, 0u);
    }
    EXPECT_EQ(split.ours[0]->statistics().bytes_down, 0u);
}

TEST_F(DeviceFunctions, TheirErrorsEndTheFlowgraph)
{
    const std::vector<stage> stages = { forward(), make_function({}, {}, 5), inverse() };
    random_source random(7);
    const stream_data data = random_floats(random, 100000, 2);
    const top_block_sptr flowgraph = make_top_block("failing");
    const auto sink = std::make_shared<recording_sink>(sizeof(gr_complex));
    connect_chain(flowgraph,
                  std::make_shared<scripted_source>(data, pace(), 0), // for ever
                  data,
                  stages,
                  { 9000 },
                  sink);
    ASSERT_TRUE(runs(flowgraph));
    EXPECT_EQ(stages[1].ours[0]->error(), "the function fails");
}

TEST_F(DeviceFunctions, TheCpuGoesOnAfterTheirErrors)
{
    const std::vector<stage> stages = {
        forward(), make_function({ 2, 3, 2, 4 }, { { 0 }, "cpu" }, 5), inverse()
    };
    run(stages, 9000);
    EXPECT_EQ(stages[1].ours[0]->engine(), "cpu");
    EXPECT_EQ(stages[1].ours[0]->engine_reason(), "cpu: the function fails");
}

TEST_F(DeviceFunctions, TheCpuGoesOnWhereACardFails)
{
    const stage_options how{ { 0 }, "cpu" };
    for (auto kind : { test_devices::fault::lost, test_devices::fault::asynchronous })
        for (long call : { 22, 27, 33, 41, 50, 60, 75, 90 }) {
            const std::vector<stage> stages{
                make_fft({ 64, false, true, false, true }, how),
                make_function({ 2, 3, 2, 4 }, how),
                make_fft({ 64, false, false, false, true }, how)
            };
            test_devices::fail(kind, call);
            run(stages, 9000);
            EXPECT_TRUE(test_devices::struck());
            test_devices::reset();
        }
}

// Its engine is the only one that it knows.
class function_of_cards : public device_function
{
public:
    std::string name() const override { return "of cards"; }
    std::string obstacle(engine_kind engine) const override
    {
        return engine == engine_kind::cuda ? "" : "it needs a card";
    }
    void compute(const device_call&) override {}
};

// Copies, on the CPU.
class counting_function : public device_function
{
public:
    std::string name() const override { return "count"; }
    void begin() override { ++begins; }
    void compute(const device_call& call) override
    {
        ++calls_after.at(begins);
        std::copy_n(static_cast<const float*>(call.input),
                    call.frames,
                    static_cast<float*>(call.output));
    }
    std::size_t begins = 0;
    std::vector<int> calls_after = std::vector<int>(3); // so many begins
};

TEST_F(DeviceFunctions, AreToldOfEachStart)
{
    const auto function = std::make_shared<counting_function>();
    const device_ports ports{ { { sizeof(float) } }, { { sizeof(float) } } };
    const auto block = device_block::make("count", function, ports, { "cpu" });
    random_source random(3);
    const stream_data data = random_floats(random, 1000, 1);
    const auto sink = std::make_shared<recording_sink>(sizeof(float));
    const top_block_sptr flowgraph = make_top_block("starts");
    flowgraph->connect(std::make_shared<scripted_source>(data), 0, block, 0);
    flowgraph->connect(block, 0, sink, 0);
    for (std::size_t run = 1; run <= 2; ++run) {
        ASSERT_TRUE(runs(flowgraph));
        EXPECT_EQ(function->begins, run);
        EXPECT_GT(function->calls_after[run], 0);
    }
    EXPECT_EQ(function->calls_after[0], 0);
}

TEST_F(DeviceFunctions, RefuseWhatIsOutOfRange)
{
    const auto make = [](const device_ports& ports, const engine_options& options) {
        try {
            device_block::make(
                "refused", std::make_shared<function_of_cards>(), ports, options);
        } catch (const std::invalid_argument& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    const engine_options cuda{ "cuda" };
    EXPECT_EQ(make({}, cuda), "");
    EXPECT_EQ(make({}, { "cpu" }), "engine is cpu: it needs a card");
    EXPECT_EQ(make({}, { "cuda", 0, "cpu" }), "on_error is cpu: it needs a card");
    typedef std::vector<device_input> inputs;
    typedef std::vector<device_output> outputs;
    EXPECT_EQ(make({ inputs{ { 0 } } }, cuda),
              "input_bytes is 0: must be 1 ... 1073741824");
    EXPECT_EQ(make({ inputs{ { 8 }, { 8, 0 } } }, cuda),
              "decimation is 0: must be 1 ... 134217728");
    EXPECT_EQ(make({ inputs{ {} }, outputs{ { 8 }, { 4, 0 } } }, cuda),
              "interpolation is 0: must be 1 ... 268435456");
    EXPECT_EQ(make({ inputs{ { 8, 2, 134217728 } } }, cuda),
              "history is 134217728: must be 0 ... 134217726");
    EXPECT_EQ(make({ inputs() }, cuda), "number of inputs is 0: must be 1 ... 1024");
    EXPECT_EQ(make({ inputs(1), outputs(1025) }, cuda),
              "number of outputs is 1025: must be 1 ... 1024");
}

} // namespace gpufft
} // namespace gr
