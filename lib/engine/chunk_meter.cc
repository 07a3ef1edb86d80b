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

// Mean seconds of a step. A first step warms up; its time counts only if it is long.
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

frame_layout layout_of(const plan& with) { return frame_layout(with.what()); }

// Upper bound on the bytes of the rows that `frames` frames produce, packed as a card
// delivers them, or in their places.
std::size_t output_bytes(const plan& with, std::size_t frames)
{
    const problem& what = with.what();
    const std::size_t rows = frames / what.average + 1;
    const std::size_t items =
        (rows - 1) * what.effective_output_distance() + what.output_span();
    return std::max(rows * what.row_items(), items) * what.output_item_bytes();
}

} // namespace

double meter_clock::steady()
{
    return std::chrono::duration<double>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

double (*meter_clock::now)() = meter_clock::steady;

// Fills the pages with floats of -1 ... 1, whose bytes also serve as integer samples.
sample_pages::sample_pages(std::size_t bytes, async_device* card)
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
    try {
        if (card != nullptr)
            d_registration = card->register_host(address(), bytes, d_pages);
    } catch (const cuda_error&) { // the limit of locked memory
    }
}

cpu_meter::cpu_meter(plan::uptr with, std::size_t most_frames)
    : d_plan(std::move(with)),
      d_input(layout_of(*d_plan).input_bytes(most_frames)),
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

cuda_meter::cuda_meter(plan::uptr with,
                       async_device::sptr device,
                       std::size_t most_frames,
                       bool frames_apart)
    : d_plan(std::move(with)),
      d_layout(layout_of(*d_plan)),
      d_frames_apart(frames_apart),
      d_input_bytes(d_layout.input_bytes(most_frames)),
      d_output_bytes(output_bytes(*d_plan, most_frames)),
      d_pipeline(std::move(device)),
      d_input(SLOTS * d_input_bytes, d_pipeline.device().get()),
      d_output(SLOTS * d_output_bytes, d_pipeline.device().get())
{
}

cuda_meter::~cuda_meter() { d_pipeline.finish_all(); }

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
    for (std::size_t i = 1; i < SLOTS; ++i) // chunks still in flight
        end((ends + i) % SLOTS);
    return took / ends;
}

// Queues a chunk in a slot whose last chunk has ended.
void cuda_meter::begin(std::size_t index, std::size_t frames)
{
    typedef chunk_pipeline::event_use use;
    void* const queue = d_pipeline.compute().handle();
    sample_pieces samples =
        d_layout.pieces(d_input.address() + index * d_input_bytes, frames);
    if (d_frames_apart) { // as a stream would upload them
        samples.count = frames;
        samples.bytes = samples.pitch = samples.bytes / frames;
    }
    const std::size_t rows = d_plan->output_rows(frames);
    chunk_pipeline::passage& now = d_chunks[index] = {};
    now.at = &d_pipeline.at(index);
    now.output = d_output.address() + index * d_output_bytes;
    now.output_bytes = rows * d_layout.row_bytes();
    now.downloaded = d_pipeline.take_event(use::awaited);
    if (d_layout.is_small(frames, rows) && d_input.is_registered() &&
        d_output.is_registered() && d_pipeline.device()->computes_in_host_memory()) {
        d_plan->enqueue(samples.begin, now.output, frames, queue);
        d_pipeline.mark(*now.downloaded);
        return;
    }
    now.uploaded = d_pipeline.take_event(use::ordering);
    now.computed = d_pipeline.take_event(use::ordering);
    const char* input = d_pipeline.upload(now, samples, d_input.is_registered());
    char* output = d_pipeline.reserve(now.at->output, d_output_bytes);
    d_plan->enqueue(input, output, frames, queue);
    d_pipeline.mark(*now.computed);
    d_pipeline.download(now, output, d_output.is_registered());
}

void cuda_meter::end(std::size_t index)
{
    d_pipeline.wait(d_chunks[index]);
    chunk_pipeline::unstage(d_chunks[index]);
}

} // namespace gpufft
} // namespace gr
