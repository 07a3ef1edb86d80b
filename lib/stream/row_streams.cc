// SPDX-License-Identifier: GPL-3.0-or-later
//
// Copies the items of each stream out of the rows, and into them. All streams begin at
// the same offset in a page, and so may the rows: then the cache lines of many of them
// map to the same sets, which cannot hold them all. So a few streams take turns with a
// few rows, and whole cache lines are done with at once.

#include "row_streams.h"
#include "engine/cpu/thread_pool.h"
#include <cstdint>
#include <cstring>
#include <stdexcept>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t TILE = 8; // rows and streams: complex64 samples of a cache line
constexpr std::size_t TASK_BYTES = std::size_t(64) << 10; // at least, of a thread

// Rows for all streams, before the next rows, in gpufft bench's order of M = 16 ... 1024
// on an EPYC of 1 MiB of L2 cache. Streams are read in longer runs than rows.
constexpr std::size_t SPLIT_ROWS = 64, JOIN_ROWS = 16;

// Calls use(Item()) with a type of this size.
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

typedef std::uint64_t pair __attribute__((vector_size(16)));

pair load(const std::uint64_t* from)
{
    pair both;
    std::memcpy(&both, from, sizeof(both));
    return both;
}

void store(std::uint64_t* to, const pair& both) { std::memcpy(to, &both, sizeof(both)); }

// A tile's items of two streams that lie side by side in the rows.
void split_pair(const std::uint64_t* rows,
                std::size_t width,
                std::uint64_t* first,
                std::uint64_t* second)
{
    for (std::size_t row = 0; row < TILE; row += 2, rows += 2 * width) {
        const pair a = load(rows), b = load(rows + width);
        store(first + row, pair{ a[0], b[0] });
        store(second + row, pair{ a[1], b[1] });
    }
}

void join_pair(const std::uint64_t* first,
               const std::uint64_t* second,
               std::size_t width,
               std::uint64_t* rows)
{
    for (std::size_t row = 0; row < TILE; row += 2, rows += 2 * width) {
        const pair a = load(first + row), b = load(second + row);
        store(rows, pair{ a[0], b[0] });
        store(rows + width, pair{ a[1], b[1] });
    }
}

// A move between rows of `width` items and streams, in either direction: stream s has
// item map[s].
template <class Item, bool IsSplit>
struct row_move {
    Item* rows;
    std::size_t width;
    const std::vector<Item*>& streams;
    const std::vector<int>& map;

    bool is_pair(std::size_t s) const
    {
        return sizeof(Item) == sizeof(std::uint64_t) && s + 1 < streams.size() &&
               streams[s] && streams[s + 1] && map[s + 1] == map[s] + 1;
    }

    // The items of `count` rows from `row` on of one stream.
    template <class Count>
    void do_stream(std::size_t s, std::size_t row, Count count) const
    {
        if (!streams[s])
            return;
        Item* in_row = rows + row * width + map[s];
        Item* const in_stream = streams[s] + row;
        for (std::size_t i = 0; i < count; ++i, in_row += width)
            if constexpr (IsSplit)
                in_stream[i] = *in_row;
            else
                *in_row = in_stream[i];
    }

    void do_pair(std::size_t s, std::size_t row) const
    {
        if constexpr (sizeof(Item) == sizeof(std::uint64_t)) {
            Item* const in_row = rows + row * width + map[s];
            Item *const first = streams[s] + row, *const second = streams[s + 1] + row;
            if constexpr (IsSplit)
                split_pair(in_row, width, first, second);
            else
                join_pair(first, second, width, in_row);
        }
    }

    // A tile of streams, rows begin ... end - 1.
    void do_streams(std::size_t first, std::size_t begin, std::size_t end) const
    {
        constexpr std::integral_constant<std::size_t, TILE> tile;
        const std::size_t last = std::min(first + TILE, streams.size());
        std::size_t row = begin;
        for (; row + TILE <= end; row += TILE)
            for (std::size_t s = first; s < last; ++s) {
                if (is_pair(s) && s + 1 < last)
                    do_pair(s++, row);
                else
                    do_stream(s, row, tile);
            }
        for (std::size_t s = first; s < last; ++s)
            do_stream(s, row, end - row);
    }

    void do_rows(std::size_t begin, std::size_t end) const
    {
        constexpr std::size_t STRIP = IsSplit ? SPLIT_ROWS : JOIN_ROWS;
        for (std::size_t row = begin; row < end; row += STRIP)
            for (std::size_t s = 0; s < streams.size(); s += TILE)
                do_streams(s, row, std::min(row + STRIP, end));
    }
};

// Calls use(begin, end) for parts of the rows.
template <class Use>
void share_rows(std::size_t count, std::size_t row_bytes, thread_pool* pool, Use&& use)
{
    const std::size_t threads = pool ? pool->threads() : 1;
    const std::size_t least = std::max(TASK_BYTES / row_bytes, std::size_t(1));
    std::size_t rows = std::max((count + threads - 1) / threads, least);
    rows = (rows + TILE - 1) / TILE * TILE;
    if (threads == 1 || rows >= count)
        return use(std::size_t(0), count);
    pool->run((count + rows - 1) / rows, [&](std::size_t task, std::size_t) {
        use(task * rows, std::min((task + 1) * rows, count));
    });
}

// Null for each stream whose item a later one has, and for those without memory; true if
// each item of a row has a stream.
bool keep_last(const std::vector<int>& map, std::vector<const void*>& streams)
{
    std::vector<bool> has(map.size());
    std::size_t items = 0;
    for (std::size_t s = streams.size(); s-- > 0;) {
        if (streams[s] == nullptr)
            continue;
        if (has[map[s]])
            streams[s] = nullptr;
        else
            ++items;
        has[map[s]] = true;
    }
    return items == map.size();
}

} // namespace

void row_streams::split(const char* rows,
                        std::size_t count,
                        const std::vector<void*>& streams,
                        thread_pool* pool) const
{
    const std::vector<int> map = this->map.get();
    with_item(item_bytes, [&](auto item) {
        typedef decltype(item) Item;
        std::vector<Item*> to;
        for (void* each : streams)
            to.push_back(static_cast<Item*>(each));
        const row_move<Item, true> move{
            reinterpret_cast<Item*>(const_cast<char*>(rows)), map.size(), to, map
        };
        share_rows(count, row_bytes(), pool, [&](std::size_t begin, std::size_t end) {
            move.do_rows(begin, end);
        });
    });
}

void row_streams::join(const std::vector<const void*>& streams,
                       const std::vector<int>& map,
                       std::size_t count,
                       char* rows,
                       thread_pool* pool) const
{
    std::vector<const void*> last = streams;
    const bool has_all = keep_last(map, last);
    with_item(item_bytes, [&](auto item) {
        typedef decltype(item) Item;
        std::vector<Item*> from;
        for (const void* each : last)
            from.push_back(static_cast<Item*>(const_cast<void*>(each)));
        const row_move<Item, false> move{
            reinterpret_cast<Item*>(rows), map.size(), from, map
        };
        share_rows(count, row_bytes(), pool, [&](std::size_t begin, std::size_t end) {
            if (!has_all)
                std::memset(rows + begin * row_bytes(), 0, (end - begin) * row_bytes());
            move.do_rows(begin, end);
        });
    });
}

} // namespace gpufft
} // namespace gr
