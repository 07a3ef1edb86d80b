// SPDX-License-Identifier: GPL-3.0-or-later
//
// Copies the samples of each channel into the vectors.

#include "channel_merger.h"
#include "channel_tiles.h"
#include "stream/last_reader.h"
#include <algorithm>
#include <gnuradio/io_signature.h>

namespace gr {
namespace gpufft {

namespace {

// True if each of the `channels` channels has a stream.
bool has_all(const std::vector<int>& map, std::size_t streams, std::size_t channels)
{
    std::vector<bool> has(channels);
    for (std::size_t i = 0; i < streams; ++i)
        has[map[i]] = true;
    return std::find(has.begin(), has.end(), false) == has.end();
}

} // namespace

channel_merger::sptr channel_merger::make(int channels)
{
    return gnuradio::make_block_sptr<channel_merger>(channels);
}

channel_merger::channel_merger(int channels)
    : gr::sync_block("channel_merger",
                     gr::io_signature::make(1, channels, sizeof(gr_complex)),
                     gr::io_signature::make(1, 1, channels * sizeof(gr_complex))),
      d_channels(channels),
      d_map(channels)
{
}

int channel_merger::work(int noutput_items,
                         gr_vector_const_void_star& input_items,
                         gr_vector_void_star& output_items)
{
    if (ends_unread(*this))
        return WORK_DONE;
    auto* vectors = static_cast<gr_complex*>(output_items[0]);
    const std::size_t channels = d_channels;
    const std::vector<int> map = this->map();
    const int ports = static_cast<int>(input_items.size());
    if (!has_all(map, ports, channels))
        std::fill(vectors, vectors + noutput_items * channels, gr_complex());
    for_each_tile(
        ports, noutput_items, [&](int first, auto streams, int begin, auto count) {
            for (int port = first; port < first + streams; ++port) {
                const auto* in =
                    static_cast<const gr_complex*>(input_items[port]) + begin;
                gr_complex* out = vectors + begin * channels + map[port];
                for (int i = 0; i < count; ++i)
                    out[i * channels] = in[i];
            }
        });
    return noutput_items;
}

} // namespace gpufft
} // namespace gr
