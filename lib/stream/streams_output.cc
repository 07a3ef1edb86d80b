// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tables of places, and the kernels' launches.

#include "streams_output.h"
#include <algorithm>
#include <spdlog/fmt/fmt.h>

namespace gr {
namespace gpufft {

streams_output::streams_output(const std::vector<gr::buffer_sptr>& buffers,
                               const row_streams& streams,
                               gr::logger_ptr logger)
    : d_streams(streams),
      d_logger(std::move(logger))
{
    for (const gr::buffer_sptr& buffer : buffers)
        d_ports.push_back({ { buffer }, place_in(buffer) });
}

void streams_output::open(const async_device::sptr& device,
                          bool keep_host,
                          std::size_t ahead)
{
    d_to_host = false;
    if (device)
        d_rings.bytes = device->free_bytes() / RINGS_OF_FREE;
    for (port& each : d_ports) {
        each.edge = std::make_unique<stream_edge::output>(
            each.side.buffer, device, keep_host, ahead, &d_rings);
        d_to_host = d_to_host || each.edge->to_host();
        if (const shadow_ring::sptr& ring = each.edge->ring()) {
            d_has_rings = true;
            d_with_cards = d_with_cards || ring->shared().with_cards;
        }
    }
    d_is_open = true;
}

std::string streams_output::reason() const
{
    const auto has_ring = [](const port& each) { return each.edge->ring() != nullptr; };
    const auto rings = std::count_if(d_ports.begin(), d_ports.end(), has_ring);
    const auto other = std::find_if_not(d_ports.begin(), d_ports.end(), has_ring);
    if (rings == 0 || other == d_ports.end())
        return d_ports.front().edge->reason();
    return fmt::format("{} of {} streams stay on a card; stream {}: {}",
                       rings,
                       d_ports.size(),
                       other - d_ports.begin(),
                       other->edge->reason());
}

char* streams_output::choose_destination(chunk& next, chunk_pipeline& on)
{
    for (const ring_log::reading& read : d_rings.log->before_writing(next.output_end))
        on.follow(*read.card, *read.done, true); // see buffer_output
    return on.reserve(next.at->output,
                      std::max(next.output_bytes, next.layout.row_bytes()));
}

// All of a card's work with an older table has ended when this fills it anew.
const place_table& streams_output::table_on(chunk_pipeline& on)
{
    table& found = d_tables[&on];
    std::vector<int> map = d_streams.map.get();
    if (found.map != map) {
        on.finish_all();
        found.map.clear(); // until the table is there
        fill(found.places, on, map);
        found.map = std::move(map);
    }
    return found.places;
}

void streams_output::fill(place_table& table,
                          chunk_pipeline& on,
                          const std::vector<int>& map) const
{
    std::vector<stream_place> in_rings, on_host;
    for (std::size_t s = 0; s < d_ports.size(); ++s) {
        const port& each = d_ports[s];
        const auto item = static_cast<unsigned>(map[s]);
        if (const shadow_ring::sptr& ring = each.edge->ring()) {
            in_rings.push_back(place_in(*ring, d_streams.item_bytes));
            in_rings.back().item = item;
        }
        if (each.edge->to_host()) {
            on_host.push_back(each.place);
            on_host.back().item = item;
        }
    }
    table.fill(on, std::move(in_rings), on_host, d_streams.item_bytes);
}

// All buffers, or none. Kernels need host memory at the host's addresses.
bool streams_output::is_reachable(async_device& device)
{
    d_is_staged = d_is_staged || !device.computes_in_host_memory();
    for (port& each : d_ports)
        if (!d_is_staged && each.edge->to_host() &&
            !each.side.is_reachable(device, *d_logger))
            d_is_staged = true;
    return !d_is_staged;
}

void streams_output::hand_over(chunk& next, chunk_pipeline& on, const char* rows)
{
    const place_table& table = table_on(on);
    const std::size_t count = next.returns.rows;
    const std::uint64_t begin = next.output_begin / d_streams.item_bytes;
    const bool has_rings = d_has_rings && count > 0;
    if (has_rings)
        on.device()->to_streams(on.compute(),
                                table.of_rings(d_streams, rows, count, begin));
    on.mark(*next.computed);
    if (has_rings)
        d_rings.log->written(next.output_begin, next.output_end, next.computed);
    if (!d_to_host)
        return;
    next.downloaded = on.take_event(async_device::event_use::awaited);
    if (next.output != nullptr || !is_reachable(*on.device())) {
        on.download(next, rows, false);
        return;
    }
    on.download_by(next, [&](async_device::queue& queue) {
        if (count > 0)
            on.device()->to_streams(queue, table.of_host(d_streams, rows, count, begin));
    });
}

void streams_output::unstage(const chunk& done)
{
    if (done.staged && done.output == nullptr)
        place(done.staged, done.returns.rows, done.output_begin);
    else
        chunk_pipeline::unstage(done);
}

void streams_output::place(const char* rows,
                           std::size_t count,
                           std::uint64_t output_begin)
{
    std::vector<void*> streams;
    for (const port& each : d_ports)
        streams.push_back(address_of(
            each.place, output_begin / d_streams.item_bytes, d_streams.item_bytes));
    d_streams.split(rows, count, streams, nullptr);
}

void streams_output::forget_from(std::uint64_t output_begin)
{
    d_rings.log->forget_from(output_begin);
}

void streams_output::leave_to_hung()
{
    for (const port& each : d_ports)
        if (each.side.registered)
            each.side.registered->move_away();
}

} // namespace gpufft
} // namespace gr
