// SPDX-License-Identifier: GPL-3.0-or-later
//
// Copies the items of each stream out of the rows, and into them.

#include "row_streams.h"
#include "channel_tiles.h"
#include <cstdint>
#include <cstring>
#include <stdexcept>

namespace gr {
namespace gpufft {

namespace {

// Calls use(Item()) with an unsigned type of this size.
template <class Use>
void with_item(std::size_t bytes, Use&& use)
{
    switch (bytes) {
    case 8:
        return use(std::uint64_t());
    case 4:
        return use(std::uint32_t());
    case 2:
        return use(std::uint16_t());
    case 1:
        return use(std::uint8_t());
    default:
        throw std::logic_error("streams have items of 1, 2, 4 or 8 bytes");
    }
}

// True if each item of a row has one of the first `streams` streams.
bool has_all(const std::vector<int>& map, std::size_t streams)
{
    std::vector<bool> has(map.size());
    for (std::size_t s = 0; s < streams; ++s)
        has[map[s]] = true;
    return std::find(has.begin(), has.end(), false) == has.end();
}

} // namespace

void row_streams::split(const char* rows,
                        std::size_t count,
                        const std::vector<void*>& streams) const
{
    const std::vector<int> map = this->map.get();
    const std::size_t width = map.size();
    with_item(item_bytes, [&](auto item) {
        typedef decltype(item) Item;
        const auto copy = [&](int s, int begin, auto vectors) {
            const Item* in = reinterpret_cast<const Item*>(rows) + begin * width + map[s];
            Item* const out = static_cast<Item*>(streams[s]) + begin;
            for (int i = 0; i < vectors; ++i)
                out[i] = in[i * width];
        };
        for_each_tile(int(streams.size()), int(count), copy);
    });
}

void row_streams::join(const std::vector<const void*>& streams,
                       std::size_t count,
                       char* rows) const
{
    const std::vector<int> map = this->map.get();
    const std::size_t width = map.size();
    if (!has_all(map, streams.size()))
        std::memset(rows, 0, count * width * item_bytes);
    with_item(item_bytes, [&](auto item) {
        typedef decltype(item) Item;
        const auto copy = [&](int s, int begin, auto vectors) {
            const Item* const in = static_cast<const Item*>(streams[s]) + begin;
            Item* out = reinterpret_cast<Item*>(rows) + begin * width + map[s];
            for (int i = 0; i < vectors; ++i)
                out[i * width] = in[i];
        };
        for_each_tile(int(streams.size()), int(count), copy);
    });
}

} // namespace gpufft
} // namespace gr
