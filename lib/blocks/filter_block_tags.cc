// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tags of a filter's rows.

#include "filter_block.h"
#include <algorithm>

namespace gr {
namespace gpufft {

// Keeps the tags of new items: GNU Radio drops them once the items are consumed, and a
// collected frame is consumed before its row is out.
void filter_block::keep_tags(const gr_vector_int& items)
{
    const std::size_t before = d_tags.size();
    const std::vector<int> map = d_inputs.map.get();
    std::vector<tag_t> tags;
    for (int port = 0; port < detail()->ninputs(); ++port) {
        const std::uint64_t zeros = d_zeros;
        const std::uint64_t end =
            std::max(nitems_read(port) + items[port], zeros) - zeros;
        if (end == d_tags_end[port])
            continue;
        get_tags_in_range(tags, port, d_tags_end[port], end);
        for (const tag_t& tag : tags)
            if (d_inputs.count() == 1 || !is_of_another(tag, port, map[port]))
                d_tags.push_back({ tag, port });
        d_tags_end[port] = end;
    }
    std::stable_sort(d_tags.begin() + before, d_tags.end(), [](auto& a, auto& b) {
        return a.tag.offset < b.tag.offset;
    });
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
    const auto later =
        std::stable_partition(d_tags.begin(), d_tags.end(), [&](const kept_tag& each) {
            return each.tag.offset < d_passed[each.port] + rows * taken(each.port, hop);
        });
    for (auto at = d_tags.begin(); at != later;) {
        const auto next = std::find_if(at, later, [&](const kept_tag& other) {
            return other.tag.offset != at->tag.offset;
        });
        std::for_each(at, next, [&](const kept_tag& each) { d_radio.note(each.tag); });
        for (; at != next; ++at)
            forward_tag(*at, hop);
    }
    d_tags.erase(d_tags.begin(), later);
    for (std::size_t port = 0; port < d_passed.size(); ++port)
        d_passed[port] += rows * taken(static_cast<int>(port), hop);
}

// To all outputs; `hop` samples make a row.
void filter_block::forward_tag(const kept_tag& kept, std::size_t hop)
{
    const std::uint64_t begin = d_passed[kept.port], items = taken(kept.port, hop);
    const std::uint64_t row = (std::max(kept.tag.offset, begin) - begin) / items;
    const double items_of_sample =
        std::max(1.0, double(d_sample_bytes) / d_in_bytes) / d_samples_in_item;
    const std::vector<int> map = d_outputs.map.get();
    for (int port = 0; port < detail()->noutputs(); ++port) {
        tag_t here = kept.tag;
        here.offset = nitems_written(port) + row * given(port);
        const double ratio = given(port) * items_of_sample / items;
        const int item = d_outputs.count() > 1 ? map[port] : 0;
        const auto center = [&] { return center_of(item, d_radio.rate()); };
        if (passes_tags(kept.port, port) && d_radio.follow(here, ratio, center))
            add_item_tag(port, here);
    }
}

} // namespace gpufft
} // namespace gr
