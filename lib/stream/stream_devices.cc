// SPDX-License-Identifier: GPL-3.0-or-later
//
// Queues and buffers.

#include "stream_devices.h"

namespace gr {
namespace gpufft {

std::function<async_device::sptr(int)> stream_device::s_make = make_cuda_device;

char* growing_memory::reserve(std::size_t bytes, const allocate& make)
{
    if (is_short_of(bytes)) {
        d_memory.reset(); // first: old and new memory need not fit at once
        d_memory = make(bytes);
        d_bytes = bytes;
    }
    return address();
}

stream_device::stream_device(async_device::sptr card)
    : device(std::move(card)),
      upload(device->make_queue()),
      compute(device->make_queue()),
      download(device->make_queue())
{
}

char* stream_device::reserve(growing_memory& memory, const slot& chunk, std::size_t bytes)
{
    if (memory.is_short_of(bytes) && chunk.last_use)
        device->synchronize(*compute);
    return memory.reserve(bytes, [this](std::size_t b) { return device->allocate(b); });
}

char* stream_device::reserve_pinned(growing_memory& memory, std::size_t bytes)
{
    return memory.reserve(bytes,
                          [this](std::size_t b) { return device->allocate_pinned(b); });
}

char* stream_device::input_of(slot& chunk, std::size_t bytes)
{
    return reserve(chunk.input, chunk, bytes);
}

char* stream_device::output_of(slot& chunk, std::size_t bytes)
{
    return reserve(chunk.output, chunk, bytes);
}

char* stream_device::staged_input_of(slot& chunk, std::size_t bytes)
{
    return reserve_pinned(chunk.staged_input, bytes);
}

char* stream_device::staged_output_of(slot& chunk, std::size_t bytes)
{
    return reserve_pinned(chunk.staged_output, bytes);
}

char* stream_device::mean_of(std::size_t chunk, std::size_t bytes)
{
    return reserve_pinned(means[chunk % MEANS], bytes);
}

std::shared_ptr<async_device::event>
stream_device::take_event(async_device::event_use use)
{
    event_pool& pool = use == async_device::event_use::awaited ? d_awaited : d_ordering;
    for (std::size_t i = 0; i < pool.events.size(); ++i) {
        pool.next = (pool.next + 1) % pool.events.size();
        if (pool.events[pool.next].use_count() == 1)
            return pool.events[pool.next];
    }
    pool.events.push_back(device->make_event(use));
    return pool.events.back();
}

void stream_device::order(async_device::queue& first,
                          async_device::queue& on,
                          async_device::event& when)
{
    device->record(when, first);
    device->wait(on, when);
}

void stream_device::follow(async_device& card, const async_device::event& done)
{
    if (card.index() == device->index())
        device->wait(*compute, done);
    else
        card.synchronize(done);
}

bool stream_device::finish() noexcept
{
    bool fine = true;
    for (async_device::queue* each : { upload.get(), compute.get(), download.get() }) {
        try {
            device->synchronize(*each);
        } catch (const std::exception&) {
            fine = false; // the caller has met the trouble already, or will
        }
    }
    return fine;
}

} // namespace gpufft
} // namespace gr
