// SPDX-License-Identifier: GPL-3.0-or-later
//
// Begins and ends runs.

#include "chunked_stream.h"
#include "engine/device_watch.h"
#include "streams_input.h"
#include "streams_output.h"
#include <algorithm>

namespace gr {
namespace gpufft {

namespace {

bool is_double_mapped(const gr::buffer_sptr& buffer)
{
    return buffer->get_mapping_type() == gr::buffer_mapping_type::double_mapped;
}

} // namespace

std::size_t chunked_stream::samples_at_once(gr::block_detail& detail,
                                            std::size_t n,
                                            std::size_t sample_bytes)
{
    std::size_t samples = SIZE_MAX;
    for (int port = 0; port < detail.ninputs(); ++port) {
        const gr::buffer_sptr buffer = detail.input(port)->buffer();
        const std::size_t bytes = buffer->get_sizeof_item() * detail.ninputs();
        const bool shows = is_double_mapped(buffer) || bytes >= n * sample_bytes;
        samples = std::min(samples, shows ? buffer->bufsize() * bytes / sample_bytes : 0);
    }
    return samples;
}

chunked_stream::chunked_stream(live_plan& plan, gr::logger_ptr logger)
    : d_plan(plan),
      d_logger(std::move(logger))
{
}

chunked_stream::~chunked_stream()
{
    const device_patience patience(d_plan.device_timeout());
    stop();
}

void chunked_stream::start(gr::block_detail& detail,
                           const framer& frames,
                           std::function<void()> begin_mean,
                           const row_streams* inputs,
                           const row_streams* outputs)
{
    d_begin_mean = std::move(begin_mean);
    d_plan.set_restore_mean([this] { restore_mean(); });
    d_plan.begin_stream();
    const problem& what = d_plan.current().what();
    d_sample_bytes = what.input_item_bytes();
    d_row_bytes = frame_layout(what).row_bytes();
    d_input_samples = samples_at_once(detail, 0, d_sample_bytes);
    d_rows.start(inputs, outputs);
    d_out_bytes = outputs ? outputs->item_bytes : d_row_bytes;
    d_inputs.clear();
    d_outputs.clear();
    for (int port = 0; port < detail.ninputs(); ++port)
        d_inputs.push_back(detail.input(port)->buffer());
    for (int port = 0; port < detail.noutputs(); ++port)
        d_outputs.push_back(detail.output(port));
    const std::string at_once = why_at_once(frames);
    d_in_chunks = at_once.empty();
    d_transfer = std::make_unique<chunk_transfer>(
        d_plan, d_statistics, d_in_chunks ? make_input() : nullptr, make_output());
    d_statistics.begin(at_once, d_plan);
}

std::unique_ptr<chunk_input> chunked_stream::make_input()
{
    const auto can = d_plan.goes_on_with_cpu() ? stream_edge::reader::of_either
                                               : stream_edge::reader::of_card;
    if (d_rows.joins())
        return std::make_unique<streams_input>(
            d_inputs, d_rows.inputs(), d_rows.maps(), can, d_plan.devices(), d_logger);
    return std::make_unique<buffer_input>(
        d_inputs.front(), can, d_plan.devices(), d_logger);
}

std::unique_ptr<chunk_output> chunked_stream::make_output()
{
    if (d_rows.splits())
        return std::make_unique<streams_output>(d_outputs, d_rows.outputs(), d_logger);
    return std::make_unique<buffer_output>(d_outputs.front(), d_logger);
}

// Why each call computes its samples at once and waits for them; "" if chunks stay in
// flight across calls.
std::string chunked_stream::why_at_once(const framer& frames) const
{
    if (!d_plan.is_on_cuda())
        return "host: the engine is cpu";
    if (!std::all_of(d_inputs.begin(), d_inputs.end(), is_double_mapped) ||
        !std::all_of(d_outputs.begin(), d_outputs.end(), is_double_mapped))
        return "host: a buffer of a custom type is on one side";
    if (frames.is_collecting())
        return "host: the input buffer is too short for two frames";
    return "";
}

void chunked_stream::stop() noexcept
{
    if (d_transfer) {
        try {
            d_transfer->settle(d_queue.outstanding(), 0);
            d_statistics.count_saturated(d_plan);
        } catch (const std::exception&) {
            // these chunks were returned; a reader on the card meets their failure
        }
        drop_all();
    }
    d_transfer.reset();
    d_inputs.clear();
    d_outputs.clear();
    d_rows.start(nullptr, nullptr);
    d_mean = saved_mean();
    d_begin_mean = nullptr;
    d_plan.set_restore_mean(nullptr);
    d_in_chunks = false;
}

} // namespace gpufft
} // namespace gr
