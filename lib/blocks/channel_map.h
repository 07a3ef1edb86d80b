// SPDX-License-Identifier: GPL-3.0-or-later
//
// What channel maps of all blocks must be.

#ifndef INCLUDED_GPUFFT_CHANNEL_MAP_H
#define INCLUDED_GPUFFT_CHANNEL_MAP_H

#include <spdlog/fmt/fmt.h>
#include <stdexcept>
#include <vector>

namespace gr {
namespace gpufft {

// Throws std::invalid_argument unless these are channels, `most` at most.
inline void check_channel_map(const std::vector<int>& map, int channels, std::size_t most)
{
    if (map.size() > most)
        throw std::invalid_argument(fmt::format(
            "channel map has {} entries: must have at most {}", map.size(), most));
    for (int channel : map)
        if (channel < 0 || channel >= channels)
            throw std::invalid_argument(
                fmt::format("channel {} in the channel map: must be 0 ... {}",
                            channel,
                            channels - 1));
}

} // namespace gpufft
} // namespace gr

#endif
