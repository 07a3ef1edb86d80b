// SPDX-License-Identifier: GPL-3.0-or-later
//
// Queues the copies, transforms and kernels of slabs.

#include "slab_execution.h"
#include <algorithm>

namespace gr {
namespace gpufft {

namespace {

char* reserve_memory(async_device& device, growing_memory& what, std::size_t bytes)
{
    if (!what.memory || bytes > what.bytes) {
        what.memory.reset(); // so that old and new memory need not fit together
        what.memory =
            what.is_pinned ? device.allocate_pinned(bytes) : device.allocate(bytes);
        what.bytes = bytes;
    }
    return static_cast<char*>(what.memory->address());
}

// `reaches`: the device copies from or to the memory of the other one directly.
void queue_copy(async_device& device,
                async_device::queue& on,
                const async_device::device_rows& to,
                const async_device::device_rows& from,
                const slab_copy& what,
                bool reaches)
{
    const bool is_run =
        what.rows == 1 || (to.pitch == what.row_bytes && from.pitch == what.row_bytes);
    if (!reaches)
        device.copy_between(on, to, from, what.row_bytes, what.rows);
    else if (is_run)
        device.copy(on, to.address, from.address, what.bytes());
    else
        device.copy_rows(on,
                         to.address,
                         to.pitch,
                         from.address,
                         from.pitch,
                         what.row_bytes,
                         what.rows);
}

// Bytes of the copies that go through a staging buffer.
std::size_t staged_bytes(const std::vector<slab_copy>& copies, const slab_host& host)
{
    std::size_t bytes = 0;
    for (const slab_copy& each : copies)
        if (!host.reaches(each))
            bytes += each.bytes();
    return bytes;
}

} // namespace

slab_execution::card::card(async_device::sptr which)
    : device(std::move(which)),
      upload(device->make_queue()),
      load(device->make_queue()),
      send(device->make_queue()),
      compute(device->make_queue()),
      store(device->make_queue()),
      download(device->make_queue())
{
    typedef async_device::event_use use;
    for (slot& each : slots) {
        each.uploaded = device->make_event(use::ordering);
        each.loaded = device->make_event(use::ordering);
        each.computed = device->make_event(use::ordering);
        each.stored = device->make_event(use::awaited);
        each.downloaded = device->make_event(use::awaited);
    }
}

slab_execution::slab_execution(const std::vector<async_device::sptr>& devices)
{
    for (const async_device::sptr& device : devices) {
        d_cards.push_back(std::make_unique<card>(device));
        for (const async_device::sptr& other : devices)
            d_cards.back()->reaches.push_back(other->is_readable_from(device->index()));
    }
    for (const auto& on : d_cards)
        for (slot& each : on->slots)
            for (const auto& from : d_cards)
                each.arrived.push_back(
                    from->device->make_event(async_device::event_use::ordering));
}

slab_execution::~slab_execution() = default;

void slab_execution::wait_for(const std::vector<void*>& streams)
{
    for (std::size_t i = 0; i < streams.size(); ++i) {
        async_device& device = *d_cards[i]->device;
        const auto stream = device.borrow_queue(streams[i]);
        const auto event = device.make_event(async_device::event_use::ordering);
        device.record(*event, *stream);
        for (const auto& on : d_cards) {
            for (const auto* queue : { &on->upload, &on->load, &on->send, &on->compute })
                on->device->wait(**queue, *event);
        }
    }
}

void slab_execution::run(const slab_program& program,
                         const slab_plans& plans,
                         const slab_host& host)
{
    d_is_double = program.transforms.front().is_double();
    try {
        for (const sweep& each : program.sweeps) {
            const std::vector<std::vector<const slab*>> shares = shares_of(each);
            for (std::size_t i = 0; i < each.slabs.size(); ++i)
                for (std::size_t card = 0; card < shares.size(); ++card)
                    if (i < shares[card].size())
                        submit(*d_cards[card], *shares[card][i], plans[card], host);
            for (const auto& on : d_cards)
                for (std::size_t i = 0; i < SLOTS; ++i)
                    finish(*on, on->slots[(on->next + i) % SLOTS], host);
        }
    } catch (...) {
        finish_all();
        throw;
    }
}

void slab_execution::reserve(const slab_program& program)
{
    for (const auto& on : d_cards)
        for (slot& each : on->slots)
            for (growing_memory& buffer : each.buffers)
                reserve_memory(*on->device, buffer, program.buffer_bytes);
    for (std::size_t i = 0; i < program.kept_bytes.size(); ++i) {
        growing_memory& kept = d_cards[i]->kept;
        const std::size_t bytes = program.kept_bytes[i];
        if (bytes == 0 || (kept.memory && bytes <= kept.bytes))
            continue;
        kept = growing_memory();
        const std::vector<bool>& reaches = d_cards[i]->reaches;
        const bool is_shared =
            d_cards.size() > 1 && std::count(reaches.begin(), reaches.end(), false) == 0;
        if (!is_shared)
            kept.memory = d_cards[i]->device->allocate(bytes);
        else // which other cards may write to
            kept.memory = d_cards[i]->device->allocate_ring(bytes);
        kept.bytes = bytes;
    }
}

void slab_execution::release()
{
    for (const auto& on : d_cards)
        on->kept = growing_memory();
}

std::size_t slab_execution::held_bytes() const
{
    std::size_t bytes = 0;
    for (const auto& on : d_cards) {
        bytes += on->kept.bytes;
        for (const slot& each : on->slots)
            for (const growing_memory& buffer : each.buffers)
                bytes += buffer.bytes;
    }
    return bytes;
}

// The slabs of each card, in their order.
std::vector<std::vector<const slab*>> slab_execution::shares_of(const sweep& what) const
{
    std::vector<std::vector<const slab*>> shares(d_cards.size());
    std::size_t next = 0;
    for (const slab& each : what.slabs) {
        shares[each.card < 0 ? next : std::size_t(each.card)].push_back(&each);
        next = (next + 1) % shares.size();
    }
    return shares;
}

char* slab_execution::address_of(const slab_copy& copy, const slab_host& host) const
{
    char* const begin =
        copy.at == slab_memory::cards
            ? static_cast<char*>(d_cards[copy.card]->kept.memory->address())
        : host.is_on_cards(copy) ? host.parts[int(copy.at)][copy.card]
                                 : host.memory[int(copy.at)];
    return begin + copy.offset;
}

void slab_execution::submit(card& on,
                            const slab& what,
                            const std::vector<plan*>& plans,
                            const slab_host& host)
{
    slot& at = on.slots[on.next];
    follow(on, at, what, host);
    on.next = (on.next + 1) % SLOTS;
    async_device& device = *on.device;
    const auto buffer = [&](int which) {
        const growing_memory& from = which == slab::KEPT ? on.kept : at.buffers[which];
        return static_cast<char*>(from.memory->address());
    };
    at.in_flight = &what; // also if a call fails
    upload({ on, *on.upload, buffer(0), at.staged_input }, what, host);
    device.record(*at.uploaded, *on.upload);
    upload({ on, *on.load, buffer(0), at.staged_input, true }, what, host);
    device.record(*at.loaded, *on.load);
    receive(on, at, what, host);
    device.wait(*on.compute, *at.uploaded);
    device.wait(*on.compute, *at.loaded);
    compute(on, at, what, plans, host);
    device.record(*at.computed, *on.compute);
    device.wait(*on.download, *at.computed);
    download({ on, *on.download, buffer(what.result), at.staged_output }, what, host);
    device.record(*at.downloaded, *on.download);
    device.wait(*on.store, *at.computed);
    download({ on, *on.store, buffer(what.result), at.staged_output, true }, what, host);
    device.record(*at.stored, *on.store);
}

void slab_execution::compute(card& on,
                             slot& at,
                             const slab& what,
                             const std::vector<plan*>& plans,
                             const slab_host& host)
{
    for (const slab_step& step : what.steps) {
        char* const from = static_cast<char*>(at.buffers[step.from].memory->address());
        char* const to = static_cast<char*>(at.buffers[step.to].memory->address());
        switch (step.what) {
        case slab_step::kind::transform:
            plans[step.transform]->enqueue(
                step.source ? address_of(*step.source, host) : from + step.from_bytes,
                step.target ? address_of(*step.target, host) : to + step.to_bytes,
                step.frames,
                on.compute->handle());
            break;
        case slab_step::kind::twiddles:
            on.device->multiply(*on.compute,
                                step.target ? address_of(*step.target, host)
                                            : to + step.to_bytes,
                                step.twiddles,
                                d_is_double);
            break;
        case slab_step::kind::pairs:
            on.device->combine(*on.compute, to, from, step.pairs, d_is_double);
            break;
        }
    }
}

// What fills a slot's buffers waits for the end of the slab before; the CPU only does
// where it fills or empties the slot's staging buffers.
void slab_execution::follow(card& on, slot& at, const slab& next, const slab_host& host)
{
    if (at.in_flight == nullptr)
        return;
    if (staged_bytes(at.in_flight->downloads, host) > 0 ||
        staged_bytes(next.uploads, host) > 0)
        return finish(on, at, host);
    for (const auto* end : { &at.downloaded, &at.stored }) {
        on.device->wait(*on.upload, **end);
        on.device->wait(*on.load, **end);
        for (const auto& from : d_cards)
            if (from.get() != &on)
                from->device->wait(*from->send, **end);
    }
}

// Waits for a slab's download, and empties its staging buffer.
void slab_execution::finish(card& on, slot& at, const slab_host& host)
{
    if (at.in_flight == nullptr)
        return;
    on.device->synchronize(*at.downloaded);
    on.device->synchronize(*at.stored);
    if (staged_bytes(at.in_flight->downloads, host) > 0)
        copy_on_host(at.in_flight->downloads,
                     host,
                     static_cast<char*>(at.staged_output.memory->address()),
                     true);
    at.in_flight = nullptr;
}

void slab_execution::finish_all() noexcept
{
    for (const auto& on : d_cards) {
        for (const auto* queue : { &on->upload,
                                   &on->load,
                                   &on->send,
                                   &on->compute,
                                   &on->store,
                                   &on->download }) {
            try {
                on->device->synchronize(**queue);
            } catch (const std::exception&) {
                // the exception that led here reports the device's trouble
            }
        }
        for (slot& each : on->slots)
            each.in_flight = nullptr;
    }
}

bool slab_execution::is_within(const passage& way,
                               const slab_copy& copy,
                               const slab_host& host) const
{
    return host.is_on_cards(copy) && d_cards[copy.card].get() == &way.on;
}

void slab_execution::upload(const passage& way, const slab& what, const slab_host& host)
{
    async_device& device = *way.on.device;
    char* staged = nullptr;
    const std::size_t bytes = way.within ? 0 : staged_bytes(what.uploads, host);
    if (bytes > 0) {
        staged = reserve_memory(device, way.staged, bytes);
        copy_on_host(what.uploads, host, staged, false);
    }
    for (const slab_copy& each : what.uploads) {
        const bool is_within_card = is_within(way, each, host);
        if (is_within_card != way.within ||
            (!is_within_card && host.is_on_cards(each))) // received
            continue;
        const bool is_reachable = host.reaches(each);
        char* const from = is_reachable ? address_of(each, host) : staged;
        queue_copy(device,
                   way.queue,
                   { device, way.buffer + each.card_offset, each.card_pitch },
                   { device, from, is_reachable ? each.pitch : each.row_bytes },
                   each,
                   true);
        if (!is_reachable)
            staged += each.bytes();
    }
}

void slab_execution::receive(card& on, slot& at, const slab& what, const slab_host& host)
{
    char* const buffer = static_cast<char*>(at.buffers[0].memory->address());
    std::size_t own = 0;
    while (d_cards[own].get() != &on)
        ++own;
    for (std::size_t i = 0; i < d_cards.size(); ++i) {
        card& from = *d_cards[i];
        bool sends = false;
        for (const slab_copy& each : what.uploads) {
            if (i == own || !host.is_on_cards(each) || std::size_t(each.card) != i)
                continue;
            queue_copy(*from.device,
                       *from.send,
                       { *on.device, buffer + each.card_offset, each.card_pitch },
                       { *from.device, address_of(each, host), each.pitch },
                       each,
                       from.reaches[own]);
            sends = true;
        }
        if (!sends)
            continue;
        from.device->record(*at.arrived[i], *from.send);
        on.device->wait(*on.compute, *at.arrived[i]);
    }
}

void slab_execution::download(const passage& way, const slab& what, const slab_host& host)
{
    async_device& device = *way.on.device;
    char* staged = nullptr;
    const std::size_t bytes = way.within ? 0 : staged_bytes(what.downloads, host);
    if (bytes > 0)
        staged = reserve_memory(device, way.staged, bytes);
    for (const slab_copy& each : what.downloads) {
        if (is_within(way, each, host) != way.within)
            continue;
        const bool is_reachable = host.reaches(each),
                   is_on_cards = host.is_on_cards(each);
        char* const to = is_reachable ? address_of(each, host) : staged;
        queue_copy(device,
                   way.queue,
                   { is_on_cards ? *d_cards[each.card]->device : device,
                     to,
                     is_reachable ? each.pitch : each.row_bytes },
                   { device, way.buffer + each.card_offset, each.card_pitch },
                   each,
                   !is_on_cards || way.on.reaches[each.card]);
        if (!is_reachable)
            staged += each.bytes();
    }
}

} // namespace gpufft
} // namespace gr
