// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tags of a filter's rows.

#include "filter_block.h"
#include <algorithm>

namespace gr {
namespace gpufft {

// Keeps the tags of new items: GNU Radio drops them once the items are consumed, and a
// collected frame is consumed before its row is out.
void filter_block::keep_tags(std::size_t items)
{
    const std::uint64_t end =
        std::max<std::uint64_t>(nitems_read(0) + items, d_zeros) - d_zeros;
    if (end == d_tags_end)
        return;
    const std::size_t before = d_tags.size();
    const std::vector<int> map = d_inputs.map.get();
    std::vector<tag_t> tags;
    for (int port = 0; port < detail()->ninputs(); ++port) {
        get_tags_in_range(tags, port, d_tags_end, end);
        for (const tag_t& tag : tags)
            if (!is_of_another(tag, port, map[port]))
                d_tags.push_back(tag);
    }
    std::stable_sort(d_tags.begin() + before,
                     d_tags.end(),
                     [](const tag_t& a, const tag_t& b) { return a.offset < b.offset; });
    d_tags_end = end;
}

// True for what an input says of itself alone: all inputs have the first one's rate, and
// item 0's centre is that of all together.
bool filter_block::is_of_another(const tag_t& tag, int port, int item) const
{
    return d_radio.get() && ((is_rate(tag) && port > 0) || (is_center(tag) && item != 0));
}

// Moves each tag to the row of its group.
void filter_block::forward_tags(std::size_t rows, std::size_t hop)
{
    if (rows == 0)
        return;
    const std::uint64_t begin = d_passed, items = items_of(hop);
    const auto later =
        std::stable_partition(d_tags.begin(), d_tags.end(), [&](const tag_t& tag) {
            return tag.offset < begin + rows * items;
        });
    for (auto tag = d_tags.begin(); tag != later;) {
        const auto next = std::find_if(
            tag, later, [&](const tag_t& other) { return other.offset != tag->offset; });
        const std::uint64_t row = (std::max(tag->offset, begin) - begin) / items;
        const std::uint64_t place = nitems_written(0) + row * d_row_items;
        std::for_each(tag, next, [&](const tag_t& each) { d_radio.note(each); });
        for (; tag != next; ++tag)
            forward_tag(*tag, place, items);
    }
    d_tags.erase(d_tags.begin(), later);
    d_passed = begin + rows * items;
}

// To all outputs; `items` of the input make a row.
void filter_block::forward_tag(const tag_t& tag, std::uint64_t place, std::size_t items)
{
    const double items_of_sample =
        std::max(1.0, double(d_sample_bytes) / d_in_bytes) / d_samples_in_item;
    const double ratio = d_row_items * items_of_sample / items;
    const std::vector<int> map = d_outputs.map.get();
    for (int port = 0; port < detail()->noutputs(); ++port) {
        tag_t here = tag;
        here.offset = place;
        if (d_radio.follow(here, ratio, center_of(map[port], d_radio.rate())))
            add_item_tag(port, here);
    }
}

} // namespace gpufft
} // namespace gr
