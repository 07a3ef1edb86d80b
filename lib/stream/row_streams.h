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

class thread_pool;

struct row_streams {
    row_streams(int streams, std::size_t item_bytes)
        : map(streams),
          item_bytes(item_bytes)
    {
    }

    channel_map map;              // the item of each stream
    const std::size_t item_bytes; // 1 ... 8, a power of 2

    std::size_t count() const { return map.size(); } // streams
    std::size_t row_bytes() const { return count() * item_bytes; }

    // Moves whole rows to the first streams, and back; streams[s] points to stream s's
    // first item, and has item map[s] of a row. The pool's threads share the work, if
    // there is a pool.
    // Items without a stream become 0, as do those whose stream is null; of several
    // streams for an item the last counts.
    void split(const char* rows,
               std::size_t count,
               const std::vector<void*>& streams,
               thread_pool* pool) const;
    void join(const std::vector<const void*>& streams,
              const std::vector<int>& map,
              std::size_t count,
              char* rows,
              thread_pool* pool) const;
};

} // namespace gpufft
} // namespace gr

#endif
