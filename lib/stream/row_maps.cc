// SPDX-License-Identifier: GPL-3.0-or-later
//
// Keeps the maps of rows that may be needed again.

#include "row_maps.h"
#include <algorithm>

namespace gr {
namespace gpufft {

void row_maps::clear()
{
    d_maps.clear();
    d_needed = 0;
}

void row_maps::need(std::int64_t end, const std::vector<int>& map)
{
    if (d_maps.empty())
        d_maps.push_back({ d_needed, map });
    else if (d_maps.back().map != map) {
        if (d_maps.size() > 1 && d_maps.back().begin == d_needed)
            d_maps.pop_back(); // no row had it
        d_maps.push_back({ d_needed, map });
    }
    d_needed = std::max(d_needed, end);
}

void row_maps::forget_before(std::int64_t row)
{
    while (d_maps.size() > 1 && d_maps[1].begin <= row)
        d_maps.pop_front();
}

} // namespace gpufft
} // namespace gr
