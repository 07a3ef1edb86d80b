// SPDX-License-Identifier: GPL-3.0-or-later
//
// A transpose, some vectors at a time so that they stay in the cache.

#include "channel_merger.h"
#include "stream/last_reader.h"
#include <algorithm>
#include <gnuradio/io_signature.h>

namespace gr {
namespace gpufft {

namespace {

constexpr int CACHED_POINTS = 2048; // 16 KiB of vectors

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
    const int step = std::max(CACHED_POINTS / d_channels, 8);
    for (int first = 0; first < noutput_items; first += step) {
        const std::size_t last = std::min(first + step, noutput_items);
        std::fill(vectors + first * channels, vectors + last * channels, gr_complex());
        for (std::size_t port = 0; port < input_items.size(); ++port) {
            const auto* in = static_cast<const gr_complex*>(input_items[port]);
            gr_complex* const out = vectors + map[port];
            for (std::size_t i = first; i < last; ++i)
                out[i * channels] = in[i];
        }
    }
    return noutput_items;
}

} // namespace gpufft
} // namespace gr
