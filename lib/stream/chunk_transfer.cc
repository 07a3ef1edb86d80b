// SPDX-License-Identifier: GPL-3.0-or-later
//
// Queues copies and kernels.

#include "chunk_transfer.h"
#include <algorithm>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t TIMED_EVERY = 8; // chunks; events time the first one

constexpr auto ORDERING = async_device::event_use::ordering;
constexpr auto AWAITED = async_device::event_use::awaited;

} // namespace

chunk_transfer::chunk_transfer(live_plan& plan,
                               chunk_statistics& statistics,
                               std::unique_ptr<chunk_input> input,
                               std::unique_ptr<chunk_output> output)
    : d_plan(plan),
      d_statistics(statistics),
      d_input(std::move(input)),
      d_output(std::move(output))
{
    for (growing_memory& each : d_means)
        each.is_pinned = true;
}

void chunk_transfer::add_device(int index)
{
    d_devices.push_back(
        std::make_unique<chunk_pipeline>(live_plan::s_make_device(index)));
}

void chunk_transfer::open(std::size_t ahead)
{
    for (const int index : d_plan.devices())
        add_device(index);
    d_output->open(d_devices.size() == 1 ? d_devices.front()->device() : nullptr,
                   d_plan.goes_on_with_cpu(),
                   ahead);
    d_statistics.note([&](auto& now) { now.output_edge = d_output->reason(); });
}

// Number of devices that take turns: a running mean stays on one.
std::size_t chunk_transfer::turns() const
{
    return d_plan.on(0).mean_bytes() > 0 ? 1 : d_devices.size();
}

bool chunk_transfer::stays_on_card() const
{
    return d_input->is_on_card() && !d_output->to_host();
}

void chunk_transfer::leave_to_hung()
{
    const bool hangs =
        std::any_of(d_devices.begin(), d_devices.end(), [](const auto& each) {
            return each->device()->hangs();
        });
    if (hangs)
        d_output->leave_to_hung();
}

void chunk_transfer::forget_from(std::uint64_t output_begin)
{
    d_output->forget_from(output_begin);
}

void chunk_transfer::finish_all() noexcept
{
    for (const std::unique_ptr<chunk_pipeline>& each : d_devices)
        each->finish_all();
}

void chunk_transfer::send(chunk& next)
{
    next.device = next_device();
    chunk_pipeline& on = *d_devices[next.device];
    find_rings();
    next.at = &on.at(d_next / turns() % chunk_pipeline::SLOTS);
    plan& with = d_plan.on(next.device);
    if (d_next++ % TIMED_EVERY == 0)
        next.started = on.take_event(AWAITED);
    next.is_direct = can_be_direct(next, on);
    const bool is_awaited = next.started || next.is_direct || d_output->with_cards() ||
                            d_input->is_elsewhere(on);
    next.computed = on.take_event(is_awaited ? AWAITED : ORDERING);

    const char* input = bring(next, on);
    char* output = next.is_direct ? next.output : d_output->choose_destination(next, on);
    if (next.started)
        on.mark(*next.started);
    with.set_position(next.stream_position);
    if (!next.outputs.empty())
        set_more_places(with, places_of(next));
    with.enqueue(input,
                 output,
                 next.returns.run.frames,
                 on.compute().handle(),
                 // the upload has packed frames with gaps
                 next.uploaded ? next.layout.kernel_hop()
                               : next.layout.hop * next.layout.samples_in_item);
    next.mean = save_mean();
    hand_over(next, on, output);
}

void chunk_transfer::finish(const chunk& sent)
{
    d_devices[sent.device]->wait(sent);
    d_output->unstage(sent);
}

void chunk_transfer::settle(std::deque<chunk>& outstanding, std::size_t most)
{
    const auto end = outstanding.end();
    auto pending = std::find_if(outstanding.begin(), end, [](const chunk& each) {
        return each.downloaded == nullptr;
    });
    if (most == 0 && pending != end) {
        for (const std::unique_ptr<chunk_pipeline>& each : d_devices)
            each->device()->synchronize(each->compute());
        pending = end;
    } else if (static_cast<std::size_t>(end - pending) > most) {
        pending = std::find_if(pending, end, [](const chunk& each) {
            return each.started != nullptr; // the CPU can await its end
        });
        d_devices[pending->device]->device()->synchronize(*pending->computed);
        ++pending;
    }
    for (auto done = pending - outstanding.begin(); done > 0; --done) {
        const chunk& oldest = outstanding.front();
        const async_device::sptr& device = d_devices[oldest.device]->device();
        d_statistics.count(
            oldest,
            oldest.started ? device->seconds(*oldest.started, *oldest.computed) : 0);
        outstanding.pop_front();
    }
}

// Call it once the writers have written samples.
void chunk_transfer::find_rings()
{
    if (d_found_rings)
        return;
    d_input->find_rings();
    d_found_rings = true;
    d_statistics.note([&](auto& now) { now.input_edge = d_input->reason(); });
}

// True if the kernel should access GNU Radio's buffers directly: it can, and the chunk is
// small.
bool chunk_transfer::can_be_direct(const chunk& next, const chunk_pipeline& on)
{
    const framer::run& run = next.returns.run;
    return next.layout.is_small(run.frames, next.returns.rows) &&
           !d_plan.has_function() && // which wants arrays of the card
           d_plan.on(next.device).is_aligned(run.samples, next.output) &&
           on.device()->computes_in_host_memory() &&
           d_input->can_be_direct(next, *on.device()) &&
           d_output->can_be_direct(next, *on.device());
}

// Brings the samples to where the kernels read them, before the compute queue continues.
const char* chunk_transfer::bring(chunk& next, chunk_pipeline& on)
{
    if (!next.is_direct)
        return d_input->bring(next, on, d_output->to_host() ? ORDERING : AWAITED);
    const framer::run& run = next.returns.run;
    next.bytes_up =
        std::min(next.input.bytes(), run.frames * run.n * next.layout.sample_bytes);
    return static_cast<const char*>(run.samples);
}

// Hands the rows to all their readers, and the samples back to their writer.
void chunk_transfer::hand_over(chunk& next, chunk_pipeline& on, const char* rows)
{
    if (next.is_direct) {
        on.mark(*next.computed);
        next.downloaded = next.computed;
        return;
    }
    d_output->hand_over(next, on, rows);
    next.at->last_use = next.computed;
    d_input->hand_back(next, on);
}

// Queues a copy of the running mean, which stays on one device.
saved_mean chunk_transfer::save_mean()
{
    saved_mean mean;
    const std::size_t bytes = d_plan.on(0).mean_bytes();
    if (bytes == 0 || !d_plan.goes_on_with_cpu())
        return mean;
    if (d_devices.empty())
        add_device(d_plan.devices().front());
    char* memory = d_devices.front()->reserve(d_means[d_saved_means++ % MEANS], bytes);
    mean.state = d_plan.on(0).save_mean(memory, d_devices.front()->compute().handle());
    mean.memory = memory;
    return mean;
}

saved_mean chunk_transfer::current_mean()
{
    const saved_mean now = save_mean();
    if (now.memory != nullptr)
        d_devices.front()->device()->synchronize(d_devices.front()->compute());
    return now;
}

} // namespace gpufft
} // namespace gr
