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
constexpr std::size_t PART = 4; // of a tile, where its items are copied one by one
constexpr std::size_t TASK_BYTES = std::size_t(64) << 10; // at least, of a thread

// Rows for all streams, before the next rows. Rows of whole pages, whose lines map to the
// same sets, take turns sooner.
std::size_t strip_of(std::size_t row_bytes) { return row_bytes < 4096 ? 64 : 16; }

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

// Two items side by side.
typedef std::uint64_t pair __attribute__((vector_size(16), aligned(8), may_alias));

// The items of two rows, `width` items long, of two streams that lie side by side there.
template <bool IsSplit>
void move_pair(std::uint64_t* rows,
               std::size_t width,
               std::uint64_t* first,
               std::uint64_t* second)
{
    const pair a = *reinterpret_cast<pair*>(IsSplit ? rows : first);
    const pair b = *reinterpret_cast<pair*>(IsSplit ? rows + width : second);
    *reinterpret_cast<pair*>(IsSplit ? first : rows) = pair{ a[0], b[0] };
    *reinterpret_cast<pair*>(IsSplit ? second : rows + width) = pair{ a[1], b[1] };
}

// The items of `count` rows of one stream.
template <bool IsSplit, class Item, class Count>
void move_stream(Item* rows, std::size_t width, Item* stream, Count count)
{
    for (std::size_t i = 0; i < count; ++i, rows += width)
        if constexpr (IsSplit)
            stream[i] = *rows;
        else
            *rows = stream[i];
}

// A move between rows of `width` items and streams, in either direction: stream s has
// item map[s], or does not take part if it is null.
template <class Item, bool IsSplit>
struct row_move {
    Item* rows;
    std::size_t width;
    const std::vector<Item*>& streams;
    const std::vector<int>& map;

    // All streams of a tile lie side by side in the rows.
    bool is_run(std::size_t first) const
    {
        if (first + TILE > streams.size() || !streams[first])
            return false;
        for (std::size_t s = first + 1; s < first + TILE; ++s)
            if (!streams[s] || map[s] != map[s - 1] + 1)
                return false;
        return true;
    }

    // Rows begin ... end - 1 of the streams of a tile.
    void do_streams(std::size_t first, std::size_t begin, std::size_t end) const
    {
        if constexpr (sizeof(Item) == sizeof(std::uint64_t))
            if (is_run(first))
                begin = do_tiles(first, begin, end);
        const std::size_t last = std::min(first + TILE, streams.size());
        for (std::size_t s = first; s < last; s += PART)
            do_part(s, std::min(s + PART, last), begin, end);
    }

    void
    do_part(std::size_t first, std::size_t last, std::size_t begin, std::size_t end) const
    {
        constexpr std::integral_constant<std::size_t, PART> part;
        const std::size_t pitch = width;
        Item *in_row[PART], *in_stream[PART];
        std::size_t count = 0;
        for (std::size_t s = first; s < last; ++s)
            if (streams[s]) {
                in_row[count] = rows + map[s];
                in_stream[count++] = streams[s];
            }
        std::size_t row = begin;
        if (count == PART)
            for (; row + PART <= end; row += PART)
                for (std::size_t i = 0; i < PART; ++i)
                    move_stream<IsSplit>(
                        in_row[i] + row * pitch, pitch, in_stream[i] + row, part);
        for (std::size_t i = 0; i < count; ++i)
            move_stream<IsSplit>(
                in_row[i] + row * pitch, pitch, in_stream[i] + row, end - row);
    }

    // Whole tiles, by pairs: of a row, or of a stream, which are written line by line.
    // Returns the first row that is left.
    std::size_t do_tiles(std::size_t first, std::size_t begin, std::size_t end) const
    {
        const std::size_t pitch = width;
        Item* at[TILE];
        std::copy_n(&streams[first], TILE, at);
        Item* to = rows + begin * pitch + map[first];
        for (; begin + TILE <= end; begin += TILE, to += TILE * pitch)
            for (std::size_t i = 0; i < TILE; i += 2)
                for (std::size_t k = 0; k < TILE; k += 2) {
                    const std::size_t row = IsSplit ? k : i, s = IsSplit ? i : k;
                    move_pair<IsSplit>(to + row * pitch + s,
                                       pitch,
                                       at[s] + begin + row,
                                       at[s + 1] + begin + row);
                }
        return begin;
    }

    void do_rows(std::size_t begin, std::size_t end) const
    {
        const std::size_t strip = strip_of(width * sizeof(Item));
        for (std::size_t row = begin; row < end; row += strip)
            for (std::size_t s = 0; s < streams.size(); s += TILE)
                do_streams(s, row, std::min(row + strip, end));
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
