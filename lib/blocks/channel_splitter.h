// SPDX-License-Identifier: GPL-3.0-or-later
//
// Splits vectors of channels into a stream for each channel, in the order of a map.

#ifndef INCLUDED_GPUFFT_CHANNEL_SPLITTER_H
#define INCLUDED_GPUFFT_CHANNEL_SPLITTER_H

#include "channel_map.h"
#include <gnuradio/sync_block.h>
#include <vector>

namespace gr {
namespace gpufft {

class channel_splitter : public gr::sync_block
{
public:
    typedef std::shared_ptr<channel_splitter> sptr;
    static sptr make(int channels);
    explicit channel_splitter(int channels);

    // Channel map[i] goes to output i; outputs past the map's end keep theirs. Throws
    // std::invalid_argument for a channel out of range.
    void set_map(const std::vector<int>& map) { d_map.set(map); }
    std::vector<int> map() const { return d_map.get(); }

    int work(int noutput_items,
             gr_vector_const_void_star& input_items,
             gr_vector_void_star& output_items) override;

private:
    const int d_channels;
    channel_map d_map;
};

} // namespace gpufft
} // namespace gr

#endif
