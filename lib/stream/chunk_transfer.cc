// SPDX-License-Identifier: GPL-3.0-or-later
//
// Queues one chunk's copies and kernels: part of chunked_stream.

#include "chunked_stream.h"
#include <algorithm>
#include <cstring>
#include <functional>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t TIMED_EVERY = 8; // chunks; one of these is timed by events, for the
                                       // statistics

constexpr auto ORDERING = async_device::event_use::ordering;
constexpr auto AWAITED = async_device::event_use::awaited;

// True if the address is in the buffer. A block may also take rows into its own memory.
bool is_in(const gr::buffer_sptr& buffer, const char* address)
{
    const std::less<const char*> before;
    return !before(address, buffer->base()) &&
           before(address,
                  buffer->base() +
                      2 * std::size_t(buffer->bufsize()) * buffer->get_sizeof_item());
}

} // namespace

// True if the cards can copy from and to the buffer. Otherwise staging memory is used,
// which is logged once.
bool chunked_stream::is_registered(const gr::buffer_sptr& buffer,
                                   host_buffer::sptr& registered,
                                   bool& staged)
{
    if (!registered && !staged) {
        try {
            registered = host_buffer::get(buffer, *d_devices.front()->device);
        } catch (const cuda_error& error) {
            staged = true;
            d_logger->info("{}; the CPU copies between GNU Radio's buffer and pinned "
                           "memory instead",
                           error.what());
        }
    }
    if (registered && registered->has_moved()) { // perhaps before this block got it
        registered.reset(); // other blocks with chunks in flight keep the registration
        staged = true;
    }
    return registered != nullptr;
}

// Keeps a hanging device, which may still write to the output buffer, from overwriting
// what the CPU writes from now on.
void chunked_stream::leave_to_hung()
{
    const bool hangs =
        std::any_of(d_devices.begin(), d_devices.end(), [](const auto& each) {
            return each->device->hangs();
        });
    if (hangs && d_output_registered)
        d_output_registered->move_away();
}

void chunked_stream::queue(chunk& next)
{
    d_samples_in_flight += next.returns.consumed;
    d_rows_in_flight += next.returns.rows;
    if (next.returns.run.frames == 0)
        return; // only samples between frames
    next.device = d_next % turns();
    stream_device& on = *d_devices[next.device];
    next.slot = &on.slots[d_next / turns() % stream_device::SLOTS];
    ++d_next;
    plan& with = d_plan.on(next.device);
    if (d_queued++ % TIMED_EVERY == 0)
        next.started = on.take_event(AWAITED);
    next.is_direct = can_be_direct(next, on);
    const shadow_ring::sptr& ring = d_output_edge->ring();
    const bool is_awaited = next.started || next.is_direct ||
                            (ring && ring->shared().with_cards) ||
                            (asks_for_ring() && is_elsewhere(on));
    next.computed = on.take_event(is_awaited ? AWAITED : ORDERING);

    const char* input = bring(next, on);
    char* output = place(next, on);
    if (next.started)
        on.device->record(*next.started, *on.compute);
    const std::size_t hop = with.what().effective_hop();
    with.set_position(next.in_stream);
    with.enqueue(input,
                 output,
                 next.returns.run.frames,
                 on.compute->handle(),
                 // the upload has packed frames that have gaps
                 next.uploaded ? std::min(hop, with.what().input_span()) : hop);
    next.mean = save_mean(next.device);
    deliver(next, on, output);
}

std::size_t chunked_stream::input_bytes(const chunk& next)
{
    return next.lead + (next.input_end - next.input_begin);
}

// True if the writer keeps the samples on a card. Call it when the writer has written
// some.
bool chunked_stream::asks_for_ring()
{
    if (!d_asked_for_ring) {
        d_input_ring = d_input_edge->ring();
        d_asked_for_ring = true;
        const std::lock_guard<std::mutex> lock(d_mutex);
        d_statistics.input_edge =
            d_input_ring ? "device: " + d_input_ring->device()->name()
                         : "host: the writer is no block of this module on a card";
    }
    return d_input_ring != nullptr;
}

