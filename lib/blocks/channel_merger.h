// SPDX-License-Identifier: GPL-3.0-or-later
//
// Merges a stream for each channel into vectors of channels, by a map; channels without a
// stream are 0.

#ifndef INCLUDED_GPUFFT_CHANNEL_MERGER_H
#define INCLUDED_GPUFFT_CHANNEL_MERGER_H

#include "channel_map.h"
#include <gnuradio/sync_block.h>
#include <vector>

namespace gr {
namespace gpufft {

class channel_merger : public gr::sync_block
{
public:
    typedef std::shared_ptr<channel_merger> sptr;
    static sptr make(int channels);
    explicit channel_merger(int channels);

    // Input i goes to channel map[i]; inputs past the map's end keep theirs. Of several
    // inputs for one channel the last one counts. Throws std::invalid_argument for a
    // channel out of range.
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
