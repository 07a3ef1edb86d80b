// SPDX-License-Identifier: GPL-3.0-or-later
//
// Merges a stream for each channel into vectors of channels. Channels without a stream
// are 0; of several streams for one channel the last one counts. Tags of all streams go
// to the vectors, but rx_rate only from the first stream and rx_freq only from channel
// 0's, whose centre is that of all channels together.

#ifndef INCLUDED_GPUFFT_CHANNEL_MERGER_H
#define INCLUDED_GPUFFT_CHANNEL_MERGER_H

#include "radio_tags.h"
#include "stream/row_streams.h"
#include <gnuradio/sync_block.h>

namespace gr {
namespace gpufft {

class channel_merger : public gr::sync_block
{
public:
    typedef std::shared_ptr<channel_merger> sptr;
    static sptr make(int channels, std::size_t sample_bytes);
    channel_merger(int channels, std::size_t sample_bytes);

    // Stream i has channel map[i]; streams past the map's end keep their channel. Throws
    // std::invalid_argument for a channel out of range.
    void set_map(const std::vector<int>& map) { d_streams.map.set(map); }
    std::vector<int> map() const { return d_streams.map.get(); }

    // Any thread. Whether rx_rate and rx_freq do so, or pass from all streams.
    void set_radio_tags(bool follow) { d_radio.set(follow); }

    int work(int noutput_items,
             gr_vector_const_void_star& input_items,
             gr_vector_void_star& output_items) override;

private:
    void forward_tags(int items);

    row_streams d_streams;
    radio_tags d_radio;
};

} // namespace gpufft
} // namespace gr

#endif
