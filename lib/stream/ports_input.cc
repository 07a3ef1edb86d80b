// SPDX-License-Identifier: GPL-3.0-or-later
//
// Queues the uploads of several inputs.

#include "ports_input.h"
#include "cuda_buffers.h"
#include <algorithm>
#include <spdlog/fmt/fmt.h>

namespace gr {
namespace gpufft {

ports_input::ports_input(const std::vector<gr::buffer_sptr>& buffers,
                         const port_sizes& sizes,
                         stream_edge::reader can,
                         const std::vector<int>& cards,
                         gr::logger_ptr logger)
    : d_logger(std::move(logger)),
      d_any_on_card(sizes.are_on_card())
{
    for (std::size_t i = 0; i < buffers.size(); ++i)
        d_ports.push_back(sizes.inputs[i].on_card
                              ? port()
                              : port(std::in_place, buffers[i], can, cards));
}

void ports_input::find_rings()
{
    for (port& each : d_ports)
        if (each)
            each->ring = each->edge->ring();
}

std::string ports_input::reason() const
{
    const port& first = d_ports.front();
    const std::string where =
        !first        ? "device: a buffer of gr-cuda"
        : first->ring ? "device: " + first->ring->device()->name()
                      : "host: the writer is no block of this module on a card";
    if (d_ports.size() == 1)
        return where;
    return fmt::format("{}, {} of {} further inputs from a card",
                       where,
                       std::count_if(d_ports.begin() + 1, d_ports.end(), is_there),
                       d_ports.size() - 1);
}

bool ports_input::is_on_card() const
{
    return std::all_of(d_ports.begin(), d_ports.end(), is_there);
}

bool ports_input::is_elsewhere(const chunk_pipeline& on) const
{
    return std::any_of(d_ports.begin(), d_ports.end(), [&](const port& each) {
        return each && each->is_elsewhere(on);
    });
}

const char*
ports_input::bring(chunk& next, chunk_pipeline& on, async_device::event_use uploaded)
{
    if (d_any_on_card)
        cuda_buffers::before(on);
    next.at->inputs.resize(d_ports.size());
    std::vector<std::size_t> on_host;
    for (std::size_t i = 0; i < d_ports.size(); ++i) {
        port_part& part = next.inputs[i];
        chunk_pipeline::port_memory& with = next.at->inputs[i];
        part.there = d_ports[i]
                         ? d_ports[i]->take_from_ring(part, with.memory, with.staged, on)
                         : part.host;
        if (!part.there)
            on_host.push_back(i);
    }
    if (!on_host.empty()) {
        next.uploaded = on.take_event(uploaded);
        upload(next, on_host, on);
    }
    return next.inputs.front().there;
}

void ports_input::upload(chunk& next,
                         const std::vector<std::size_t>& from,
                         chunk_pipeline& on)
{
    on.upload_by(next, [&](async_device::queue& queue) {
        for (const std::size_t i : from) {
            port_part& part = next.inputs[i];
            chunk_pipeline::port_memory& with = next.at->inputs[i];
            const std::size_t bytes = part.bytes();
            part.there = on.reserve(with.memory, bytes);
            const bool is_reachable =
                d_ports[i]->side.is_reachable(*on.device(), *d_logger);
            on.copy_samples(queue,
                            part.there,
                            { part.host, bytes, bytes, 1 },
                            is_reachable ? nullptr : &with.staged);
            next.bytes_up += bytes;
        }
    });
}

void ports_input::hand_back(const chunk& next, chunk_pipeline& on)
{
    if (d_any_on_card)
        cuda_buffers::after(on);
    for (std::size_t i = 0; i < d_ports.size(); ++i)
        if (d_ports[i])
            d_ports[i]->hand_back(next.inputs[i], next, on);
}

} // namespace gpufft
} // namespace gr
