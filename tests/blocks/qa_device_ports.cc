// SPDX-License-Identifier: GPL-3.0-or-later
//
// Users' functions with several inputs and outputs of different sizes, whose neighbours
// are on a card or not.

#include "device_test.h"
#include "port_function.h"
#include "stages.h"
#include "stream/function_plan.h"
#include "test_blocks.h"
#include <set>
#include <spdlog/fmt/fmt.h>

namespace gr {
namespace gpufft {

namespace {

typedef std::vector<device_input> inputs;
typedef std::vector<device_output> outputs;

// The ports that have a neighbour on the card; the others have one in host memory.
struct neighbours {
    std::set<std::size_t> before, behind;
};

struct run_options {
    engine_options engine = { "cuda" };
    int most_items = 0; // in a call; 0: no limit
    int buffer = 0;     // items; 0: GNU Radio's choice
    std::size_t frames = 20000;
    bool custom = false; // buffers of a custom type on both sides
    int runs = 2;
};

} // namespace

class DevicePorts : public DeviceTest
{
protected:
    random_source random{ 11 };

    // Runs the block between its neighbours and compares all outputs. Returns the block's
    // statistics.
    stream_statistics run(const device_ports& ports,
                          const neighbours& on_card = {},
                          const run_options& how = {},
                          long sound_calls = -1)
    {
        const top_block_sptr flowgraph = make_top_block("ports");
        block = device_block::make("mix",
                                   std::make_shared<port_function>(ports, sound_calls),
                                   ports,
                                   how.engine);
        std::vector<stage> stages;
        std::vector<stream_data> streams;
        for (std::size_t i = 0; i < ports.inputs.size(); ++i) {
            const device_input& port = ports.inputs[i];
            stream_data data = whole_numbers(
                how.frames * port.decimation + i, port.bytes / sizeof(float), i);
            const auto source = std::make_shared<scripted_source>(data);
            gr::block_sptr last = source;
            if (on_card.before.count(i)) {
                stages.push_back(
                    make_function({ port.bytes / sizeof(float) }, device_of(how)));
                data = stages.back().expect(data);
            } else if (how.custom) {
                stages.push_back(make_custom_copy(port.bytes));
            }
            if (on_card.before.count(i) || how.custom) {
                flowgraph->connect(source, 0, stages.back().block, 0);
                flowgraph->connect(stages.back().block, 0, block, static_cast<int>(i));
            } else {
                flowgraph->connect(source, 0, block, static_cast<int>(i));
            }
            data.kind = value_kind::exact;
            data.errors.clear();
            streams.push_back(data);
        }
        std::vector<std::shared_ptr<recording_sink>> sinks;
        std::vector<stream_data> expected = port_function::expect(ports, streams);
        for (std::size_t k = 0; k < ports.outputs.size(); ++k) {
            const std::size_t bytes = ports.outputs[k].bytes;
            sinks.push_back(std::make_shared<recording_sink>(bytes));
            const int port = static_cast<int>(k);
            if (on_card.behind.count(k)) {
                stages.push_back(
                    make_function({ bytes / sizeof(float) }, device_of(how)));
                expected[k] = stages.back().expect(expected[k]);
            } else if (how.custom) {
                stages.push_back(make_custom_copy(bytes));
            }
            if (on_card.behind.count(k) || how.custom) {
                flowgraph->connect(block, port, stages.back().block, 0);
                flowgraph->connect(stages.back().block, 0, sinks[k], 0);
            } else {
                flowgraph->connect(block, port, sinks[k], 0);
            }
        }
        if (how.buffer > 0) {
            block->set_max_output_buffer(how.buffer);
            for (const stage& each : stages)
                std::dynamic_pointer_cast<gr::block>(each.block)
                    ->set_max_output_buffer(how.buffer);
        }
        if (how.most_items > 0)
            block->set_max_noutput_items(how.most_items);
        for (int count = 0; count < how.runs; ++count) {
            if (!runs(flowgraph)) {
                ADD_FAILURE() << "hangs";
                return {};
            }
            if (sound_calls < 0) {
                EXPECT_EQ(block->error(), "");
            }
            for (std::size_t k = 0; k < sinks.size(); ++k)
                EXPECT_EQ(difference(expected[k], sinks[k]->received(), false), "")
                    << "output " << k << ", run " << count;
        }
        return block->statistics();
    }

