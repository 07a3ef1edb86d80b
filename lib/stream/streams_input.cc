// SPDX-License-Identifier: GPL-3.0-or-later
//
// Follows the writers, and launches the kernels.

#include "streams_input.h"
#include <algorithm>
#include <set>
#include <spdlog/fmt/fmt.h>

namespace gr {
namespace gpufft {

streams_input::streams_input(const std::vector<gr::buffer_sptr>& buffers,
                             const row_streams& streams,
                             row_maps& maps,
                             stream_edge::reader can,
                             const std::vector<int>& cards,
                             gr::logger_ptr logger)
    : d_streams(streams),
      d_maps(maps),
      d_logger(std::move(logger))
{
    for (const gr::buffer_sptr& buffer : buffers)
        d_ports.push_back({ { buffer },
                            place_in(buffer),
                            std::make_unique<stream_edge::input>(buffer, can, cards) });
}

void streams_input::find_rings()
{
    for (port& each : d_ports)
        each.ring = each.edge->ring();
    group_rings();
}

void streams_input::group_rings()
{
    d_in_rings = 0;
    d_writers.clear();
    for (const port& each : d_ports) {
        if (!each.ring)
            continue;
        ++d_in_rings;
        shadow_ring::sptr& smallest = d_writers[each.ring->log().get()].smallest;
        if (!smallest || each.ring->bytes() < smallest->bytes())
            smallest = each.ring;
    }
}

std::string streams_input::reason() const
{
    if (d_in_rings == 0)
        return "host: no writer is a block of this module on a card";
    if (d_in_rings < d_ports.size())
        return fmt::format(
            "{} of {} streams come from a card", d_in_rings, d_ports.size());
    std::set<std::string> cards;
    for (const auto& each : d_writers)
        cards.insert(each.second.smallest->device()->name());
    return fmt::format("device: {}", fmt::join(cards, ", "));
}

bool streams_input::is_elsewhere(const chunk_pipeline& on) const
{
    return std::any_of(d_writers.begin(), d_writers.end(), [&](const auto& each) {
        return each.second.smallest->device()->index() != on.device()->index();
    });
}

// The compute queue waits for the writers. Streams of those that have not written all to
// their rings, or whose card is in trouble, come from host memory from now on.
void streams_input::follow_writers(const chunk& next, chunk_pipeline& on)
{
    const std::size_t items = d_streams.count();
    bool all = true;
    for (auto& [log, each] : d_writers) {
        const shadow_ring& ring = *each.smallest;
        const auto written =
            ring.log()->before_reading(next.input_begin / items, next.input_end / items);
        each.is_followed =
            written && on.follow(*ring.device(), **written, ring.shared().with_host);
        all = all && each.is_followed;
    }
    if (all)
        return;
    for (port& each : d_ports)
        if (each.ring && !d_writers[each.ring->log().get()].is_followed)
            each.ring.reset();
    for (auto& [pipeline, of_maps] : d_tables)
        pipeline->finish_all();
    d_tables.clear();
    group_rings();
}

// All buffers, or none. Kernels need host memory at the host's addresses.
bool streams_input::is_reachable(async_device& device)
{
    d_is_staged = d_is_staged || !device.computes_in_host_memory();
    for (port& each : d_ports)
        if (!d_is_staged && !each.ring && !each.side.is_reachable(device, *d_logger))
            d_is_staged = true;
    return !d_is_staged;
}

const place_table& streams_input::table_on(chunk_pipeline& on, const row_maps::since& map)
{
    tables& here = d_tables[&on];
    const auto found = here.find(map.begin);
    if (found != here.end())
        return found->second;
    const auto first_needed = here.lower_bound(d_maps.oldest());
    if (first_needed != here.begin()) {
        on.finish_all();
        here.erase(here.begin(), first_needed);
    }
    place_table& fresh = here[map.begin];
    fill(fresh, on, map.map);
    return fresh;
}

// A place for each item of a row, of which the last stream with this item counts.
void streams_input::fill(place_table& table,
                         chunk_pipeline& on,
                         const std::vector<int>& map) const
{
    std::vector<const port*> of_item(d_streams.count());
    for (std::size_t s = 0; s < d_ports.size(); ++s)
        of_item[map[s]] = &d_ports[s];
    std::vector<stream_place> in_rings, on_host;
    for (std::size_t item = 0; item < of_item.size(); ++item) {
        const port* const from = of_item[item];
        const bool has_ring = from && from->ring;
        stream_place place;
        if (from)
            place = has_ring ? place_in(*from->ring, d_streams.item_bytes) : from->place;
        place.item = static_cast<unsigned>(item);
        const bool is_kept_there = has_ring || (!from && is_on_card());
        (is_kept_there ? in_rings : on_host).push_back(place);
    }
    table.fill(on, std::move(in_rings), on_host, d_streams.item_bytes);
}

// Calls move(table, rows, count, first row) for the parts of the chunk that have a map
// each, behind the zeros before the stream.
template <class Move>
void streams_input::move_parts(const chunk& next,
                               chunk_pipeline& on,
                               char* rows,
                               Move&& move)
{
    const std::size_t row_bytes = d_streams.row_bytes();
    const std::int64_t first = next.input_begin / row_bytes;
    d_maps.for_each_part(
        first,
        next.input_end / row_bytes,
        [&](std::int64_t begin, std::int64_t end, const row_maps::since& map) {
            move(table_on(on, map),
                 rows + next.lead + (begin - first) * row_bytes,
                 std::size_t(end - begin),
                 std::uint64_t(begin));
        });
}

// By the CPU; items that come from rings are 0.
void streams_input::stage(const chunk& next, char* rows) const
{
    const std::size_t row_bytes = d_streams.row_bytes();
    const std::int64_t first = next.input_begin / row_bytes;
    std::fill_n(rows, next.lead, 0);
    d_maps.for_each_part(
        first,
        next.input_end / row_bytes,
        [&](std::int64_t begin, std::int64_t end, const row_maps::since& map) {
            std::vector<const void*> from;
            for (const port& each : d_ports)
                from.push_back(each.ring
                                   ? nullptr
                                   : address_of(each.place, begin, d_streams.item_bytes));
            d_streams.join(from,
                           map.map,
                           end - begin,
                           rows + next.lead + (begin - first) * row_bytes,
                           nullptr);
        });
}

const char*
streams_input::bring(chunk& next, chunk_pipeline& on, async_device::event_use uploaded)
{
    follow_writers(next, on);
    const std::size_t bytes = next.input_bytes();
    async_device& device = *on.device();
    char* there = nullptr;
    if (is_on_card()) {
        there = on.reserve(next.at->input, bytes);
        bring_zeros(next, on, on.compute(), there);
    } else {
        next.bytes_up = (next.input_end - next.input_begin) / d_ports.size() *
                        (d_ports.size() - d_in_rings);
        next.uploaded = on.take_event(uploaded);
        const bool is_direct = is_reachable(device);
        char* staged = nullptr;
        if (!is_direct) {
            staged = on.reserve(next.at->staged_input, bytes);
            stage(next, staged);
        }
        there = on.upload_by(next, bytes, [&](async_device::queue& queue, char* to) {
            if (staged)
                return device.copy(queue, to, staged, bytes);
            bring_zeros(next, on, queue, to);
            move_parts(
                next, on, to, [&](auto& table, char* rows, auto count, auto begin) {
                    if (table.has_host())
                        device.from_streams(queue,
                                            table.of_host(d_streams, rows, count, begin));
                });
        });
    }
    next.reads_ring = d_in_rings > 0;
    if (next.reads_ring)
        move_parts(next, on, there, [&](auto& table, char* rows, auto count, auto begin) {
            if (table.has_rings())
                device.from_streams(on.compute(),
                                    table.of_rings(d_streams, rows, count, begin));
        });
    return there;
}

void streams_input::hand_back(const chunk& next, chunk_pipeline& on)
{
    const std::size_t items = d_streams.count();
    for (const auto& [log, each] : d_writers)
        each.smallest->log()->read(next.input_begin / items,
                                   next.input_end / items,
                                   each.smallest->bytes(),
                                   { on.device(), next.computed },
                                   on.compute());
}

} // namespace gpufft
} // namespace gr
