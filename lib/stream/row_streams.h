// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows of items, and a stream for each item, in the order of a map that may change at
// any time.

#ifndef INCLUDED_GPUFFT_ROW_STREAMS_H
#define INCLUDED_GPUFFT_ROW_STREAMS_H

#include "channel_map.h"
#include <cstddef>
#include <vector>

namespace gr {
namespace gpufft {

struct row_streams {
    row_streams(int streams, std::size_t item_bytes)
        : map(streams),
          item_bytes(item_bytes)
    {
    }

    channel_map map;              // the item of each stream
    const std::size_t item_bytes; // 1 ... 8, a power of 2

    std::size_t count() const { return map.size(); } // streams

    // Moves whole rows to the first streams, and back; streams[s] points to stream s's
    // first item.
    // Items without a stream become 0, of several streams for an item the last counts.
    void
    split(const char* rows, std::size_t count, const std::vector<void*>& streams) const;
    void
    join(const std::vector<const void*>& streams, std::size_t count, char* rows) const;
};

} // namespace gpufft
} // namespace gr

#endif
