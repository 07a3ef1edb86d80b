// SPDX-License-Identifier: GPL-3.0-or-later
//
// Takes frames from all inputs, and gives rows to all outputs.

#include "ports_block.h"
#include "stream/cuda_buffers.h"
#include "stream/function_plan.h"
#include <algorithm>
#include <cstring>
#include <gnuradio/buffer_reader.h>
#include <spdlog/fmt/fmt.h>

namespace gr {
namespace gpufft {

ports_block::ports_block(const plan_settings& settings, const engine_options& options)
    : filter_block(settings, options),
      d_ports(*settings.ports),
      d_most_items(1)
{
    const std::size_t history = longest_history(d_ports);
    std::size_t most_taken = 1;
    for (const device_input& port : d_ports.inputs) {
        d_sizes.inputs.push_back(
            { port.decimation * port.bytes, history * port.bytes, port.cuda_buffer });
        most_taken = std::max(most_taken, port.decimation);
    }
    for (const device_output& port : d_ports.outputs) {
        d_sizes.rows.push_back(port.interpolation * port.bytes);
        d_sizes.rows_on_card.push_back(port.cuda_buffer);
        d_most_items = std::max(d_most_items, port.interpolation);
    }
    if (d_sizes.are_on_card())
        check_cuda_buffers(history == 0 && most_taken == 1 && d_most_items == 1, options);
    // GNU Radio makes each input buffer long enough for this ratio
    if (d_sizes.are_several())
        set_relative_rate(d_most_items, most_taken);
}

// A frame that is more than an item may lie at both ends of such a buffer, and the CPU
// cannot read it.
void ports_block::check_cuda_buffers(bool are_items, const engine_options& options) const
{
    const auto refuse = [](const std::string& why) {
        throw std::invalid_argument("cuda_buffers: " + why);
    };
    if (!are_items)
        refuse("decimation and interpolation must be 1, and history 0");
    if (engine() != "cuda")
        refuse("the engine must be cuda, but is " + engine_reason());
    if (options.on_error != "stop")
        refuse("on_error is " + options.on_error + ": must be stop");
    if (options.device.indices().size() != 1)
        refuse("there must be one GPU");
}

const port_sizes* ports_block::sizes() const
{
    return d_sizes.are_several() ? &d_sizes : nullptr;
}

bool ports_block::check_topology(int ninputs, int noutputs)
{
    const bool good = filter_block::check_topology(ninputs, noutputs);
    if (!sizes())
        return good;
    std::size_t most = d_sizes.most(); // bytes; all output buffers have as many items
    for (const device_output& port : d_ports.outputs)
        most = std::max(most, d_most_items * port.bytes);
    ask_for_output(std::max<std::size_t>(chunk_bytes() / most, 1) * d_most_items);
    return good;
}

bool ports_block::start()
{
    const bool good = filter_block::start();
    if (!sizes())
        return good;
    set_output_multiple(static_cast<int>(d_most_items));
    guarded([this] {
        check_neighbours();
        return 0;
    });
    d_rest.assign(d_ports.outputs.size(), {});
    d_delivered.assign(d_ports.outputs.size(), 0);
    return good;
}

// GNU Radio 3.10.5 gives an input a buffer of its type if the neighbour has one of that
// type, or none of its own and the output of the same number has that type.
void ports_block::check_neighbours()
{
    const auto check =
        [](bool wanted, const gr::buffer& buffer, const std::string& port) {
            if (wanted && !cuda_buffers::is_one(buffer))
                throw std::runtime_error(fmt::format(
                    "cuda_buffers: {} has no buffer of gr-cuda: its neighbour must "
                    "be a block of that module",
                    port));
        };
    for (std::size_t i = 0; i < d_ports.inputs.size(); ++i)
        check(d_ports.inputs[i].cuda_buffer,
              *detail()->input(static_cast<unsigned>(i))->buffer(),
              fmt::format("input {}", i));
    for (std::size_t k = 0; k < d_ports.outputs.size(); ++k)
        check(d_ports.outputs[k].cuda_buffer,
              *detail()->output(static_cast<unsigned>(k)),
              fmt::format("output {}", k));
}

// A frame of each input, if the first needs one.
void ports_block::forecast(int noutput_items, gr_vector_int& ninput_items_required)
{
    filter_block::forecast(noutput_items, ninput_items_required);
    if (!sizes())
        return;
    if (has_rest())
        ninput_items_required[0] = 0;
    for (std::size_t i = 1; i < ninput_items_required.size(); ++i)
        ninput_items_required[i] =
            ninput_items_required[0] == 0
                ? 0
                : static_cast<int>(d_sizes.inputs[i].history / d_ports.inputs[i].bytes +
                                   d_ports.inputs[i].decimation);
}

int ports_block::general_work(int noutput_items,
                              gr_vector_int& ninput_items,
                              gr_vector_const_void_star& input_items,
                              gr_vector_void_star& output_items)
{
    if (!sizes())
        return filter_block::general_work(
            noutput_items, ninput_items, input_items, output_items);
    return guarded_work([&] {
        return work_at_ports(noutput_items, ninput_items, input_items, output_items);
    });
}

int ports_block::work_at_ports(int noutput_items,
                               gr_vector_int& ninput_items,
                               gr_vector_const_void_star& input_items,
                               gr_vector_void_star& output_items)
{
    if (noutput_items == 0) // a limit on calls is shorter than a row
        set_output_multiple(1);
    if (has_rest())
        return deliver_rest(output_items, noutput_items);
    keep_tags(ninput_items);
    chunked_stream::work_buffers now = buffers_of_call(0, { ninput_items[0] });
    now.inputs = &input_items;
    now.outputs = &output_items;
    now.frames = frames_of(ninput_items);
    now.rows = noutput_items / d_most_items;
    const bool has_room = now.rows > 0 || !d_stream.is_idle();
    gr_vector_void_star held;
    if (!has_room) {
        held = hold_row();
        now.outputs = &held;
        now.rows = 1;
    }
    now.input = input_items[0];
    now.output = now.outputs->front();
    const chunked_stream::result next = step(now);
    forward_tags(next.rows, next.run.hop);
    consume(0, static_cast<int>(next.consumed / d_ports.inputs[0].bytes));
    for (std::size_t i = 1; i < d_ports.inputs.size(); ++i)
        consume(static_cast<int>(i),
                static_cast<int>(next.rows * d_ports.inputs[i].decimation));
    if (!has_room) {
        d_delivered.assign(d_delivered.size(), 0);
        if (next.rows == 0)
            d_rest.assign(d_rest.size(), {});
        return deliver_rest(output_items, noutput_items);
    }
    for (std::size_t k = 0; k < d_ports.outputs.size(); ++k)
        produce(static_cast<int>(k),
                static_cast<int>(next.rows * d_ports.outputs[k].interpolation));
    return WORK_CALLED_PRODUCE;
}

// That the inputs after the first have; the framer counts those of the first.
std::size_t ports_block::frames_of(const gr_vector_int& ninput_items) const
{
    std::size_t frames = chunked_stream::UNLIMITED;
    for (std::size_t i = 1; i < d_ports.inputs.size(); ++i) {
        const std::size_t bytes = ninput_items[i] * d_ports.inputs[i].bytes;
        const port_sizes::input& size = d_sizes.inputs[i];
        frames =
            std::min(frames, (std::max(bytes, size.history) - size.history) / size.frame);
    }
    return frames;
}

bool ports_block::has_rest() const
{
    for (std::size_t k = 0; k < d_rest.size(); ++k)
        if (d_delivered[k] < d_rest[k].size())
            return true;
    return false;
}

// The next row goes to this block's own memory.
gr_vector_void_star ports_block::hold_row()
{
    gr_vector_void_star held;
    for (std::size_t k = 0; k < d_rest.size(); ++k) {
        d_rest[k].resize(d_sizes.rows[k]);
        d_delivered[k] = d_sizes.rows[k];
        held.push_back(d_rest[k].data());
    }
    return held;
}

int ports_block::deliver_rest(const gr_vector_void_star& output_items, std::size_t items)
{
    for (std::size_t k = 0; k < d_rest.size(); ++k) {
        const std::size_t item = d_ports.outputs[k].bytes;
        const std::size_t bytes =
            std::min(items * item, d_rest[k].size() - d_delivered[k]);
        if (bytes > 0)
            std::memcpy(output_items[k], d_rest[k].data() + d_delivered[k], bytes);
        d_delivered[k] += bytes;
        produce(static_cast<int>(k), static_cast<int>(bytes / item));
    }
    return WORK_CALLED_PRODUCE;
}

} // namespace gpufft
} // namespace gr
