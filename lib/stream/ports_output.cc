// SPDX-License-Identifier: GPL-3.0-or-later
//
// Queues the downloads of several outputs.

#include "ports_output.h"
#include <algorithm>
#include <cstring>
#include <spdlog/fmt/fmt.h>

namespace gr {
namespace gpufft {

ports_output::ports_output(const std::vector<gr::buffer_sptr>& buffers,
                           const port_sizes& sizes,
                           gr::logger_ptr logger)
    : d_logger(std::move(logger))
{
    for (std::size_t k = 0; k < buffers.size(); ++k)
        d_ports.push_back(
            { { buffers[k] }, sizes.rows[k], sizes.rows_on_card[k], nullptr });
}

void ports_output::open(const async_device::sptr& device,
                        bool keep_host,
                        std::size_t ahead)
{
    d_to_host = false;
    for (port& each : d_ports) {
        if (each.on_card)
            continue;
        const std::size_t rows = ahead / d_ports.front().row_bytes;
        each.edge = std::make_unique<stream_edge::output>(
            each.side.buffer, device, keep_host, rows * each.row_bytes);
        d_to_host = d_to_host || each.edge->to_host();
    }
    d_is_open = true;
}

std::string ports_output::reason() const
{
    const auto rings =
        std::count_if(d_ports.begin(), d_ports.end(), [](const auto& each) {
            return each.on_card || each.edge->ring() != nullptr;
        });
    if (d_ports.front().on_card && std::size_t(rings) == d_ports.size())
        return "device: buffers of gr-cuda";
    return rings == 0 || std::size_t(rings) == d_ports.size()
               ? d_ports.front().edge->reason()
               : fmt::format("{} of {} outputs stay on a card", rings, d_ports.size());
}

bool ports_output::with_cards() const
{
    return std::any_of(d_ports.begin(), d_ports.end(), [](const port& each) {
        return each.edge && each.edge->ring() && each.edge->ring()->shared().with_cards;
    });
}

char* ports_output::choose_destination(chunk& next, chunk_pipeline& on)
{
    next.at->outputs.resize(d_ports.size());
    for (std::size_t k = 0; k < d_ports.size(); ++k) {
        port_part& part = next.outputs[k];
        if (d_ports[k].on_card) {
            part.there = part.host;
            continue;
        }
        if (const shadow_ring::sptr& ring = d_ports[k].edge->ring()) {
            for (const ring_log::reading& each : ring->log()->before_writing(part.end))
                on.follow(*each.card, *each.done, true); // see buffer_output
            part.there = ring->at(part.begin);
        } else {
            part.there = on.reserve(next.at->outputs[k].memory, part.bytes());
        }
    }
    return next.outputs.front().there;
}

void ports_output::hand_over(chunk& next, chunk_pipeline& on, const char*)
{
    on.mark(*next.computed);
    for (std::size_t k = 0; k < d_ports.size(); ++k) {
        if (d_ports[k].on_card)
            continue;
        if (const shadow_ring::sptr& ring = d_ports[k].edge->ring())
            ring->log()->written(
                next.outputs[k].begin, next.outputs[k].end, next.computed);
    }
    if (!d_to_host)
        return;
    next.downloaded = on.take_event(async_device::event_use::awaited);
    next.output_bytes = 0;
    on.download_by(next, [&](async_device::queue& queue) {
        for (std::size_t k = 0; k < d_ports.size(); ++k) {
            port& to = d_ports[k];
            port_part& part = next.outputs[k];
            if (to.on_card || !to.edge->to_host())
                continue;
            char* place = part.host;
            if (!is_in(to.side.buffer, place) ||
                !to.side.is_reachable(*on.device(), *d_logger))
                part.staged = place =
                    on.reserve(next.at->outputs[k].staged, part.bytes());
            on.device()->copy(queue, place, part.there, part.bytes());
            next.output_bytes += part.bytes();
        }
    });
}

void ports_output::unstage(const chunk& done)
{
    for (const port_part& part : done.outputs)
        if (part.staged)
            std::memcpy(part.host, part.staged, part.bytes());
}

void ports_output::forget_from(std::uint64_t output_begin)
{
    const std::uint64_t row = output_begin / d_ports.front().row_bytes;
    for (const port& each : d_ports)
        if (each.edge && each.edge->ring())
            each.edge->ring()->log()->forget_from(row * each.row_bytes);
}

void ports_output::leave_to_hung()
{
    for (const port& each : d_ports)
        if (each.side.registered)
            each.side.registered->move_away();
}

} // namespace gpufft
} // namespace gr
