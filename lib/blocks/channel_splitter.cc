// SPDX-License-Identifier: GPL-3.0-or-later
//
// Copies the samples of each channel out of the vectors.

#include "channel_splitter.h"
#include "channel_tiles.h"
#include "stream/last_reader.h"
#include <gnuradio/io_signature.h>

namespace gr {
namespace gpufft {

channel_splitter::sptr channel_splitter::make(int channels)
{
    return gnuradio::make_block_sptr<channel_splitter>(channels);
}

channel_splitter::channel_splitter(int channels)
    : gr::sync_block("channel_splitter",
                     gr::io_signature::make(1, 1, channels * sizeof(gr_complex)),
                     gr::io_signature::make(1, channels, sizeof(gr_complex))),
      d_channels(channels),
      d_map(channels)
{
}

int channel_splitter::work(int noutput_items,
                           gr_vector_const_void_star& input_items,
                           gr_vector_void_star& output_items)
{
    if (ends_unread(*this))
        return WORK_DONE;
    const auto* vectors = static_cast<const gr_complex*>(input_items[0]);
    const std::size_t channels = d_channels;
    const std::vector<int> map = this->map();
    const int ports = static_cast<int>(output_items.size());
    for_each_tile(
        ports, noutput_items, [&](int first, auto streams, int begin, auto count) {
            for (int port = first; port < first + streams; ++port) {
                const gr_complex* in = vectors + begin * channels + map[port];
                auto* out = static_cast<gr_complex*>(output_items[port]) + begin;
                for (int i = 0; i < count; ++i)
                    out[i] = in[i * channels];
            }
        });
    return noutput_items;
}

} // namespace gpufft
} // namespace gr
