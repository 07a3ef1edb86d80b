// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where the streams lie that a kernel moves rows to or from: in GNU Radio's buffers and
// in rings on a card. A table on the card lists them.

#ifndef INCLUDED_GPUFFT_STREAM_PLACES_H
#define INCLUDED_GPUFFT_STREAM_PLACES_H

#include "engine/chunk_pipeline.h"
#include "row_streams.h"
#include "shadow_ring.h"
#include <gnuradio/buffer.h>
#include <vector>

namespace gr {
namespace gpufft {

// The stream that this buffer's writer writes.
stream_place place_in(const gr::buffer_sptr& buffer);
stream_place place_in(const shadow_ring& ring, std::size_t item_bytes);

// Where an item of the stream lies.
inline char*
address_of(const stream_place& place, std::uint64_t item, std::size_t item_bytes)
{
    return place.memory + (place.start + item) % place.items * item_bytes;
}

// Places on one card: those in rings, then those in host memory.
class place_table
{
public:
    // No work on the card may read what the table was before.
    void fill(chunk_pipeline& on,
              std::vector<stream_place> in_rings,
              const std::vector<stream_place>& on_host,
              std::size_t item_bytes);

    bool has_rings() const { return d_in_rings > 0; }
    bool has_host() const { return d_on_host > 0; }

    // Moves between `count` rows and the streams' items from `begin` on.
    async_device::stream_move of_rings(const row_streams& streams,
                                       const char* rows,
                                       std::size_t count,
                                       std::uint64_t begin) const;
    async_device::stream_move of_host(const row_streams& streams,
                                      const char* rows,
                                      std::size_t count,
                                      std::uint64_t begin) const;

private:
    growing_memory d_memory, d_staged{ true };
    std::size_t d_in_rings = 0, d_on_host = 0;
    std::size_t d_first_line = 0; // where a stream on the host begins, in its line
};

} // namespace gpufft
} // namespace gr

#endif
