// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tables of places, and the kernels' launches.

#include "streams_output.h"
#include <algorithm>
#include <cstring>
#include <spdlog/fmt/fmt.h>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t LINE_BYTES = 128; // of a card's memory

// Where GNU Radio puts a stream's bytes.
stream_place place_in(const gr::buffer_sptr& buffer)
{
    const std::size_t items = buffer->bufsize();
    char* const base = const_cast<char*>(buffer->base());
    const std::size_t next =
        (static_cast<char*>(buffer->write_pointer()) - base) / buffer->get_sizeof_item();
    return { base, items, (next + items - buffer->nitems_written() % items) % items, 0 };
}

} // namespace

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
    for (port& each : d_ports) {
        each.edge = std::make_unique<stream_edge::output>(
            each.side.buffer, device, keep_host, ahead);
        d_to_host = d_to_host || each.edge->to_host();
    }
    d_is_open = true;
}

std::string streams_output::reason() const
{
    const auto rings =
        std::count_if(d_ports.begin(), d_ports.end(), [](const auto& each) {
            return each.edge->ring() != nullptr;
        });
    const std::string first = d_ports.front().edge->reason();
    return rings == 0 || std::size_t(rings) == d_ports.size()
               ? first
               : fmt::format("{} of {} streams stay on a card", rings, d_ports.size());
}

bool streams_output::with_cards() const
{
    return std::any_of(d_ports.begin(), d_ports.end(), [](const port& each) {
        return each.edge->ring() && each.edge->ring()->shared().with_cards;
    });
}

char* streams_output::choose_destination(chunk& next, chunk_pipeline& on)
{
    for (const port& each : d_ports)
        if (const shadow_ring::sptr& ring = each.edge->ring())
            for (const shadow_ring::reading& read :
                 ring->before_writing(next.output_begin, next.output_end))
                on.follow(*read.card, *read.done, true); // see buffer_output
    return on.reserve(next.at->output,
                      std::max(next.output_bytes, next.layout.row_bytes()));
}

// All of a card's work with an older table has ended when this fills it anew.
streams_output::table& streams_output::table_on(chunk_pipeline& on)
{
    table& found = d_tables[&on];
    if (found.map != d_streams.map.get()) {
        on.finish_all();
        fill(found, on);
    }
    return found;
}

void streams_output::fill(table& with, chunk_pipeline& on) const
{
    std::vector<int> map = d_streams.map.get();
    std::vector<stream_place> places, on_host;
    for (std::size_t s = 0; s < d_ports.size(); ++s) {
        const port& each = d_ports[s];
        const auto item = static_cast<unsigned>(map[s]);
        if (const shadow_ring::sptr& ring = each.edge->ring())
            places.push_back(
                { ring->at(0), ring->bytes() / d_streams.item_bytes, 0, item });
        if (each.edge->to_host()) {
            on_host.push_back(each.place);
            on_host.back().item = item;
        }
    }
    with.in_rings = places.size();
    with.on_host = on_host.size();
    if (!on_host.empty())
        with.first_line = (reinterpret_cast<std::uintptr_t>(on_host.front().memory) +
                           on_host.front().start * d_streams.item_bytes) %
                          LINE_BYTES;
    places.insert(places.end(), on_host.begin(), on_host.end());
    const std::size_t bytes = places.size() * sizeof(stream_place);
    char* const staged = on.reserve(with.staged, bytes);
    char* const there = on.reserve(with.memory, bytes);
    std::memcpy(staged, places.data(), bytes);
    on.device()->copy(on.compute(), there, staged, bytes);
    on.device()->synchronize(on.compute());
    with.map = std::move(map); // only now is the table there
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

// To the streams in rings.
async_device::stream_move
streams_output::move_of(const chunk& next, const char* rows, const table& with) const
{
    async_device::stream_move move;
    move.rows = const_cast<char*>(rows);
    move.row_items = d_streams.count();
    move.item_bytes = d_streams.item_bytes;
    move.count = next.returns.rows;
    move.places = static_cast<const stream_place*>(with.memory.memory->address());
    move.streams = with.in_rings;
    move.begin = next.output_begin / d_streams.item_bytes;
    return move;
}

void streams_output::hand_over(chunk& next, chunk_pipeline& on, const char* rows)
{
    const table& with = table_on(on);
    async_device::stream_move move = move_of(next, rows, with);
    if (with.in_rings > 0 && move.count > 0)
        on.device()->to_streams(on.compute(), move);
    on.mark(*next.computed);
    for (const port& each : d_ports)
        if (each.edge->ring() && move.count > 0)
            each.edge->ring()->written(next.output_begin, next.output_end, next.computed);
    if (!d_to_host)
        return;
    next.downloaded = on.take_event(async_device::event_use::awaited);
    if (next.output != nullptr || !is_reachable(*on.device())) {
        on.download(next, rows, false);
        return;
    }
    move.places += with.in_rings;
    move.streams = with.on_host;
    move.over_link = true;
    move.lead = (with.first_line + next.output_begin) % LINE_BYTES / move.item_bytes;
    on.download_by(next, [&](async_device::queue& queue) {
        if (move.count > 0)
            on.device()->to_streams(queue, move);
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
        streams.push_back(each.place.memory +
                          (each.place.start + output_begin / d_streams.item_bytes) %
                              each.place.items * d_streams.item_bytes);
    d_streams.split(rows, count, streams);
}

void streams_output::forget_from(std::uint64_t output_begin)
{
    for (const port& each : d_ports)
        if (each.edge && each.edge->ring())
            each.edge->ring()->forget_from(output_begin);
}

void streams_output::leave_to_hung()
{
    for (const port& each : d_ports)
        if (each.side.registered)
            each.side.registered->move_away();
}

} // namespace gpufft
} // namespace gr
