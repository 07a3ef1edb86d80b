// SPDX-License-Identifier: GPL-3.0-or-later
//
// The channel of each stream, for blocks whose map may change while they run.

#ifndef INCLUDED_GPUFFT_CHANNEL_MAP_H
#define INCLUDED_GPUFFT_CHANNEL_MAP_H

#include <algorithm>
#include <mutex>
#include <numeric>
#include <spdlog/fmt/fmt.h>
#include <stdexcept>
#include <vector>

namespace gr {
namespace gpufft {

// Throws std::invalid_argument for a channel out of range.
inline void check_channels(const std::vector<int>& map, std::size_t channels)
{
    for (int channel : map)
        if (channel < 0 || std::size_t(channel) >= channels)
            throw std::invalid_argument(
                fmt::format("channel {} in the channel map: must be 0 ... {}",
                            channel,
                            channels - 1));
}

class channel_map
{
public:
    // Stream i has channel i, 0 ... channels - 1.
    explicit channel_map(int channels) : d_map(channels)
    {
        std::iota(d_map.begin(), d_map.end(), 0);
    }

    // Stream i has channel map[i]; streams past the map's end keep their channel. Throws
    // std::invalid_argument for more streams than channels, or a channel out of range.
    void set(const std::vector<int>& map)
    {
        const std::size_t channels = d_map.size();
        if (map.size() > channels)
            throw std::invalid_argument(
                fmt::format("channel map has {} entries: must have at most {}",
                            map.size(),
                            channels));
        check_channels(map, channels);
        const std::lock_guard<std::mutex> lock(d_mutex);
        std::copy(map.begin(), map.end(), d_map.begin());
    }

    std::size_t size() const { return d_map.size(); } // streams

    std::vector<int> get() const
    {
        const std::lock_guard<std::mutex> lock(d_mutex);
        return d_map;
    }

private:
    mutable std::mutex d_mutex;
    std::vector<int> d_map; // its length never changes
};

} // namespace gpufft
} // namespace gr

#endif
