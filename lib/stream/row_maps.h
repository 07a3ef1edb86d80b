// SPDX-License-Identifier: GPL-3.0-or-later
//
// The map of each row that is made of streams: where the map changes, it counts from the
// first row on that nobody has needed yet. So a row that is needed again, as a filter's
// history or by the CPU, has the same items.

#ifndef INCLUDED_GPUFFT_ROW_MAPS_H
#define INCLUDED_GPUFFT_ROW_MAPS_H

#include <cstdint>
#include <deque>
#include <vector>

namespace gr {
namespace gpufft {

class row_maps
{
public:
    // A map, and the first row that has it.
    struct since {
        std::int64_t begin;
        std::vector<int> map;
    };

    void clear();

    // Rows before `end` are needed; those that were not before have this map.
    void need(std::int64_t end, const std::vector<int>& map);

    // Calls use(begin, end, map) for the parts of these rows, which are needed.
    template <class Use>
    void for_each_part(std::int64_t begin, std::int64_t end, const Use& use) const
    {
        for (std::size_t i = 0; i < d_maps.size() && begin < end; ++i) {
            const bool is_last = i + 1 == d_maps.size();
            const std::int64_t to =
                is_last || d_maps[i + 1].begin > end ? end : d_maps[i + 1].begin;
            if (begin < to) {
                use(begin, to, d_maps[i]);
                begin = to;
            }
        }
    }

    // No row before this one will be needed again.
    void forget_before(std::int64_t row);

    std::int64_t oldest() const { return d_maps.front().begin; } // of a map still needed

private:
    std::deque<since> d_maps;  // by rows; the first one also has all rows before it
    std::int64_t d_needed = 0; // rows before this one have been needed
};

} // namespace gpufft
} // namespace gr

#endif
