// SPDX-License-Identifier: GPL-3.0-or-later
//
// Turns frames into rows.

#include "transform_base.h"
#include <algorithm>
#include <cstring>
#include <gnuradio/block_detail.h>
#include <gnuradio/buffer_reader.h>
#include <limits>
#include <spdlog/fmt/fmt.h>

namespace gr {
namespace gpufft {

namespace {

gr::io_signature::sptr port(std::size_t item_bytes, std::size_t items, port_kind ports)
{
    constexpr std::size_t most = std::numeric_limits<int>::max();
    if (ports == port_kind::samples)
        items = 1;
    if (items > most / item_bytes)
        throw std::invalid_argument(
            fmt::format("a vector of {} items is too long: vector ports end at {}; use "
                        "vlen=1, plain streams",
                        items,
                        most / item_bytes));
    return gr::io_signature::make(1, 1, static_cast<int>(item_bytes * items));
}

} // namespace

gr::io_signature::sptr transform_base::input_port(const problem& what, port_kind ports)
{
    return port(what.input_item_bytes(), what.frame_samples(), ports);
}

gr::io_signature::sptr transform_base::output_port(const problem& what, port_kind ports)
{
    return port(what.output_item_bytes(), what.row_bins(), ports);
}

transform_base::transform_base(const plan_settings& settings,
                               const engine_options& options,
                               port_kind ports)
    : engine_base(*this, d_logger, settings, options),
      d_ports(ports),
      d_frame(settings.what.frame_samples()),
      d_row(settings.what.row_bins()),
      d_samples_in_item(ports == port_kind::vectors ? d_frame : 1),
      d_bins_in_item(ports == port_kind::vectors ? d_row : 1),
      d_sample_bytes(settings.what.input_item_bytes()),
      d_bin_bytes(settings.what.output_item_bytes()),
      d_framer(d_frame, d_sample_bytes)
{
    if (ports == port_kind::samples)
        set_relative_rate(d_row, d_frame);
}

bool transform_base::check_topology(int, int)
{
    const std::size_t row_bytes = d_row * d_bin_bytes;
    const std::size_t items = d_ports == port_kind::vectors
                                  ? chunk_bytes() / row_bytes
                                  : stream_chunk(d_row, d_bin_bytes);
    // GNU Radio makes the input buffer larger by this factor.
    const std::size_t ratio =
        std::max<std::size_t>(d_frame * d_sample_bytes / row_bytes, 1);
    ask_for_output(std::max<std::size_t>(items / ratio, 1));
    return true;
}

bool transform_base::start()
{
    begin_run();
    set_output_multiple(1);
    d_rest.clear();
    d_delivered = 0;
    guarded([this] {
        d_framer.start(
            chunked_stream::samples_at_once(*detail(), d_frame, d_sample_bytes), 0);
        d_stream.start(*detail(), d_framer);
        return 0;
    });
    return true;
}

bool transform_base::stop()
{
    end_run();
    return true;
}

// Chunks in flight leave at least a frame in the input buffer, so that GNU Radio calls
// work() until they are done.
void transform_base::forecast(int, gr_vector_int& ninput_items_required)
{
    const bool goes_on = d_delivered < d_rest.size() || is_unread();
    const std::size_t wanted =
        std::max<std::size_t>(d_framer.wanted() / d_samples_in_item, 1);
    ninput_items_required[0] = goes_on ? 0 : static_cast<int>(wanted);
}

int transform_base::general_work(int noutput_items,
                                 gr_vector_int& ninput_items,
                                 gr_vector_const_void_star& input_items,
                                 gr_vector_void_star& output_items)
{
    return guarded_work([&] {
        if (d_delivered < d_rest.size())
            return deliver_rest(output_items[0], noutput_items);

        chunked_stream::work_buffers now;
        now.input = input_items[0];
        now.samples = ninput_items[0] * d_samples_in_item;
        now.output = output_items[0];
        now.rows = noutput_items * d_bins_in_item / d_row;
        now.bytes_read = nitems_read(0) * d_samples_in_item * d_sample_bytes;
        now.bytes_written = nitems_written(0) * d_bins_in_item * d_bin_bytes;
        const bool has_room = now.rows > 0 || d_stream.samples_in_flight() > 0;
        if (!has_room) {
            d_rest.resize(d_row * d_bin_bytes);
            now.output = d_rest.data();
            now.rows = 1;
        }
        const chunked_stream::result next = d_stream.step(now, d_framer);
        d_delivered = has_room || next.rows == 0 ? d_rest.size() : 0;
        forward_tags(next.run, next.consumed);
        consume(0, static_cast<int>(next.consumed / d_samples_in_item));
        return has_room ? static_cast<int>(next.rows * d_row / d_bins_in_item)
                        : deliver_rest(output_items[0], noutput_items);
    });
}

int transform_base::deliver_rest(void* output, std::size_t items)
{
    const std::size_t bytes = std::min(items * d_bin_bytes, d_rest.size() - d_delivered);
    std::memcpy(output, d_rest.data() + d_delivered, bytes);
    d_delivered += bytes;
    return static_cast<int>(bytes / d_bin_bytes);
}

void transform_base::forward_tags(const framer::run& next, std::size_t consumed)
{
    if (!passes_tags())
        return;
    const std::uint64_t begin = nitems_read(0);
    std::vector<tag_t> tags;
    get_tags_in_range(tags, 0, begin, begin + consumed / d_samples_in_item);
    for (tag_t& tag : tags) {
        const std::size_t frame = next.frame_of((tag.offset - begin) * d_samples_in_item);
        tag.offset = nitems_written(0) + frame * d_row / d_bins_in_item;
        add_item_tag(0, tag);
    }
}

} // namespace gpufft
} // namespace gr