    // Sums of small whole numbers are exact in any order.
    stream_data whole_numbers(std::size_t items, std::size_t floats, std::size_t port)
    {
        stream_data data = random_floats(random, items, floats);
        auto* const values = reinterpret_cast<float*>(data.items.data());
        for (std::size_t i = 0; i < items * floats; ++i)
            values[i] = static_cast<float>(pick(random, -100, 100));
        data.kind = value_kind::exact;
        data.errors.clear();
        add_random_tags(random, data, 20);
        for (tag_mark& tag : data.tags)
            tag.id += 1000 * static_cast<std::int64_t>(port);
        return data;
    }

    static stage_options device_of(const run_options& how)
    {
        stage_options options;
        options.on_error = how.engine.on_error;
        return options;
    }

    device_ports random_ports()
    {
        const auto size = [&] { return sizeof(float) * pick(random, 1, 5); };
        const auto ratio = [&] {
            return chance(random, 50) ? 1 : std::size_t(pick(random, 1, 6));
        };
        device_ports ports{ inputs(pick(random, 1, 3)), outputs(pick(random, 1, 3)) };
        for (device_input& each : ports.inputs)
            each = { size(),
                     ratio(),
                     std::size_t(chance(random, 50) ? 0 : pick(random, 1, 400)) };
        for (device_output& each : ports.outputs)
            each = { size(), ratio() };
        return ports;
    }

    void TearDown() override
    {
        block.reset(); // has loaded a kernel
        DeviceTest::TearDown();
    }

