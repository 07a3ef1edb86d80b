// SPDX-License-Identifier: GPL-3.0-or-later
//
// Copies the samples of each channel out of the vectors, and into them.

#include "channel_streams.h"
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

channel_splitter::sptr channel_splitter::make(int channels)
{
    return gnuradio::make_block_sptr<channel_splitter>(channels);
}

channel_splitter::channel_splitter(int channels)
    : channel_streams("channel_splitter",
                      gr::io_signature::make(1, 1, channels * sizeof(gr_complex)),
                      gr::io_signature::make(1, channels, sizeof(gr_complex)),
                      channels)
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
    for_each_tile(
        ports, noutput_items, [&](int first, auto streams, int begin, auto count) {
            for (int port = first; port < first + streams; ++port) {
                const gr_complex* in = vectors + begin * d_channels + map[port];
                auto* out = static_cast<gr_complex*>(output_items[port]) + begin;
                for (int i = 0; i < count; ++i)
                    out[i] = in[i * d_channels];
            }
        });
    return noutput_items;
}

channel_merger::sptr channel_merger::make(int channels)
{
    return gnuradio::make_block_sptr<channel_merger>(channels);
}

channel_merger::channel_merger(int channels)
    : channel_streams("channel_merger",
                      gr::io_signature::make(1, channels, sizeof(gr_complex)),
                      gr::io_signature::make(1, 1, channels * sizeof(gr_complex)),
                      channels)
{
}

int channel_merger::work(int noutput_items,
                         gr_vector_const_void_star& input_items,
                         gr_vector_void_star& output_items)
{
    if (ends_unread(*this))
        return WORK_DONE;
    auto* vectors = static_cast<gr_complex*>(output_items[0]);
    const std::vector<int> map = this->map();
    const int ports = static_cast<int>(input_items.size());
    if (!has_all(map, ports, d_channels))
        std::fill(vectors, vectors + noutput_items * d_channels, gr_complex());
    for_each_tile(
        ports, noutput_items, [&](int first, auto streams, int begin, auto count) {
            for (int port = first; port < first + streams; ++port) {
                const auto* in =
                    static_cast<const gr_complex*>(input_items[port]) + begin;
                gr_complex* out = vectors + begin * d_channels + map[port];
                for (int i = 0; i < count; ++i)
                    out[i * d_channels] = in[i];
            }
        });
    return noutput_items;
}

} // namespace gpufft
} // namespace gr
