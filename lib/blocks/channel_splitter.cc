// SPDX-License-Identifier: GPL-3.0-or-later
//
// A transpose, by tiles: outputs begin at the same place of a page, so that the lines of
// many of them do not fit the cache's sets at once.

#include "channel_splitter.h"
#include "stream/last_reader.h"
#include <algorithm>
#include <gnuradio/io_signature.h>

namespace gr {
namespace gpufft {

namespace {

constexpr int TILE = 4;     // channels, and vectors: half a line of each output
constexpr int STRIP = 1024; // vectors before the next channels

// To each of `ports` outputs the samples of its channel from `begin` to `end`.
void copy_channels(const gr_complex* vectors,
                   std::size_t channels,
                   const int* map,
                   void* const* outputs,
                   int ports,
                   int begin,
                   int end)
{
    for (int port = 0; port < ports; ++port) {
        const gr_complex* in = vectors + map[port];
        auto* out = static_cast<gr_complex*>(outputs[port]);
        for (int i = begin; i < end; ++i)
            out[i] = in[i * channels];
    }
}

// The same of a whole tile: its bounds are known when it is compiled.
inline void copy_tile(const gr_complex* vectors,
                      std::size_t channels,
                      const int* map,
                      void* const* outputs,
                      int begin)
{
    for (int port = 0; port < TILE; ++port) {
        const gr_complex* in = vectors + begin * channels + map[port];
        auto* out = static_cast<gr_complex*>(outputs[port]) + begin;
        for (int i = 0; i < TILE; ++i)
            out[i] = in[i * channels];
    }
}

} // namespace

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
    const std::vector<int> map = this->map();
    const int ports = static_cast<int>(output_items.size());
    for (int strip = 0; strip < noutput_items; strip += STRIP) {
        const int end = std::min(strip + STRIP, noutput_items);
        for (int port = 0; port < ports; port += TILE) {
            int i = strip;
            if (port + TILE <= ports)
                for (; i + TILE <= end; i += TILE)
                    copy_tile(vectors, d_channels, &map[port], &output_items[port], i);
            copy_channels(vectors,
                          d_channels,
                          &map[port],
                          &output_items[port],
                          std::min(TILE, ports - port),
                          i,
                          end);
        }
    }
    return noutput_items;
}

} // namespace gpufft
} // namespace gr
