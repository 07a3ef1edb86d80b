// SPDX-License-Identifier: GPL-3.0-or-later
//
// Turns streams of samples into rows of power.

#include "spectrum_base.h"
#include <algorithm>
#include <gnuradio/block_detail.h>
#include <gnuradio/buffer_reader.h>
#include <stdexcept>

namespace gr {
namespace gpufft {

spectrum_base::spectrum_base(const plan_settings& settings,
                             const engine_options& options,
                             std::size_t items_per_sample)
    : engine_base(*this, d_logger, settings, options),
      d_items_per_sample(items_per_sample),
      d_what(settings.what),
      d_framer(settings.what.span_items(), settings.what.input_item_bytes())
{
}

// While GNU Radio sizes the buffers on both sides, the block claims to produce rows in
// groups.
bool spectrum_base::check_topology(int, int)
{
    const std::size_t samples =
        stream_chunk(d_what.span_items(), d_what.input_item_bytes());
    const std::size_t rows = ask_for_output(std::max<std::size_t>(
        std::min(samples / d_what.average / d_what.hop_items(),
                 chunk_bytes() / (d_what.row_items() * d_what.output_item_bytes())),
        1));
    set_relative_rate(1, std::max<std::size_t>(samples / rows, 1) * d_items_per_sample);
    return true;
}

bool spectrum_base::start()
{
    begin_run();
    set_output_multiple(1);
    guarded([this] {
        d_plan.current();
        d_plan.reset_average();
        d_framer.start(chunked_stream::samples_at_once(
                           *detail(), d_what.span_items(), d_what.input_item_bytes()),
                       begin());
        d_stream.start(*detail(), d_framer, [this] { begin(); });
        return 0;
    });
    return true;
}

bool spectrum_base::stop()
{
    end_run();
    return true;
}

// See transform_base::forecast().
void spectrum_base::forecast(int, gr_vector_int& ninput_items_required)
{
    const std::size_t wanted = is_unread() ? 0 : d_framer.wanted();
    ninput_items_required[0] = static_cast<int>(wanted * d_items_per_sample);
}

int spectrum_base::general_work(int noutput_items,
                                gr_vector_int& ninput_items,
                                gr_vector_const_void_star& input_items,
                                gr_vector_void_star& output_items)
{
    return guarded_work([&] {
        chunked_stream::work_buffers now;
        now.input = input_items[0];
        now.samples = ninput_items[0] / d_items_per_sample;
        now.output = output_items[0];
        now.rows = noutput_items;
        now.bytes_read = nitems_read(0) * input_signature()->sizeof_stream_item(0);
        now.bytes_written = nitems_written(0) * output_signature()->sizeof_stream_item(0);
        const chunked_stream::result next = d_stream.step(now, d_framer);
        forward_tags(next);
        consume(0, static_cast<int>(next.consumed * d_items_per_sample));
        return static_cast<int>(next.rows);
    });
}

void spectrum_base::configure(const plan_settings& settings)
{
    if (settings.what.n != d_what.n || settings.what.row_items() != d_what.row_items())
        throw std::invalid_argument(
            "the size of the FFT and of a row are fixed by make()");
    d_plan.configure(settings);
}

void spectrum_base::forward_tags(const chunked_stream::result& next)
{
    if (!passes_tags())
        return;
    const std::uint64_t begin = nitems_read(0);
    std::vector<tag_t> tags;
    get_tags_in_range(tags, 0, begin, begin + next.consumed * d_items_per_sample);
    for (tag_t& tag : tags) {
        const std::size_t frame =
            next.run.frame_of((tag.offset - begin) / d_items_per_sample);
        tag.offset = nitems_written(0) + (next.frames_in_row + frame) / next.average;
        add_item_tag(0, tag);
    }
}

} // namespace gpufft
} // namespace gr
