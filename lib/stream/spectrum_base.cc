// SPDX-License-Identifier: GPL-3.0-or-later
//
// Streams of samples to rows of power.

#include "spectrum_base.h"
#include <gnuradio/block_detail.h>
#include <gnuradio/buffer_reader.h>

namespace gr {
namespace gpufft {

spectrum_base::spectrum_base(const plan_settings& settings,
                             const engine_options& options,
                             std::size_t items_per_sample)
    : engine_base(*this, d_logger, settings, options),
      d_items_per_sample(items_per_sample),
      d_framer(settings.what.n, settings.what.input_item_bytes())
{
    set_tag_propagation_policy(TPP_DONT); // forward_tags() does it
    // GNU Radio makes the input buffer twice as long as one output item's input is by the
    // relative rate. That rate serves nothing else here, so let it ask for two chunks.
    set_relative_rate(1,
                      stream_chunk(settings.what.n, settings.what.input_item_bytes()) *
                          items_per_sample);
}

bool spectrum_base::start()
{
    clear_error();
    guarded([this] {
        const std::size_t items = detail()->input(0)->max_possible_items_available() + 1;
        d_plan.current();
        d_plan.reset_average();
        d_framer.start(items / d_items_per_sample, begin());
        return 0;
    });
    return true;
}

void spectrum_base::forecast(int, gr_vector_int& ninput_items_required)
{
    ninput_items_required[0] = static_cast<int>(d_framer.wanted() * d_items_per_sample);
}

int spectrum_base::general_work(int noutput_items,
                                gr_vector_int& ninput_items,
                                gr_vector_const_void_star& input_items,
                                gr_vector_void_star& output_items)
{
    return guarded([&] {
        const plan& now = d_plan.current();
        // One frame more would finish row noutput_items + 1.
        const std::size_t max_frames = (noutput_items - 1) * now.what().average +
                                       now.frames_to_next_row() + now.what().average - 1;
        const framer::run next = d_framer.take(input_items[0],
                                               ninput_items[0] / d_items_per_sample,
                                               now.what().effective_hop(),
                                               max_frames);
        forward_tags(now, next);
        const std::size_t rows =
            next.frames ? d_plan.execute(next.samples, output_items[0], next.frames) : 0;
        consume(0, static_cast<int>(next.consumed * d_items_per_sample));
        return static_cast<int>(rows);
    });
}

void spectrum_base::forward_tags(const plan& now, const framer::run& next)
{
    const std::uint64_t begin = nitems_read(0);
    std::vector<tag_t> tags;
    get_tags_in_range(tags, 0, begin, begin + next.consumed * d_items_per_sample);

    const std::size_t average = now.what().average;
    const std::size_t frames_in_row = average - now.frames_to_next_row();
    for (tag_t& tag : tags) {
        const std::size_t frame =
            next.frame_of((tag.offset - begin) / d_items_per_sample);
        tag.offset = nitems_written(0) + (frames_in_row + frame) / average;
        add_item_tag(0, tag);
    }
}

} // namespace gpufft
} // namespace gr
