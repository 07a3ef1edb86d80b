// SPDX-License-Identifier: GPL-3.0-or-later
//
// Blocks between vectors of channels and a stream for each channel. The streams have the
// order of a map that may change at run time.

#ifndef INCLUDED_GPUFFT_CHANNEL_STREAMS_H
#define INCLUDED_GPUFFT_CHANNEL_STREAMS_H

#include "channel_map.h"
#include <gnuradio/sync_block.h>
#include <vector>

namespace gr {
namespace gpufft {

class channel_streams : public gr::sync_block
{
public:
    // Stream i has channel map[i]; streams past the map's end keep their channel. Throws
    // std::invalid_argument for a channel out of range.
    void set_map(const std::vector<int>& map) { d_map.set(map); }
    std::vector<int> map() const { return d_map.get(); }

protected:
    channel_streams(const char* name,
                    const gr::io_signature::sptr& inputs,
                    const gr::io_signature::sptr& outputs,
                    int channels)
        : gr::sync_block(name, inputs, outputs),
          d_channels(channels),
          d_map(channels)
    {
    }

    const std::size_t d_channels;

private:
    channel_map d_map;
};

// Splits vectors into streams.
class channel_splitter : public channel_streams
{
public:
    typedef std::shared_ptr<channel_splitter> sptr;
    static sptr make(int channels);
    explicit channel_splitter(int channels);

    int work(int noutput_items,
             gr_vector_const_void_star& input_items,
             gr_vector_void_star& output_items) override;
};

// Merges streams into vectors. Channels without a stream are 0; of several streams for
// one channel the last one counts.
class channel_merger : public channel_streams
{
public:
    typedef std::shared_ptr<channel_merger> sptr;
    static sptr make(int channels);
    explicit channel_merger(int channels);

    int work(int noutput_items,
             gr_vector_const_void_star& input_items,
             gr_vector_void_star& output_items) override;
};

} // namespace gpufft
} // namespace gr

#endif
