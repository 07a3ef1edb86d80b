// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where the delay of a slow stream goes: the driver's calls, the card, the wait.

#include "engine/chunk_pipeline.h"
#include "engine/device_watch.h"
#include "limits.h"
#include "random_samples.h"
#include <chrono>
#include <stdexcept>
#include <thread>

namespace gr {
namespace gpufft {

namespace {

typedef std::chrono::steady_clock delay_clock;

constexpr double DEVICE_TIMEOUT = 10; // seconds, as blocks have by default

plan::uptr make_plan(int device, std::size_t n)
{
    problem what;
    what.n = n;
    plan_options options;
    options.engine = engine_kind::cuda;
    options.device = device;
    options.enqueues = true;
    return plan::make(what, options);
}

} // namespace

struct chunk_delay_meter::state {
    state(int device, std::size_t n)
        : pipeline(make_cuda_device(device)),
          input(pipeline.device()->allocate_pinned(n * sizeof(float) * 2)),
          output(pipeline.device()->allocate_pinned(n * sizeof(float) * 2)),
          with(make_plan(device, n))
    {
        fill_with_samples(
            static_cast<char*>(input->address()), n * sizeof(float) * 2, true);
    }

    chunk_pipeline pipeline;
    const std::unique_ptr<async_device::memory> input, output;
    const plan::uptr with;
};

chunk_delay_meter::chunk_delay_meter(int device, std::size_t n)
    : d_state(std::make_unique<state>(device, n))
{
    if (!d_state->pipeline.device()->computes_in_host_memory())
        throw std::invalid_argument("the card's kernels do not access host memory");
}

chunk_delay_meter::~chunk_delay_meter() { d_state->pipeline.finish_all(); }

std::vector<float>
chunk_delay_meter::measure(until end, double vectors_per_second, double seconds)
{
    const device_patience patience(DEVICE_TIMEOUT);
    async_device& device = *d_state->pipeline.device();
    const auto done = d_state->pipeline.take_event(async_device::event_use::awaited);
    std::vector<float> delays;
    const auto begin = delay_clock::now();
    const auto after = [begin](double time) {
        return begin + std::chrono::duration_cast<delay_clock::duration>(
                           std::chrono::duration<double>(time));
    };
    for (double due = 0; due < seconds; due += 1 / vectors_per_second) {
        if (delay_clock::now() > after(seconds))
            break;
        std::this_thread::sleep_until(after(due));
        const auto start = delay_clock::now();
        const auto note = [&] {
            delays.push_back(
                std::chrono::duration<float>(delay_clock::now() - start).count());
        };
        d_state->with->enqueue(d_state->input->address(),
                               d_state->output->address(),
                               1,
                               d_state->pipeline.compute().handle());
        d_state->pipeline.mark(*done);
        if (end == until::queued)
            note();
        if (end == until::seen_as_by_a_block)
            device.synchronize(*done);
        else
            while (!device.is_done(*done))
                ;
        if (end != until::queued)
            note();
    }
    return delays;
}

} // namespace gpufft
} // namespace gr
