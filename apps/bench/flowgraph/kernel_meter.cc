// SPDX-License-Identifier: GPL-3.0-or-later
//
// Kernels by themselves.

#include "limits.h"
#include "random_samples.h"
#include <algorithm>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t SLOTS = 4; // chunks of a ring, as the blocks have them
constexpr int WARM_UP_CALLS = 20;
constexpr double MOST_CALLS = 1e6;

class kernel_run
{
public:
    kernel_run(int device, const problem& what)
        : d_device(make_cuda_device(device)),
          d_batch(what.batch),
          d_bytes(what.batch * what.n * what.input_item_bytes()),
          d_input(d_device->allocate(SLOTS * d_bytes)),
          d_output(d_device->allocate(SLOTS * d_bytes)),
          d_queue(d_device->make_queue()),
          d_begin(d_device->make_event(async_device::event_use::awaited)),
          d_end(d_device->make_event(async_device::event_use::awaited))
    {
        plan_options options;
        options.engine = engine_kind::cuda;
        options.device = device;
        options.enqueues = true;
        d_plan = plan::make(what, options);

        const auto samples = d_device->allocate_pinned(SLOTS * d_bytes);
        fill_with_samples(static_cast<char*>(samples->address()), SLOTS * d_bytes, true);
        d_device->copy(*d_queue, d_input->address(), samples->address(), SLOTS * d_bytes);
        d_device->synchronize(*d_queue);
    }

    ~kernel_run()
    {
        try {
            d_device->synchronize(*d_queue);
        } catch (const std::exception&) {
            // whoever waits for the events is told
        }
    }

    // Of a call.
    double seconds(int calls)
    {
        d_device->record(*d_begin, *d_queue);
        for (int i = 0; i < calls; ++i) {
            const std::size_t offset = d_bytes * (i % SLOTS);
            d_plan->enqueue(static_cast<char*>(d_input->address()) + offset,
                            static_cast<char*>(d_output->address()) + offset,
                            d_batch,
                            d_queue->handle());
        }
        d_device->record(*d_end, *d_queue);
        d_device->synchronize(*d_end);
        return d_device->seconds(*d_begin, *d_end) / calls;
    }

private:
    const async_device::sptr d_device;
    const std::size_t d_batch, d_bytes;
    std::unique_ptr<async_device::memory> d_input, d_output;
    std::unique_ptr<async_device::queue> d_queue;
    std::shared_ptr<async_device::event> d_begin, d_end;
    plan::uptr d_plan;
};

} // namespace

kernel_meter::kernel_meter(int device, double seconds)
    : d_device(device),
      d_seconds(seconds)
{
}

double kernel_meter::seconds(std::size_t n, direction dir, std::size_t batch)
{
    const auto key = std::make_tuple(n, dir, batch);
    const auto known = d_known.find(key);
    if (known != d_known.end())
        return known->second;

    problem what;
    what.n = n;
    what.dir = dir;
    what.batch = batch;
    kernel_run run(d_device, what);
    run.seconds(WARM_UP_CALLS);
    const double calls = d_seconds / run.seconds(WARM_UP_CALLS);
    const double seconds = run.seconds(static_cast<int>(
        std::clamp(calls, static_cast<double>(WARM_UP_CALLS), MOST_CALLS)));
    return d_known[key] = seconds / static_cast<double>(batch);
}

} // namespace gpufft
} // namespace gr
