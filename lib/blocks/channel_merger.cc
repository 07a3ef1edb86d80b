// SPDX-License-Identifier: GPL-3.0-or-later
//
// Copies the samples of each channel into the vectors.

#include "channel_merger.h"
#include "stream/last_reader.h"
#include <gnuradio/io_signature.h>

namespace gr {
namespace gpufft {

channel_merger::sptr channel_merger::make(int channels, std::size_t sample_bytes)
{
    return gnuradio::make_block_sptr<channel_merger>(channels, sample_bytes);
}

channel_merger::channel_merger(int channels, std::size_t sample_bytes)
    : gr::sync_block("channel_merger",
                     gr::io_signature::make(1, channels, int(sample_bytes)),
                     gr::io_signature::make(1, 1, channels * int(sample_bytes))),
      d_streams(channels, sample_bytes)
{
    set_tag_propagation_policy(TPP_DONT); // forward_tags() does it
}

int channel_merger::work(int noutput_items,
                         gr_vector_const_void_star& input_items,
                         gr_vector_void_star& output_items)
{
    if (ends_unread(*this))
        return WORK_DONE;
    d_streams.join(input_items, noutput_items, static_cast<char*>(output_items[0]));
    forward_tags(noutput_items);
    return noutput_items;
}

void channel_merger::forward_tags(int items)
{
    const std::vector<int> map = d_streams.map.get();
    std::vector<tag_t> tags;
    for (int port = 0; port < detail()->ninputs(); ++port) {
        get_tags_in_window(tags, port, 0, items);
        for (const tag_t& tag : tags) {
            const bool is_of_another =
                (is_rate(tag) && port > 0) || (is_center(tag) && map[port] != 0);
            if (!d_radio.get() || !is_of_another)
                add_item_tag(0, tag);
        }
    }
}

} // namespace gpufft
} // namespace gr