// True if the kernel should access GNU Radio's buffers directly: it can, and the chunk is
// small.
bool chunked_stream::can_be_direct(const chunk& next, const stream_device& on)
{
    const problem& what = d_plan.on(next.device).what();
    const std::size_t read = next.returns.run.frames * what.input_span() * d_sample_bytes;
    const std::size_t written = next.output_end - next.output_begin;
    return std::max(read, written) <= async_device::DIRECT_BYTES &&
           d_plan.on(next.device).is_aligned(next.returns.run.samples, next.output) &&
           !asks_for_ring() && !d_output_edge->ring() &&
           on.device->computes_in_host_memory() && is_in(d_output, next.output) &&
           is_registered(d_input, d_input_registered, d_input_staged) &&
           is_registered(d_output, d_output_registered, d_output_staged);
}

// Brings the samples to where the kernels read them; they are there when the compute
// queue continues.
const char* chunked_stream::bring(chunk& next, stream_device& on)
{
    const char* samples = static_cast<const char*>(next.returns.run.samples);
    if (next.is_direct) {
        next.bytes_up =
            std::min(input_bytes(next),
                     next.returns.run.frames * next.returns.run.n * d_sample_bytes);
        return samples;
    }
    if (asks_for_ring() && comes_from_ring(next, on))
        return bring_from_ring(next, on);
    return bring_from_host(next, on, samples);
}

bool chunked_stream::is_elsewhere(const stream_device& on) const
{
    return d_input_ring->device()->index() != on.device->index();
}

// True if the ring has the samples; the compute queue then waits for them.
bool chunked_stream::comes_from_ring(const chunk& next, stream_device& on)
{
    const auto written = d_input_ring->before_reading(next.input_begin, next.input_end);
    if (!written)
        return false;
    try {
        on.follow(*d_input_ring->device(), **written);
        return true;
    } catch (const cuda_error&) {
        if (!is_elsewhere(on) || !d_input_ring->shared().with_host)
            throw;
        return false;
    }
}

const char* chunked_stream::bring_from_ring(chunk& next, stream_device& on)
{
    next.reads_ring = true;
    char* there = d_input_ring->at(next.input_begin);
    if (next.lead == 0 && !is_elsewhere(on))
        return there;
    char* here = on.input_of(*next.slot, input_bytes(next));
    if (next.lead > 0) {
        char* zeros = on.staged_input_of(*next.slot, next.lead);
        std::memset(zeros, 0, next.lead);
        on.device->copy(*on.compute, here, zeros, next.lead);
    }
    on.device->copy(
        *on.compute, here + next.lead, there, next.input_end - next.input_begin);
    return here;
}

const char*
chunked_stream::bring_from_host(chunk& next, stream_device& on, const char* samples)
{
    const problem& what = d_plan.on(next.device).what();
    const std::size_t hop = what.effective_hop() * d_sample_bytes;
    const std::size_t frame = what.input_span() * d_sample_bytes;
    // samples in the gaps between frames are not copied
    const std::size_t pieces = hop > frame ? next.returns.run.frames : 1;
    const std::size_t piece = pieces > 1 ? frame : input_bytes(next);
    const std::size_t bytes = next.bytes_up = pieces * piece;
    char* there = on.input_of(*next.slot, bytes);
    const bool direct = is_registered(d_input, d_input_registered, d_input_staged);
    char* staged = direct ? nullptr : on.staged_input_of(*next.slot, bytes);
    if (next.slot->last_use)
        on.device->wait(*on.upload, *next.slot->last_use);
    if (staged)
        for (std::size_t i = 0; i < pieces; ++i)
            std::memcpy(staged + i * piece, samples + i * hop, piece);
    if (staged || pieces == 1)
        on.device->copy(*on.upload, there, staged ? staged : samples, bytes);
    else
        on.device->copy_rows(*on.upload, there, samples, piece, hop, pieces);
    next.uploaded = on.take_event(d_output_edge->to_host() ? ORDERING : AWAITED);
    on.order(*on.upload, *on.compute, *next.uploaded);
    return there;
}

