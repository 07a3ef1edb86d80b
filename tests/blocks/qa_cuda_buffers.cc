// SPDX-License-Identifier: GPL-3.0-or-later
//
// Neighbours of the module gr-cuda, for which cuda_stand_in stands in: the data stays on
// the card between its blocks and ours, in the order of the work, though neither waits.

#include "cuda_stand_in.h"
#include "device_test.h"
#include "port_function.h"
#include "stages.h"
#include "stream/cuda_buffers.h"
#include "test_blocks.h"

namespace gr {
namespace gpufft {

class CudaBuffers : public DeviceTest
{
protected:
    CudaBuffers() { cuda_buffers::s_make = cuda_buffer::make_buffer; }
    ~CudaBuffers() override { cuda_buffers::s_make = d_real; }

    // GNU Radio 3.10 has such a buffer own the block that owns it.
    void TearDown() override
    {
        for (const gr::block_sptr& each : made)
            each->set_detail(nullptr);
        made.clear();
        DeviceTest::TearDown();
    }

    static device_ports ports_of(bool in, bool out)
    {
        device_ports ports;
        ports.inputs[0].cuda_buffer = in;
        ports.outputs[0].cuda_buffer = out;
        return ports;
    }

    device_block::sptr make(const device_ports& ports)
    {
        const auto block = device_block::make(
            "mix", std::make_shared<port_function>(ports), ports, { "cuda" });
        made.push_back(block);
        return block;
    }

    // Runs the blocks, each of which is the identity or changes the sign, in a row.
    void run(const std::vector<gr::block_sptr>& blocks, int buffer, float factor)
    {
        random_source random(9);
        stream_data data = random_floats(random, 60000, 2);
        data.errors.clear();
        data.kind = value_kind::exact;
        add_random_tags(random, data, 30);
        const auto sink = std::make_shared<recording_sink>(data.item_bytes);
        const top_block_sptr flowgraph = make_top_block("cuda_buffers");
        gr::basic_block_sptr last = std::make_shared<scripted_source>(data);
        for (const gr::block_sptr& each : blocks) {
            if (buffer > 0)
                each->set_max_output_buffer(buffer);
            flowgraph->connect(last, 0, each, 0);
            last = each;
        }
        flowgraph->connect(last, 0, sink, 0);
        auto* const values = reinterpret_cast<float*>(data.items.data());
        for (std::size_t i = 0; i < data.items.size() / sizeof(float); ++i)
            values[i] *= factor;
        for (int count = 0; count < 2; ++count) {
            ASSERT_TRUE(runs(flowgraph)) << "hangs";
            EXPECT_EQ(difference(data, sink->received(), false), "");
        }
    }

    gr::block_sptr theirs()
    {
        made.push_back(std::make_shared<cuda_negate>(8));
        return made.back();
    }

