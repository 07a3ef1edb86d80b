// SPDX-License-Identifier: GPL-3.0-or-later
//
// Queues and buffers.

#include "chunk_pipeline.h"
#include <algorithm>
#include <cstring>

namespace gr {
namespace gpufft {

frame_layout::frame_layout(const problem& what)
    : n(what.span_items()),
      hop(what.hop_items()),
      bins(what.row_items()),
      samples_in_item(what.samples_in_item()),
      sample_bytes(what.input_item_bytes()),
      bin_bytes(what.output_item_bytes()),
      average(what.average)
{
}

std::size_t frame_layout::frame_bytes() const
{
    return std::max(
        { device_hop() * sample_bytes, row_bytes() / average, std::size_t(1) });
}

bool frame_layout::is_small(std::size_t frames, std::size_t rows) const
{
    return std::max(frames * n * sample_bytes, rows * row_bytes()) <=
           async_device::DIRECT_BYTES;
}

sample_pieces frame_layout::pieces(const void* begin, std::size_t frames) const
{
    const char* const first = static_cast<const char*>(begin);
    if (hop <= n)
        return { first, input_bytes(frames), input_bytes(frames), 1 };
    return { first, n * sample_bytes, hop * sample_bytes, frames };
}

chunk_pipeline::chunk_pipeline(async_device::sptr device)
    : d_device(std::move(device)),
      d_upload(d_device->make_queue()),
      d_compute(d_device->make_queue()),
      d_download(d_device->make_queue())
{
}

char* chunk_pipeline::reserve(growing_memory& what, std::size_t bytes)
{
    if (!what.memory || bytes > what.bytes) {
        if (what.memory && !what.is_pinned)
            d_device->synchronize(*d_compute);
        what.memory.reset(); // so that old and new memory need not fit together
        what.memory =
            what.is_pinned ? d_device->allocate_pinned(bytes) : d_device->allocate(bytes);
        what.bytes = bytes;
    }
    return static_cast<char*>(what.memory->address());
}

void chunk_pipeline::release()
{
    for (slot& each : d_slots)
        each = slot();
}

chunk_pipeline::event_sptr chunk_pipeline::take_event(event_use use)
{
    event_pool& pool = d_pools[static_cast<int>(use)];
    for (std::size_t i = 0; i < pool.events.size(); ++i) {
        pool.next = (pool.next + 1) % pool.events.size();
        if (pool.events[pool.next].use_count() == 1)
            return pool.events[pool.next];
    }
    pool.events.push_back(d_device->make_event(use));
    return pool.events.back();
}

async_device::queue& chunk_pipeline::begin_upload(const passage& chunk)
{
    async_device::queue& on = chunk.uploaded ? *d_upload : *d_compute;
    if (chunk.at->last_use)
        d_device->wait(on, *chunk.at->last_use);
    return on;
}

void chunk_pipeline::end_upload(const passage& chunk)
{
    if (!chunk.uploaded)
        return;
    d_device->record(*chunk.uploaded, *d_upload);
    d_device->wait(*d_compute, *chunk.uploaded);
}

void chunk_pipeline::copy_samples(async_device::queue& on,
                                  char* there,
                                  const sample_pieces& samples,
                                  growing_memory* staged)
{
    const std::size_t bytes = samples.count * samples.bytes;
    const char* from = samples.begin;
    if (staged) {
        char* const pinned = reserve(*staged, bytes);
        for (std::size_t i = 0; i < samples.count; ++i)
            std::memcpy(pinned + i * samples.bytes,
                        samples.begin + i * samples.pitch,
                        samples.bytes);
        from = pinned;
    }
    if (staged || samples.count == 1)
        d_device->copy(on, there, from, bytes);
    else
        d_device->copy_rows(
            on, there, samples.bytes, from, samples.pitch, samples.bytes, samples.count);
}

char* chunk_pipeline::upload(const passage& chunk,
                             const sample_pieces& samples,
                             bool is_reachable)
{
    char* const there = reserve(chunk.at->input, samples.count * samples.bytes);
    growing_memory* const staged = is_reachable ? nullptr : &chunk.at->staged_input;
    upload_by(chunk,
              [&](async_device::queue& on) { copy_samples(on, there, samples, staged); });
    return there;
}

async_device::queue& chunk_pipeline::begin_download(const passage& chunk)
{
    if (!chunk.computed)
        return *d_compute;
    d_device->wait(*d_download, *chunk.computed);
    return *d_download;
}

void chunk_pipeline::download(passage& chunk, const char* rows, bool is_reachable)
{
    download_by(chunk, [&](async_device::queue& on) {
        if (chunk.output_bytes == 0)
            return;
        char* to = chunk.output;
        if (!is_reachable)
            chunk.staged = to = reserve(chunk.at->staged_output, chunk.output_bytes);
        d_device->copy(on, to, rows, chunk.output_bytes);
    });
}

void chunk_pipeline::wait(const passage& chunk)
{
    if (const event_sptr& done = chunk.downloaded ? chunk.downloaded : chunk.uploaded)
        d_device->synchronize(*done);
}

void chunk_pipeline::unstage(const passage& chunk)
{
    if (chunk.staged)
        std::memcpy(chunk.output, chunk.staged, chunk.output_bytes);
}

bool chunk_pipeline::follow(async_device& card,
                            const async_device::event& done,
                            bool may_fail)
{
    if (card.index() == d_device->index()) {
        d_device->wait(*d_compute, done);
        return true;
    }
    try {
        card.synchronize(done);
    } catch (const cuda_error&) {
        if (!may_fail)
            throw;
        return false;
    }
    return true;
}

void chunk_pipeline::finish_all() noexcept
{
    for (const auto* each : { &d_upload, &d_compute, &d_download }) {
        try {
            d_device->synchronize(**each);
        } catch (const std::exception&) {
            // never throws, see the header
        }
    }
}

} // namespace gpufft
} // namespace gr
