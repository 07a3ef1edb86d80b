// SPDX-License-Identifier: GPL-3.0-or-later
//
// A transpose, some vectors at a time so that they stay in the cache.

#include "channel_splitter.h"
#include <algorithm>
#include <gnuradio/io_signature.h>
#include <numeric>
#include <spdlog/fmt/fmt.h>
#include <stdexcept>

namespace gr {
namespace gpufft {

namespace {

constexpr int CACHED_POINTS = 2048; // 16 KiB of vectors

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
    std::iota(d_map.begin(), d_map.end(), 0);
}

void channel_splitter::set_map(const std::vector<int>& map)
{
    if (map.size() > static_cast<std::size_t>(d_channels))
        throw std::invalid_argument(
            fmt::format("channel map has {} entries: must have at most {}, the channels",
                        map.size(),
                        d_channels));
    for (int channel : map)
        if (channel < 0 || channel >= d_channels)
            throw std::invalid_argument(
                fmt::format("channel {} in the channel map: must be 0 ... {}",
                            channel,
                            d_channels - 1));
    const std::lock_guard<std::mutex> lock(d_mutex);
    std::copy(map.begin(), map.end(), d_map.begin());
}

std::vector<int> channel_splitter::map() const
{
    const std::lock_guard<std::mutex> lock(d_mutex);
    return d_map;
}

int channel_splitter::work(int noutput_items,
                           gr_vector_const_void_star& input_items,
                           gr_vector_void_star& output_items)
{
    const auto* vectors = static_cast<const gr_complex*>(input_items[0]);
    const std::vector<int> map = this->map();
    const int step = std::max(CACHED_POINTS / d_channels, 8);
    for (int first = 0; first < noutput_items; first += step) {
        const int last = std::min(first + step, noutput_items);
        for (std::size_t port = 0; port < output_items.size(); ++port) {
            auto* out = static_cast<gr_complex*>(output_items[port]);
            const gr_complex* in = vectors + map[port];
            for (std::size_t i = first; i < static_cast<std::size_t>(last); ++i)
                out[i] = in[i * d_channels];
        }
    }
    return noutput_items;
}

} // namespace gpufft
} // namespace gr
