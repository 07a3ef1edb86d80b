// SPDX-License-Identifier: GPL-3.0-or-later
//
// Queues the copies of several ports.

#include "more_ports.h"
#include "cuda_buffers.h"
#include <algorithm>
#include <cstring>
#include <spdlog/fmt/fmt.h>

namespace gr {
namespace gpufft {

std::size_t port_sizes::most() const
{
    std::size_t bytes = 1;
    for (const input& each : inputs)
        bytes = std::max(bytes, each.frame);
    for (const std::size_t each : rows)
        bytes = std::max(bytes, each);
    return bytes;
}

bool port_sizes::are_on_card() const
{
    return std::any_of(
               inputs.begin(), inputs.end(), [](auto& each) { return each.on_card; }) ||
           std::find(rows_on_card.begin(), rows_on_card.end(), true) !=
               rows_on_card.end();
}

void port_buffers::cut(const port_sizes& sizes,
                       std::size_t before,
                       std::size_t frames,
                       chunk& next) const
{
    next.more_inputs.clear();
    for (std::size_t i = 1; i < inputs.size(); ++i) {
        const input& port = inputs[i];
        const port_sizes::input& size = sizes.inputs[i];
        port_part part;
        part.host = const_cast<char*>(port.data) + before * size.frame;
        const std::uint64_t begin = port.read + before * size.frame;
        const std::uint64_t end = begin + size.history + frames * size.frame;
        part.lead = std::max(port.history, begin) - begin;
        part.begin = begin + part.lead - port.history;
        part.end = std::max(end, port.history) - port.history;
        next.more_inputs.push_back(part);
    }
    next.outputs.clear();
    for (std::size_t k = 0; k < outputs.size(); ++k) {
        port_part part;
        part.host = outputs[k].data + before * sizes.rows[k];
        part.begin = outputs[k].written + before * sizes.rows[k];
        part.end = part.begin + frames * sizes.rows[k];
        next.outputs.push_back(part);
    }
}

more_places port_buffers::places() const
{
    more_places all;
    for (std::size_t i = 1; i < inputs.size(); ++i)
        all.inputs.push_back(inputs[i].data);
    for (std::size_t k = 1; k < outputs.size(); ++k)
        all.outputs.push_back(outputs[k].data);
    return all;
}

more_inputs::more_inputs(const std::vector<gr::buffer_sptr>& buffers,
                         const port_sizes& sizes,
                         const live_plan& plan,
                         gr::logger_ptr logger,
                         bool sends)
    : d_logger(std::move(logger)),
      d_first_on_card(sizes.inputs[0].on_card),
      d_any_on_card(sizes.are_on_card())
{
    for (std::size_t i = 0; i < buffers.size(); ++i) {
        const bool on_card = sizes.inputs[i + 1].on_card;
        d_ports.push_back({ { buffers[i] }, on_card, nullptr, nullptr });
        if (sends && !on_card)
            d_ports.back().edge = std::make_unique<stream_edge::input>(
                buffers[i],
                plan.goes_on_with_cpu() ? stream_edge::reader::of_either
                                        : stream_edge::reader::of_card,
                plan.devices());
    }
}

void more_inputs::ask()
{
    if (std::exchange(d_asked, true))
        return;
    for (port& each : d_ports)
        if (each.edge)
            each.ring = each.edge->ring();
}

bool more_inputs::are_in_rings()
{
    ask();
    return std::all_of(d_ports.begin(), d_ports.end(), [](const port& each) {
        return each.ring || each.on_card;
    });
}

std::string more_inputs::describe()
{
    ask();
    const auto there =
        std::count_if(d_ports.begin(), d_ports.end(), [](const auto& each) {
            return each.ring || each.on_card;
        });
    return fmt::format("{} of {} further inputs from a card", there, d_ports.size());
}

bool more_inputs::are_elsewhere(const chunk_pipeline& on)
{
    ask();
    return std::any_of(d_ports.begin(), d_ports.end(), [&](const port& each) {
        return each.ring && each.ring->device()->index() != on.device()->index();
    });
}

bool more_inputs::bring(chunk& next, chunk_pipeline& on)
{
    ask();
    if (d_any_on_card)
        cuda_buffers::before(on);
    next.at->more_inputs.resize(d_ports.size());
    bool uploads = false;
    for (std::size_t i = 0; i < d_ports.size(); ++i) {
        port& from = d_ports[i];
        port_part& part = next.more_inputs[i];
        chunk_pipeline::port_memory& memory = next.at->more_inputs[i];
        if (from.on_card) {
            part.there = part.host;
            continue;
        }
        if (take_from_ring(from, part, memory, on))
            continue;
        part.there = on.upload_more(next,
                                    memory,
                                    part.host,
                                    part.bytes(),
                                    from.side.is_reachable(*on.device(), *d_logger));
        next.bytes_up += part.bytes();
        uploads = true;
    }
    return uploads;
}

bool more_inputs::take_from_ring(port& from,
                                 port_part& part,
                                 chunk_pipeline::port_memory& memory,
                                 chunk_pipeline& on)
{
    if (!from.ring)
        return false;
    const auto written = from.ring->before_reading(part.begin, part.end);
    async_device& card = *from.ring->device();
    if (!written ||
        (*written && !on.follow(card, **written, from.ring->shared().with_host)))
        return false;
    part.reads_ring = true;
    char* const there = from.ring->at(part.begin);
    if (part.lead == 0 && card.index() == on.device()->index()) {
        part.there = there;
        return true;
    }
    part.there = on.reserve(memory.memory, part.bytes());
    if (part.lead > 0) {
        char* const zeros = on.reserve(memory.staged, part.lead);
        std::memset(zeros, 0, part.lead);
        on.device()->copy(on.compute(), part.there, zeros, part.lead);
    }
    on.device()->copy(on.compute(), part.there + part.lead, there, part.end - part.begin);
    return true;
}

void more_inputs::end(const chunk& done, chunk_pipeline& on)
{
    if (d_any_on_card)
        cuda_buffers::after(on);
    for (std::size_t i = 0; i < d_ports.size(); ++i) {
        const port_part& part = done.more_inputs[i];
        if (part.reads_ring)
            d_ports[i].ring->read(
                part.begin, part.end, { on.device(), done.computed }, on.compute());
    }
}

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
    next.at->more_outputs.resize(d_ports.size());
    for (std::size_t k = 0; k < d_ports.size(); ++k) {
        port_part& part = next.outputs[k];
        if (d_ports[k].on_card) {
            part.there = part.host;
            continue;
        }
        if (const shadow_ring::sptr& ring = d_ports[k].edge->ring()) {
            for (const shadow_ring::reading& each :
                 ring->before_writing(part.begin, part.end))
                on.follow(*each.card, *each.done, true); // see buffer_output
            part.there = ring->at(part.begin);
        } else {
            part.there = on.reserve(next.at->more_outputs[k].memory, part.bytes());
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
            ring->written(next.outputs[k].begin, next.outputs[k].end, next.computed);
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
                    on.reserve(next.at->more_outputs[k].staged, part.bytes());
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
            each.edge->ring()->forget_from(row * each.row_bytes);
}

void ports_output::leave_to_hung()
{
    for (const port& each : d_ports)
        if (each.side.registered)
            each.side.registered->move_away();
}

} // namespace gpufft
} // namespace gr
