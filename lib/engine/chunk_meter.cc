// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs and times chunks.

#include "chunk_meter.h"
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <new>
#include <random>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t PAGE = 4096;
constexpr double SLOW_SECONDS = 0.1; // a chunk this slow is not repeated

// Mean seconds of a step, after a first one to warm up, whose time counts if it is long.
template <class Step>
double mean_seconds(Step&& step)
{
    const double first = seconds_of(step);
    if (first >= CELL_SECONDS)
        return first;
    const double start = meter_clock::now();
    int steps = 0;
    double took = 0;
    for (; took < CELL_SECONDS; took = meter_clock::now() - start) {
        step();
        ++steps;
    }
    return took / steps;
}

std::size_t input_bytes(const plan& with, std::size_t frames)
{
    return with.input_samples(frames) * with.what().input_item_bytes();
}

std::size_t row_bytes(const plan& with)
{
    return with.what().row_items() * with.what().output_item_bytes();
}

// Bytes of the largest number of rows that `frames` frames give.
std::size_t output_bytes(const plan& with, std::size_t frames)
{
    return (frames / with.what().average + 1) * row_bytes(with);
}

} // namespace

double meter_clock::steady()
{
    return std::chrono::duration<double>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

double (*meter_clock::now)() = meter_clock::steady;

// Fills the pages with floats of -1 ... 1, whose bytes are also good integer samples.
sample_pages::sample_pages(std::size_t bytes)
    : d_pages(
          static_cast<char*>(
              std::aligned_alloc(PAGE, std::max(PAGE, (bytes + PAGE - 1) / PAGE * PAGE))),
          std::free)
{
    if (!d_pages)
        throw std::bad_alloc();
    float noise[4 * PAGE];
    std::minstd_rand random;
    std::uniform_real_distribution<float> uniform(-1, 1);
    std::generate(std::begin(noise), std::end(noise), [&] { return uniform(random); });
    for (std::size_t at = 0; at < bytes; at += sizeof(noise))
        std::memcpy(d_pages.get() + at, noise, std::min(sizeof(noise), bytes - at));
}

cpu_meter::cpu_meter(plan::uptr with, std::size_t most_frames)
    : d_plan(std::move(with)),
      d_input(input_bytes(*d_plan, most_frames)),
      d_output(output_bytes(*d_plan, most_frames))
{
}

void cpu_meter::compute(std::size_t frames)
{
    d_plan->execute(d_input.address(), d_output.address(), frames);
}

double cpu_meter::seconds(std::size_t frames)
{
    return mean_seconds([&] { compute(frames); });
}

cuda_meter::reachable_memory::reachable_memory(async_device& device, std::size_t bytes)
    : pages(bytes)
{
    try {
        registered = device.register_host(pages.address(), bytes, pages.owner());
    } catch (const cuda_error&) { // the limit of locked memory
        pinned = device.allocate_pinned(bytes);
    }
}

char* cuda_meter::reachable_memory::address() const
{
    return pinned ? static_cast<char*>(pinned->address()) : pages.address();
}

cuda_meter::cuda_meter(plan::uptr with,
                       async_device::sptr device,
                       std::size_t most_frames,
                       bool frames_apart)
    : d_plan(std::move(with)),
      d_device(std::move(device)),
      d_frames_apart(frames_apart),
      d_input_bytes(input_bytes(*d_plan, most_frames)),
      d_output_bytes(output_bytes(*d_plan, most_frames)),
      d_input(*d_device, SLOTS * d_input_bytes),
      d_output(*d_device, SLOTS * d_output_bytes),
      d_upload(d_device->make_queue()),
      d_compute(d_device->make_queue()),
      d_download(d_device->make_queue())
{
    for (slot& each : d_slots) {
        each.input = d_device->allocate(d_input_bytes);
        each.output = d_device->allocate(d_output_bytes);
        each.uploaded = d_device->make_event(async_device::event_use::ordering);
        each.computed = d_device->make_event(async_device::event_use::ordering);
        each.downloaded = d_device->make_event(async_device::event_use::awaited);
    }
}

cuda_meter::~cuda_meter()
{
    for (const auto* queue : { &d_upload, &d_compute, &d_download }) {
        try {
            d_device->synchronize(**queue);
        } catch (const std::exception&) {
            // the measurement has already met the trouble
        }
    }
}

void cuda_meter::compute(std::size_t frames)
{
    begin(0, frames);
    end(0);
}

double cuda_meter::delay(std::size_t frames)
{
    return mean_seconds([&] { compute(frames); });
}

double cuda_meter::seconds(std::size_t frames, double delay)
{
    if (delay > SLOW_SECONDS)
        return delay;
    for (std::size_t i = 0; i < SLOTS; ++i)
        begin(i, frames);
    end(0);
    const double start = meter_clock::now();
    std::size_t ends = 0;
    double took = 0;
    for (; took < CELL_SECONDS; took = meter_clock::now() - start) {
        begin(ends % SLOTS, frames);
        ++ends;
        end(ends % SLOTS);
    }
    for (std::size_t i = 1; i < SLOTS; ++i) // those still in flight
        end((ends + i) % SLOTS);
    return took / ends;
}

// Queues a chunk in a slot whose last chunk has ended.
void cuda_meter::begin(std::size_t index, std::size_t frames)
{
    slot& now = d_slots[index];
    if (is_direct(frames)) {
        now.rows = d_plan->enqueue(d_input.address() + index * d_input_bytes,
                                   d_output.address() + index * d_output_bytes,
                                   frames,
                                   d_compute->handle());
        d_device->record(*now.downloaded, *d_compute);
        return;
    }
    upload(index, frames);
    d_device->record(*now.uploaded, *d_upload);
    d_device->wait(*d_compute, *now.uploaded);
    now.rows = d_plan->enqueue(
        now.input->address(), now.output->address(), frames, d_compute->handle());
    d_device->record(*now.computed, *d_compute);
    d_device->wait(*d_download, *now.computed);
    if (now.rows > 0)
        d_device->copy(*d_download,
                       d_output.address() + index * d_output_bytes,
                       now.output->address(),
                       now.rows * row_bytes(*d_plan));
    d_device->record(*now.downloaded, *d_download);
}

// True if a block would let the kernel access host memory directly.
bool cuda_meter::is_direct(std::size_t frames) const
{
    const std::size_t read =
        frames * d_plan->what().input_span() * d_plan->what().input_item_bytes();
    const std::size_t written = d_plan->output_rows(frames) * row_bytes(*d_plan);
    return std::max(read, written) <= async_device::DIRECT_BYTES && d_input.registered &&
           d_output.registered && d_device->computes_in_host_memory();
}

void cuda_meter::upload(std::size_t index, std::size_t frames)
{
    const std::size_t offset = index * d_input_bytes;
    const std::size_t bytes = input_bytes(*d_plan, frames);
    if (d_input.pinned)
        std::memcpy(d_input.address() + offset, d_input.pages.address() + offset, bytes);
    void* const there = d_slots[index].input->address();
    const char* const here = d_input.address() + offset;
    const std::size_t frame = bytes / frames;
    if (d_frames_apart)
        d_device->copy_rows(*d_upload, there, here, frame, frame, frames);
    else
        d_device->copy(*d_upload, there, here, bytes);
}

void cuda_meter::end(std::size_t index)
{
    const slot& now = d_slots[index];
    const std::size_t offset = index * d_output_bytes;
    d_device->synchronize(*now.downloaded);
    if (d_output.pinned)
        std::memcpy(d_output.pages.address() + offset,
                    d_output.address() + offset,
                    now.rows * row_bytes(*d_plan));
}

} // namespace gpufft
} // namespace gr
