// SPDX-License-Identifier: GPL-3.0-or-later
//
// Makes places and moves.

#include "stream_places.h"
#include <cstring>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t LINE_BYTES = 128; // of a card's memory

} // namespace

stream_place place_in(const gr::buffer_sptr& buffer)
{
    const std::size_t items = buffer->bufsize();
    char* const base = const_cast<char*>(buffer->base());
    const std::size_t next =
        (static_cast<char*>(buffer->write_pointer()) - base) / buffer->get_sizeof_item();
    return { base, items, (next + items - buffer->nitems_written() % items) % items, 0 };
}

stream_place place_in(const shadow_ring& ring, std::size_t item_bytes)
{
    return { ring.at(0), ring.bytes() / item_bytes, 0, 0 };
}

void place_table::fill(chunk_pipeline& on,
                       std::vector<stream_place> in_rings,
                       const std::vector<stream_place>& on_host,
                       std::size_t item_bytes)
{
    d_in_rings = in_rings.size();
    d_on_host = on_host.size();
    if (!on_host.empty())
        d_first_line =
            reinterpret_cast<std::uintptr_t>(address_of(on_host.front(), 0, item_bytes)) %
            LINE_BYTES;
    std::vector<stream_place>& places = in_rings;
    places.insert(places.end(), on_host.begin(), on_host.end());
    const std::size_t bytes = places.size() * sizeof(stream_place);
    char* const staged = on.reserve(d_staged, bytes);
    char* const there = on.reserve(d_memory, bytes);
    std::memcpy(staged, places.data(), bytes);
    on.device()->copy(on.compute(), there, staged, bytes);
    on.device()->synchronize(on.compute());
}

async_device::stream_move place_table::of_rings(const row_streams& streams,
                                                const char* rows,
                                                std::size_t count,
                                                std::uint64_t begin) const
{
    async_device::stream_move move;
    move.rows = const_cast<char*>(rows);
    move.row_items = streams.count();
    move.item_bytes = streams.item_bytes;
    move.count = count;
    move.places = static_cast<const stream_place*>(d_memory.memory->address());
    move.streams = d_in_rings;
    move.begin = begin;
    return move;
}

async_device::stream_move place_table::of_host(const row_streams& streams,
                                               const char* rows,
                                               std::size_t count,
                                               std::uint64_t begin) const
{
    async_device::stream_move move = of_rings(streams, rows, count, begin);
    move.places += d_in_rings;
    move.streams = d_on_host;
    move.over_link = true;
    move.lead =
        (d_first_line + begin * streams.item_bytes) % LINE_BYTES / streams.item_bytes;
    return move;
}

} // namespace gpufft
} // namespace gr
