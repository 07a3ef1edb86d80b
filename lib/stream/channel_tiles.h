// SPDX-License-Identifier: GPL-3.0-or-later
//
// The order of copies between vectors of channels and a stream for each channel: tile by
// tile. All streams begin at the same offset in a page, so the cache lines of many
// streams map to the same sets, which cannot hold them all.

#ifndef INCLUDED_GPUFFT_CHANNEL_TILES_H
#define INCLUDED_GPUFFT_CHANNEL_TILES_H

#include <algorithm>
#include <type_traits>

namespace gr {
namespace gpufft {

// Calls copy(stream, first vector, vectors) for all parts, so many streams in turn. The
// sizes of whole tiles are types, and so known at compile time.
template <class Copy>
void for_each_tile(int streams, int vectors, Copy&& copy)
{
    constexpr std::integral_constant<int, 4> tile; // half a cache line of each stream
    constexpr int STRIP = 1024;                    // vectors before the next streams
    const auto copy_part = [&](int first, auto some, int vector, auto count) {
        for (int stream = first; stream < first + some; ++stream)
            copy(stream, vector, count);
    };
    for (int strip = 0; strip < vectors; strip += STRIP) {
        const int end = std::min(strip + STRIP, vectors);
        for (int stream = 0; stream < streams; stream += tile) {
            int vector = strip;
            if (stream + tile <= streams)
                for (; vector + tile <= end; vector += tile)
                    copy_part(stream, tile, vector, tile);
            copy_part(
                stream, std::min<int>(tile, streams - stream), vector, end - vector);
        }
    }
}

} // namespace gpufft
} // namespace gr

#endif
