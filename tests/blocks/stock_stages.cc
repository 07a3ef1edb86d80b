// SPDX-License-Identifier: GPL-3.0-or-later
//
// Stock blocks, and stages in a row.

#include "stages.h"
#include "test_blocks.h"
#include <algorithm>
#include <cmath>
#include <gnuradio/blocks/copy.h>
#include <gnuradio/blocks/head.h>
#include <gnuradio/blocks/stream_to_vector.h>
#include <gnuradio/blocks/vector_to_stream.h>
#include <gnuradio/hier_block2.h>
#include <gnuradio/io_signature.h>
#include <spdlog/fmt/fmt.h>

namespace gr {
namespace gpufft {

stage make_head(std::size_t item_bytes, std::size_t count)
{
    stage result;
    result.text = fmt::format("head({})", count);
    result.block = gr::blocks::head::make(item_bytes, count);
    result.out_bytes = item_bytes;
    result.expect = [count](stream_data stream) {
        stream.truncate(count);
        return stream;
    };
    return result;
}

// A block of others that gives what it gets.
static stage
pass(const std::string& text, const basic_block_sptr& block, std::size_t item_bytes)
{
    stage result;
    result.text = text;
    result.block = block;
    result.out_bytes = item_bytes;
    result.expect = [](const stream_data& stream) { return stream; };
    return result;
}

stage make_copy(std::size_t item_bytes)
{
    return pass("copy", gr::blocks::copy::make(item_bytes), item_bytes);
}

stage make_custom_copy(std::size_t item_bytes)
{
    return pass("custom_copy", std::make_shared<custom_copy>(item_bytes), item_bytes);
}

stage make_vector_to_stream(std::size_t item_bytes, std::size_t n)
{
    stage result;
    result.text = fmt::format("vector_to_stream({})", n);
    result.block = gr::blocks::vector_to_stream::make(item_bytes, n);
    result.out_bytes = item_bytes;
    result.expect = [=](stream_data stream) {
        stream.item_bytes = item_bytes;
        for (tag_mark& tag : stream.tags)
            tag.offset *= n;
        return stream;
    };
    return result;
}

stage make_stream_to_vector(std::size_t item_bytes, std::size_t n)
{
    stage result;
    result.text = fmt::format("stream_to_vector({})", n);
    result.block = gr::blocks::stream_to_vector::make(item_bytes, n);
    result.out_bytes = item_bytes * n;
    result.expect = [=](stream_data stream) {
        const std::size_t count = stream.count() / n;
        stream.item_bytes = item_bytes * n;
        stream.items.resize(count * stream.item_bytes);
        if (!stream.errors.empty())
            stream.errors.resize(stream.items.size() / sizeof(float));
        for (tag_mark& tag : stream.tags)
            tag.offset = (2 * tag.offset + n) / (2 * n); // GNU Radio's rule: the nearest
        stream.truncate(count);
        return stream;
    };
    return result;
}

stream_data stream_of_port(const stream_data& vectors, int ports, int port)
{
    stream_data result = vectors;
    const std::size_t bytes = vectors.item_bytes / ports;
    const std::size_t floats = bytes / sizeof(float);
    result.item_bytes = bytes;
    result.items.clear();
    result.errors.clear();
    for (std::size_t i = 0; i < vectors.count(); ++i) {
        const auto item = vectors.items.begin() + (i * ports + port) * bytes;
        result.items.insert(result.items.end(), item, item + bytes);
        if (vectors.errors.empty())
            continue;
        const auto error = vectors.errors.begin() + (i * ports + port) * floats;
        result.errors.insert(result.errors.end(), error, error + floats);
    }
    return result;
}

// Each item so many times.
static stream_data multiplied(const stream_data& stream, int times)
{
    stream_data result = stream;
    const std::size_t bytes = stream.item_bytes, floats = bytes / sizeof(float);
    result.item_bytes = bytes * times;
    result.items.clear();
    result.errors.clear();
    for (std::size_t i = 0; i < stream.count(); ++i)
        for (int copy = 0; copy < times; ++copy) {
            const auto item = stream.items.begin() + i * bytes;
            result.items.insert(result.items.end(), item, item + bytes);
            if (stream.errors.empty())
                continue;
            const auto error = stream.errors.begin() + i * floats;
            result.errors.insert(result.errors.end(), error, error + floats);
        }
    return result;
}

static std::shared_ptr<gr::hier_block2> make_shell(std::size_t in_bytes,
                                                   const stage& last)
{
    return gr::make_hier_block2("hier",
                                gr::io_signature::make(1, 1, static_cast<int>(in_bytes)),
                                gr::io_signature::make(last.outputs,
                                                       last.outputs,
                                                       static_cast<int>(last.out_bytes)));
}

stage make_fan_in(const stage& of, int copied)
{
    stage result = of;
    const int item_bytes = of.block->input_signature()->sizeof_stream_item(0);
    result.out_bytes = of.block->output_signature()->sizeof_stream_item(0);
    const auto hier = make_shell(item_bytes, result);
    for (int port = 0; port < of.inputs; ++port) {
        if (copied > 0 && port % copied == 0) {
            const auto copy = gr::blocks::copy::make(item_bytes);
            hier->connect(hier, 0, copy, 0);
            hier->connect(copy, 0, of.block, port);
        } else {
            hier->connect(hier, 0, of.block, port);
        }
    }
    hier->connect(of.block, 0, hier, 0);
    result.block = hier;
    result.text = fmt::format("one stream for {}{}",
                              copied > 0 ? fmt::format("(1 of {} copied) ", copied) : "",
                              of.text);
    result.inputs = 1;
    result.expect = [of](const stream_data& stream) {
        return of.expect(multiplied(stream, of.inputs));
    };
    return result;
}

stage make_hier(const std::vector<stage>& inside, std::size_t in_bytes)
{
    stage result;
    result.out_bytes = inside.back().out_bytes;
    result.outputs = inside.back().outputs;
    result.reads_card = inside.front().reads_card;
    const auto hier = make_shell(in_bytes, inside.back());
    gr::basic_block_sptr last = hier;
    bool on_card = false;
    for (const stage& each : inside) {
        for (int port = 0; port < each.inputs; ++port)
            hier->connect(last, port, each.block, port);
        last = each.block;
        result.ours.insert(result.ours.end(), each.ours.begin(), each.ours.end());
        result.card_edges += each.card_edges + (on_card && each.reads_card);
        on_card = each.writes_card;
        result.text += (result.text.empty() ? "hier(" : " -> ") + each.text;
    }
    for (int port = 0; port < result.outputs; ++port)
        hier->connect(last, port, hier, port);
    result.writes_card = on_card;
    result.text += ")";
    result.block = hier;
    result.expect = [inside](stream_data stream) {
        for (const stage& each : inside)
            stream = each.expect(stream);
        return stream;
    };
    return result;
}

stream_data connect_chain(const top_block_sptr& flowgraph,
                          const basic_block_sptr& source,
                          const stream_data& data,
                          const std::vector<stage>& stages,
                          const std::vector<int>& buffers,
                          const basic_block_sptr& sink)
{
    stream_data expected = data;
    basic_block_sptr last = source;
    for (std::size_t i = 0; i < stages.size(); i++) {
        std::dynamic_pointer_cast<gr::block>(stages[i].block)
            ->set_max_output_buffer(buffers[std::min(i, buffers.size() - 1)]);
        flowgraph->connect(last, 0, stages[i].block, 0);
        last = stages[i].block;
        expected = stages[i].expect(expected);
    }
    flowgraph->connect(last, 0, sink, 0);
    return expected;
}

} // namespace gpufft
} // namespace gr
