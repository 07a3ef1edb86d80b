// SPDX-License-Identifier: GPL-3.0-or-later
//
// Changing and replacing a plan while it is in use.

#include "live_plan.h"
#include "engine/break_even.h"
#include "stream_devices.h"
#include <utility>

namespace gr {
namespace gpufft {

namespace {

// True if a plan's setters lead from one problem to the other.
bool same_plan(const problem& a, const problem& b)
{
    return a.kind == b.kind && a.dir == b.dir && a.axes() == b.axes() &&
           a.orthogonal == b.orthogonal && a.bins == b.bins && a.f_start == b.f_start &&
           a.f_stop == b.f_stop && a.input == b.input && a.window == b.window &&
           a.taps == b.taps && a.running == b.running && a.shift_input == b.shift_input &&
           a.complex_taps == b.complex_taps && a.output == b.output &&
           a.shift_output == b.shift_output && a.detector == b.detector &&
           a.density.columns == b.density.columns &&
           a.density.levels == b.density.levels &&
           (a.kind != transform_kind::filter || a.effective_hop() == b.effective_hop());
}

std::vector<plan::rotation> unturned(const std::vector<std::uint64_t>& steps)
{
    std::vector<plan::rotation> rotations(steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i)
        rotations[i].step = steps[i];
    return rotations;
}

} // namespace

std::function<plan::uptr(const problem&, const plan_options&)> live_plan::s_make =
    plan::make;
std::function<std::string(int)> live_plan::s_card_name = cuda_card_name;

live_plan::live_plan(const plan_settings& settings,
                     const plan_options& options,
                     const std::vector<int>& devices,
                     bool cpu_on_error,
                     gr::logger_ptr logger)
    : d_options(options),
      d_devices(devices),
      d_cpu_on_error(cpu_on_error),
      d_logger(std::move(logger)),
      d_applied(settings),
      d_wanted(settings),
      d_engine(options.engine)
{
    const std::string reason = decide(settings);
    d_plans = build(settings, d_engine);
    d_rotations = unturned(settings.steps);
    if (is_on_cuda())
        d_engine = engine_kind::cuda; // which setters keep
    note(*d_plans.front());
    if (!reason.empty() && (d_engine == engine_kind::cpu || is_on_cuda()))
        d_engine_reason = reason;
    d_logger->info("engine {}: {} ({})", d_engine_name, d_description, d_engine_reason);
}

// "auto" is the CPU if there is a card and it is slower. Returns why, or "" if nothing
// was decided.
std::string live_plan::decide(const plan_settings& settings)
{
    if (d_engine != engine_kind::automatic || s_card_name(d_options.device).empty())
        return "";
    plan_options options = d_options;
    options.threads = settings.threads;
    const break_even table = find_break_even(
        settings.what, options, false, { s_make, stream_device::s_make, s_card_name });
    if (table.faster() == engine_kind::cpu)
        d_engine = engine_kind::cpu;
    return table.reason();
}

live_plan::plans live_plan::build(const plan_settings& settings, engine_kind engine) const
{
    plan_options options = d_options;
    options.engine = engine;
    options.threads = settings.threads;
    plans made;
    for (int device : d_devices) {
        options.device = device;
        made.push_back(s_make(settings.what, options));
        if (settings.what.window)
            made.back()->set_window(settings.window);
        made.back()->set_rotations(unturned(settings.steps));
        if (settings.what.picks_bins())
            made.back()->set_map(settings.map);
        if (made.back()->engine() != engine_kind::cuda)
            break; // the CPU needs but one
        options.engine = engine_kind::cuda;
    }
    return made;
}

void live_plan::configure(const plan_settings& next)
{
    next.what.validate();
    std::unique_lock<std::mutex> lock(d_mutex);
    const bool rebuild = !same_plan(next.what, d_wanted.what);
    const engine_kind engine = d_engine;
    lock.unlock();

    plans fresh;
    if (rebuild)
        fresh = build(next, engine);

    lock.lock();
    if (rebuild) {
        note(*fresh.front());
        d_fresh = std::move(fresh);
        d_fresh_settings = next;
    }
    d_wanted = next;
    d_changed = true;
    lock.unlock();
    take_over_between_runs();
}

void live_plan::take_over_between_runs()
{
    const std::lock_guard<std::mutex> run(d_run_mutex);
    if (d_running)
        return;
    try {
        current();
    } catch (const cuda_error&) {
        const std::lock_guard<std::mutex> lock(d_mutex);
        d_changed = true; // the next run will tell
    }
}

void live_plan::begin_run()
{
    const std::lock_guard<std::mutex> run(d_run_mutex);
    d_running = true;
}

void live_plan::end_run()
{
    const std::lock_guard<std::mutex> run(d_run_mutex);
    d_running = false;
    set_longest(std::numeric_limits<std::size_t>::max());
}

std::string live_plan::engine() const
{
    std::lock_guard<std::mutex> lock(d_mutex);
    return d_engine_name;
}

std::string live_plan::engine_reason() const
{
    std::lock_guard<std::mutex> lock(d_mutex);
    return d_engine_reason;
}

std::string live_plan::describe() const
{
    std::lock_guard<std::mutex> lock(d_mutex);
    return d_description;
}

bool live_plan::is_changed() const
{
    std::lock_guard<std::mutex> lock(d_mutex);
    return d_changed;
}

std::size_t live_plan::waiting_span() const
{
    std::lock_guard<std::mutex> lock(d_mutex);
    return d_fresh.empty() ? 0 : d_fresh_settings.what.input_span();
}

void live_plan::set_longest(std::size_t span)
{
    std::lock_guard<std::mutex> lock(d_mutex);
    d_longest = span;
}

const plan& live_plan::current(std::uint64_t position)
{
    attempt([&] { take_over(position); });
    return *d_plans.front();
}

void live_plan::reset_phases()
{
    d_rotations = unturned(d_applied.steps);
    attempt([this] {
        for (const plan::uptr& each : d_plans)
            each->set_rotations(d_rotations);
    });
}

std::size_t live_plan::execute(const void* input, void* output, std::size_t frames)
{
    std::size_t rows = 0;
    attempt([&] { rows = d_plans.front()->execute(input, output, frames); });
    return rows;
}

void live_plan::request_reset()
{
    std::lock_guard<std::mutex> lock(d_mutex);
    d_changed = d_resets = true;
}

void live_plan::reset_average()
{
    attempt([this] {
        for (const plan::uptr& each : d_plans)
            each->reset_average();
    });
}

void live_plan::take_over(std::uint64_t position)
{
    plan_settings next;
    bool resets = false;
    std::function<void()> restore_mean;
    plans replaced; // are destroyed after the lock is released
    {
        std::lock_guard<std::mutex> lock(d_mutex);
        if (!d_changed ||
            (!d_fresh.empty() && d_fresh_settings.what.input_span() > d_longest))
            return;
        d_changed = false;
        resets = std::exchange(d_resets, false);
        next = d_wanted;
        if (!d_fresh.empty()) {
            replaced = std::move(d_plans);
            d_plans = std::move(d_fresh);
            d_fresh.clear();
            d_applied = d_fresh_settings; // which later ones may have overtaken
            // A mean of other rows than these must not go on, whatever happens here.
            restore_mean = std::exchange(d_restore_mean, nullptr);
        }
    }
    turn(next.steps, position);
    apply(next);
    if (restore_mean)
        d_restore_mean = restore_mean;
    {
        const std::lock_guard<std::mutex> lock(d_mutex);
        if (d_fresh.empty())
            note(*d_plans.front());
    }
    if (!resets)
        return;
    try {
        for (const plan::uptr& each : d_plans)
            each->reset_average();
    } catch (...) {
        request_reset(); // of the plans that take their place
        throw;
    }
}

// The phases step position + phase stay.
void live_plan::turn(const std::vector<std::uint64_t>& steps, std::uint64_t position)
{
    d_rotations.resize(steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
        d_rotations[i].phase += (d_rotations[i].step - steps[i]) * position;
        d_rotations[i].step = steps[i];
    }
}

void live_plan::apply(const plan_settings& next)
{
    const problem& what = next.what;
    for (const plan::uptr& each : d_plans) {
        if (what.effective_hop() != d_applied.what.effective_hop())
            each->set_hop(what.effective_hop());
        if (what.scale != d_applied.what.scale)
            each->set_scale(what.scale);
        if (what.average != d_applied.what.average)
            each->set_average(what.average);
        if (what.hold != d_applied.what.hold)
            each->set_hold(what.hold);
        if (what.density != d_applied.what.density)
            each->set_density(what.density.first,
                              what.density.bins,
                              what.density.low,
                              what.density.high);
        if (what.smoothing != d_applied.what.smoothing)
            each->set_smoothing(what.smoothing);
        if (what.window && next.window != d_applied.window)
            each->set_window(next.window);
        each->set_rotations(d_rotations);
        if (what.picks_bins())
            each->set_map(next.map);
        if (next.threads != d_applied.threads)
            each->set_threads(next.threads);
    }
    d_applied = next;
}

template <class Step>
void live_plan::attempt(Step&& step)
{
    try {
        step();
    } catch (const cuda_error& error) {
        if (!goes_on_with_cpu())
            throw;
        fall_back(error.what());
        step();
    }
}

void live_plan::fall_back(const std::string& reason)
{
    d_logger->warn("{}; going on with the cpu engine", reason);
    d_trouble = reason;
    std::unique_lock<std::mutex> lock(d_mutex);
    d_engine = engine_kind::cpu;
    // The frames at hand were counted by what is applied. What was configured since, or
    // was not wholly applied, follows at the next call.
    d_plans = build(d_applied, d_engine);
    d_plans.front()->set_rotations(d_rotations);
    if (!d_fresh.empty())
        d_fresh = build(d_fresh_settings, d_engine);
    d_changed = true;
    note(*(d_fresh.empty() ? d_plans : d_fresh).front());
    d_engine_reason = "cpu: " + reason;
    lock.unlock();
    if (d_restore_mean)
        d_restore_mean();
}

void live_plan::note(const plan& now)
{
    if (d_engine_name != to_string(now.engine())) // else it is as it was
        d_engine_reason = now.engine_reason();
    d_engine_name = to_string(now.engine());
    d_description = now.describe();
}

} // namespace gpufft
} // namespace gr