    device_block::sptr block;
};

static std::string text_of(const device_ports& ports)
{
    std::string text;
    for (const device_input& each : ports.inputs)
        text += fmt::format(
            "in {} bytes x {}, {} before; ", each.bytes, each.decimation, each.history);
    for (const device_output& each : ports.outputs)
        text += fmt::format("out {} bytes x {}; ", each.bytes, each.interpolation);
    return text;
}

TEST_F(DevicePorts, OnTheCardFromEndToEnd)
{
    const device_ports ports{ inputs{ { 8 }, { 4, 2, 3 }, { 24, 1 } },
                              outputs{ { 8 }, { 12, 3 } } };
    const stream_statistics now = run(ports, { { 0, 1, 2 }, { 0, 1 } });
    EXPECT_EQ(now.bytes_up, 0u);
    EXPECT_EQ(now.bytes_down, 0u);
    EXPECT_EQ(now.frames, 20000u);
    EXPECT_NE(now.input_edge.find(", 2 of 2 further inputs from a card"),
              std::string::npos)
        << now.input_edge;
    EXPECT_EQ(now.output_edge.find("device: "), 0u) << now.output_edge;
    EXPECT_EQ(block->engine(), "cuda");
}

TEST_F(DevicePorts, CrossTheLinkOnlyWhereTheNeighbourIsOnTheHost)
{
    const device_ports ports{ inputs{ { 8 }, { 4, 2 } }, outputs{ { 8, 3 }, { 16 } } };
    for (const std::size_t on_card : { 0, 1 }) {
        const stream_statistics now = run(ports, { { on_card }, { on_card } });
        EXPECT_EQ(now.bytes_up, 20000u * 8); // of the other input
        EXPECT_EQ(now.bytes_down, 20000u * (on_card == 0 ? 16 : 24));
        EXPECT_EQ(now.output_edge, "1 of 2 outputs stay on a card");
    }
}

TEST_F(DevicePorts, RandomSizesFromHostToHost)
{
    for (int count = 0; count < 24; ++count) {
        const device_ports ports = random_ports();
        run_options how;
        how.engine.engine = count % 3 == 0 ? "cpu" : "cuda";
        how.most_items = chance(random, 50) ? 0 : 13;
        how.frames = 3000;
        SCOPED_TRACE(how.engine.engine + ": " + text_of(ports));
        test_devices::refuse_registration(count % 4 == 1);
        run(ports, {}, how);
    }
}

TEST_F(DevicePorts, RandomNeighbours)
{
    for (int count = 0; count < 24; ++count) {
        const device_ports ports = random_ports();
        neighbours on_card;
        for (std::size_t i = 0; i < ports.inputs.size(); ++i)
            if (chance(random, 60))
                on_card.before.insert(i);
        for (std::size_t k = 0; k < ports.outputs.size(); ++k)
            if (chance(random, 60))
                on_card.behind.insert(k);
        run_options how;
        how.most_items = chance(random, 60) ? 0 : 200;
        how.buffer = chance(random, 50) ? 0 : 2000;
        how.frames = 3000;
        SCOPED_TRACE(text_of(ports));
        run(ports, on_card, how);
    }
}

TEST_F(DevicePorts, RowsLongerThanTheBuffers)
{
    const device_ports ports{ inputs{ { 4, 20000, 100 }, { 4 } },
                              outputs{ { 4, 3 }, { 4, 30000 } } };
    run_options how;
    how.frames = 12;
    for (const int most : { 0, 1000 })
        for (const std::set<std::size_t>& on_card :
             { std::set<std::size_t>{}, { 0 }, { 0, 1 } }) {
            how.most_items = most;
            run(ports, { on_card, on_card }, how);
        }
}

// A plan's call, as the CPU and blocks of little work make it, goes in chunks.
TEST_F(DevicePorts, MoreFramesAtOnceThanAChunk)
{
    const device_ports ports{ inputs{ { 4, 1 << 20 }, { 4, 3 } },
                              outputs{ { 4, 2 }, { 4 } } };
    std::vector<stream_data> streams;
    for (std::size_t i = 0; i < ports.inputs.size(); ++i)
        streams.push_back(whole_numbers(10 * ports.inputs[i].decimation, 1, i));
    const std::vector<stream_data> expected = port_function::expect(ports, streams);
    plan_options options;
    options.engine = engine_kind::cuda;
    const plan::uptr tested = make_function_plan(
        function_problem(ports), std::make_shared<port_function>(ports), ports, options);
    std::vector<std::vector<char>> received;
    for (const stream_data& each : expected)
        received.emplace_back(each.items.size());
    set_more_places(*tested, { { streams[1].items.data() }, { received[1].data() } });
    tested->execute(streams[0].items.data(), received[0].data(), 10);
    for (std::size_t k = 0; k < received.size(); ++k)
        EXPECT_TRUE(received[k] == expected[k].items) << "output " << k;
}

TEST_F(DevicePorts, BuffersOfACustomType)
{
    run_options how;
    how.custom = true;
    how.frames = 5000;
    for (const char* engine : { "cuda", "cpu" }) {
        how.engine.engine = engine;
        run({ inputs{ { 8 }, { 4, 2 } }, outputs{ { 8, 3 }, { 16 } } }, {}, how);
    }
}

// The card's work takes longer than the calls that queue it, and the rings are short.
TEST_F(DevicePorts, NothingIsOverwrittenUnderItsReaders)
{
    test_devices::set_speed({ 1e-4, 0, 5 });
    run_options how;
    how.buffer = 2000;
    how.frames = 40000;
    run({ inputs{ { 8 }, { 4, 2 } }, outputs{ { 8 }, { 4, 3 } } },
        { { 0, 1 }, { 0, 1 } },
        how);
}

TEST_F(DevicePorts, SeveralCardsKeepTheOrder)
{
    test_devices::set_speed({ 1e-4, 0, 3 });
    run_options how;
    how.engine.device = std::vector<int>{ 1, 0 };
    const device_ports ports{ inputs{ { 8, 1, 4 }, { 4, 2 } },
                              outputs{ { 8 }, { 4, 3 } } };
    run(ports, { { 0, 1 }, { 0 } }, how);
    run(ports, { { 1 }, {} }, how);
}

TEST_F(DevicePorts, TheCpuGoesOnAfterErrors)
{
    run_options how;
    how.engine.on_error = "cpu";
    how.runs = 1;
    const device_ports ports{ inputs{ { 8, 1, 4 }, { 4, 2 } },
                              outputs{ { 8 }, { 4, 3 } } };
    how.buffer = 2000;
    for (const neighbours& on_card :
         { neighbours{}, neighbours{ { 0, 1 }, { 0, 1 } }, neighbours{ { 1 }, { 0 } } }) {
        run(ports, on_card, how, 3);
        EXPECT_EQ(block->engine_reason(), "cpu: the function fails");
    }
}

TEST_F(DevicePorts, TheCpuGoesOnWhereACardFails)
{
    run_options how;
    how.engine.on_error = "cpu";
    how.runs = 1;
    how.buffer = 3000;
    const device_ports ports{ inputs{ { 8, 1, 4 }, { 4, 2 } },
                              outputs{ { 8 }, { 4, 3 } } };
    for (auto kind : { test_devices::fault::lost, test_devices::fault::asynchronous })
        for (long call = 20; call < 140; call += 13) {
            SCOPED_TRACE(call);
            test_devices::fail(kind, call);
            run(ports, { { 0 }, { 1 } }, how);
            test_devices::reset();
        }
}

} // namespace gpufft
} // namespace gr