    std::vector<gr::block_sptr> made; // so that their buffers go

private:
    const decltype(cuda_buffers::s_make) d_real = cuda_buffers::s_make;
};

TEST_F(CudaBuffers, FeedOursAndReadFromOurs)
{
    for (const int buffer : { 0, 3000 }) {
        const auto first = make(ports_of(true, false));
        const auto middle = make(device_ports());
        const auto last = make(ports_of(false, true));
        run({ theirs(), first, middle, last, theirs(), theirs() }, buffer, -1);
        for (const auto& each : { first, middle, last }) {
            EXPECT_EQ(each->error(), "");
            EXPECT_EQ(each->statistics().bytes_up, 0u);
            EXPECT_EQ(each->statistics().bytes_down, 0u);
        }
        EXPECT_EQ(first->statistics().input_edge, "device: a buffer of gr-cuda");
        EXPECT_EQ(last->statistics().output_edge, "device: buffers of gr-cuda");
    }
}

TEST_F(CudaBuffers, OnBothSidesOfABlock)
{
    for (const int buffer : { 0, 3000 }) {
        const auto ours = make(ports_of(true, true));
        const auto more = make(ports_of(true, true));
        run({ theirs(), ours, more, theirs(), theirs() }, buffer, -1);
        EXPECT_EQ(ours->statistics().bytes_up, 0u);
        EXPECT_EQ(more->statistics().bytes_down, 0u);
    }
}

// Then GNU Radio's buffer copies between host and card.
TEST_F(CudaBuffers, BesideBlocksOnTheHost)
{
    const long before = cuda_buffer::made();
    for (const int buffer : { 0, 3000 })
        run({ make(ports_of(true, true)) }, buffer, 1);
    EXPECT_GE(cuda_buffer::made(), before + 4);
}

TEST_F(CudaBuffers, BesideAnotherInputOfTheHost)
{
    device_ports ports;
    ports.inputs = { { 4 }, { 4 } };
    ports.inputs[1].cuda_buffer = true;
    ports.outputs[0] = { 4 };
    random_source random(2);
    std::vector<stream_data> streams;
    const top_block_sptr flowgraph = make_top_block("cuda_buffers");
    const auto block = make(ports);
    for (int port = 0; port < 2; ++port) {
        stream_data data = random_floats(random, 30000, 1);
        data.kind = value_kind::exact;
        data.errors.clear();
        gr::basic_block_sptr last = std::make_shared<scripted_source>(data);
        if (port == 1) {
            const gr::block_sptr between = std::make_shared<cuda_negate>(4);
            flowgraph->connect(last, 0, between, 0);
            last = between;
            made.push_back(between);
            auto* const values = reinterpret_cast<float*>(data.items.data());
            for (std::size_t i = 0; i < data.count(); ++i)
                values[i] = -values[i];
        }
        flowgraph->connect(last, 0, block, port);
        streams.push_back(data);
    }
    const auto sink = std::make_shared<recording_sink>(4);
    flowgraph->connect(block, 0, sink, 0);
    ASSERT_TRUE(runs(flowgraph)) << "hangs";
    EXPECT_EQ(block->error(), "");
    EXPECT_EQ(
        difference(port_function::expect(ports, streams)[0], sink->received(), false),
        "");
    EXPECT_EQ(block->statistics().bytes_up, 30000u * 4);
}

TEST_F(CudaBuffers, OfAnotherKindEndTheFlowgraph)
{
    const auto block = make(ports_of(true, false));
    const top_block_sptr flowgraph = make_top_block("cuda_buffers");
    random_source random(2);
    const auto source = std::make_shared<scripted_source>(random_floats(random, 100, 2));
    flowgraph->connect(source, 0, block, 0);
    flowgraph->connect(block, 0, std::make_shared<recording_sink>(8), 0);
    ASSERT_TRUE(runs(flowgraph));
    EXPECT_EQ(block->error(),
              "cuda_buffers: input 0 has no buffer of gr-cuda: its neighbour must be a "
              "block of that module");
}

// Blocks without the flag meet such a buffer as any of a custom type, in host memory.
TEST_F(CudaBuffers, WithoutTheFlag)
{
    const auto ours = make(device_ports());
    run({ theirs(), ours, theirs() }, 3000, 1);
    EXPECT_EQ(ours->statistics().input_edge,
              "host: a buffer of a custom type is on one side");
}

TEST_F(CudaBuffers, RefuseWhatCannotBe)
{
    const auto why = [](const device_ports& ports, const engine_options& options) {
        try {
            device_block::make(
                "mix", std::make_shared<port_function>(ports), ports, options);
        } catch (const std::invalid_argument& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_EQ(why(ports_of(true, false), { "cpu" }),
              "cuda_buffers: the engine must be cuda, but is cpu: asked for");
    EXPECT_EQ(why(ports_of(false, true), { "cuda", 0, "cpu" }),
              "cuda_buffers: on_error is cpu: must be stop");
    device_ports ports = ports_of(true, false);
    ports.inputs[0].history = 1;
    EXPECT_EQ(why(ports, { "cuda" }),
              "cuda_buffers: decimation and interpolation must be 1, and history 0");
    EXPECT_EQ(why(ports_of(true, false), { "cuda", std::vector<int>{ 0, 1 } }),
              "cuda_buffers: there must be one GPU");
}

} // namespace gpufft
} // namespace gr