// Makes the compute queue wait for a read before it overwrites the data. It need not wait
// for another card in trouble, whose read is useless.
void chunked_stream::wait_for_reader(const shadow_ring::reading& what, stream_device& on)
{
    try {
        on.follow(*what.card, *what.done);
    } catch (const cuda_error&) {
        if (what.card->index() == on.device->index())
            throw;
    }
}

// Where the kernels write: to GNU Radio's buffer, to the ring or, without a ring, to the
// slot.
char* chunked_stream::place(chunk& next, stream_device& on)
{
    const std::size_t bytes = next.output_end - next.output_begin;
    if (next.is_direct)
        return next.output;
    if (const shadow_ring::sptr& ring = d_output_edge->ring()) {
        for (const shadow_ring::reading& each :
             ring->before_writing(next.output_begin, next.output_end))
            wait_for_reader(each, on);
        return ring->at(next.output_begin);
    }
    return on.output_of(*next.slot, std::max(bytes, d_row_bytes));
}

// Queues a copy of the running mean after the chunk. Only needed if the CPU can take
// over.
chunked_stream::saved_mean chunked_stream::save_mean(std::size_t device)
{
    saved_mean mean;
    plan& with = d_plan.on(device);
    const std::size_t bytes = with.mean_bytes();
    if (bytes == 0 || !d_plan.goes_on_with_cpu())
        return mean;
    stream_device& on = *d_devices[device];
    char* memory = on.mean_of(d_means++, bytes);
    mean.state = with.save_mean(memory, on.compute->handle());
    mean.memory = memory;
    return mean;
}

// Saves the current mean and waits for it, when nothing is in flight.
void chunked_stream::keep_mean()
{
    const saved_mean now = save_mean(0);
    if (now.memory != nullptr)
        d_devices.front()->device->synchronize(*d_devices.front()->compute);
    d_mean = now;
}

// Restores the mean in the CPU's plan that takes over: the last saved one, or the initial
// state.
void chunked_stream::restore_mean()
{
    if (d_mean.memory != nullptr)
        d_plan.on(0).restore_mean(d_mean.memory, d_mean.state);
    else if (!d_is_open && d_begin_mean)
        d_begin_mean();
}

// If the card fails here, the CPU repeats these frames with the mean from before them.
std::size_t
chunked_stream::execute(const framer::run& run, std::uint64_t position, void* output)
{
    try {
        plan& with = d_plan.on(0);
        with.set_position(position);
        const std::size_t rows = with.execute(run.samples, output, run.frames);
        if (with.mean_bytes() > 0 && d_plan.goes_on_with_cpu()) {
            if (d_devices.empty())
                d_devices.push_back(std::make_unique<stream_device>(
                    stream_device::s_make(d_plan.devices().front())));
            keep_mean();
        }
        return rows;
    } catch (const cuda_error& error) {
        if (!d_plan.goes_on_with_cpu())
            throw;
        d_plan.fall_back(error.what());
    }
    d_plan.on(0).set_position(position);
    return d_plan.on(0).execute(run.samples, output, run.frames);
}

// Hands the rows to all their readers.
void chunked_stream::deliver(chunk& next, stream_device& on, const char* rows)
{
    const std::size_t bytes = next.output_end - next.output_begin;
    const shadow_ring::sptr& ring = d_output_edge->ring();
    on.device->record(*next.computed, *on.compute);
    if (next.is_direct) {
        next.downloaded = next.computed;
        return;
    }
    next.slot->last_use = next.computed;
    if (next.reads_ring)
        d_input_ring->read(
            next.input_begin, next.input_end, { on.device, next.computed }, *on.compute);
    if (ring && bytes > 0)
        ring->written(next.output_begin, next.output_end, next.computed);
    if (!d_output_edge->to_host())
        return;
    next.downloaded = on.take_event(AWAITED);
    on.device->wait(*on.download, *next.computed);
    if (bytes > 0) {
        char* to = next.output;
        if (!is_in(d_output, to) ||
            !is_registered(d_output, d_output_registered, d_output_staged))
            next.staged = to = on.staged_output_of(*next.slot, bytes);
        on.device->copy(*on.download, to, rows, bytes);
    }
    on.device->record(*next.downloaded, *on.download);
}

} // namespace gpufft
} // namespace gr
