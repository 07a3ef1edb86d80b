// SPDX-License-Identifier: GPL-3.0-or-later
//
// Changes and replaces a plan while it is in use.

#include "live_plan.h"
#include "engine/cpu/thread_pool.h"
#include "engine/device_watch.h"
#include "engine/forks.h"
#include <set>
#include <utility>

namespace gr {
namespace gpufft {

namespace {

// True if plan::set() can turn one problem into the other.
bool same_plan(const problem& a, const problem& b)
{
    problem turned = a;
    turned.set(b);
    return turned == b && a.density.columns == b.density.columns &&
           a.density.levels == b.density.levels &&
           (a.kind != transform_kind::filter || a.effective_hop() == b.effective_hop());
}

} // namespace

// All of the process.
static auto& s_all = *new std::set<live_plan*>;
static std::mutex& s_all_mutex = free_at_forks(process_mutex::streams, *new std::mutex);

live_plan::live_plan(const plan_settings& settings,
                     const plan_options& options,
                     const std::vector<int>& devices,
                     bool cpu_on_error,
                     double device_timeout,
                     gr::logger_ptr logger)
    : d_options(options),
      d_devices(devices),
      d_cpu_on_error(cpu_on_error),
      d_device_timeout(device_timeout),
      d_logger(std::move(logger)),
      d_applied(settings),
      d_wanted(settings),
      d_engine(options.engine)
{
    const device_patience patience(d_device_timeout);
    make_all(settings);
    d_logger->info("engine {}: {} ({})", d_engine_name, d_description, d_engine_reason);
    const std::lock_guard<std::mutex> all(s_all_mutex);
    s_all.insert(this);
}

live_plan::~live_plan()
{
    const device_patience patience(d_device_timeout);
    std::unique_lock<std::mutex> all(s_all_mutex);
    s_all.erase(this);
    all.unlock();
    d_plans.clear();
    d_fresh.clear();
}

void live_plan::configure(const plan_settings& next)
{
    const device_patience patience(d_device_timeout);
    next.what.validate();
    plans fresh; // then the replaced plans, destroyed without the lock
    std::unique_lock<std::mutex> lock(d_mutex);
    const bool rebuild = !same_plan(next.what, d_wanted.what);
    const bool more_threads = next.threads != d_wanted.threads;
    for (bool is_built = false; !is_built;) {
        const engine_kind engine = d_engine;
        lock.unlock();
        if (rebuild)
            fresh = build(next, engine);
        else if (more_threads)
            check_threads(next.threads, engine);
        lock.lock();
        is_built = engine == d_engine; // false if the block has fallen back meanwhile
    }
    if (rebuild) {
        note(*fresh.front());
        d_fresh.swap(fresh);
        d_fresh_settings = next;
    }
    d_wanted = next;
    d_changed = true;
    lock.unlock();
    take_over_between_runs();
}

// Makes the setter, not the block's thread, throw if the system has no more threads.
void live_plan::check_threads(int threads, engine_kind engine) const
{
    if (engine != engine_kind::cuda)
        thread_pool trial(count_threads(threads));
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
        d_changed = true; // the next run reports errors
    }
}

// One block may have stopped when another one meets a failure, and keep a broken card.
void live_plan::leave_broken_cards()
{
    const std::lock_guard<std::mutex> all(s_all_mutex);
    for (live_plan* const each : s_all) {
        const std::lock_guard<std::mutex> run(each->d_run_mutex);
        if (!each->d_running)
            each->leave_card();
    }
}

void live_plan::begin_run()
{
    leave_broken_cards();
    const std::lock_guard<std::mutex> run(d_run_mutex);
    d_running = true;
    return_to_card();
}

void live_plan::end_run()
{
    const std::lock_guard<std::mutex> run(d_run_mutex);
    d_running = false;
    leave_card();
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

live_plan::extent live_plan::newest() const
{
    std::lock_guard<std::mutex> lock(d_mutex);
    return d_newest;
}

std::size_t live_plan::waiting_span() const
{
    std::lock_guard<std::mutex> lock(d_mutex);
    return d_fresh.empty() ? 0 : d_fresh_settings.what.span_items();
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

void live_plan::begin_stream()
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

std::uint64_t live_plan::saturated() const
{
    std::uint64_t all = 0;
    for (const plan::uptr& each : d_plans)
        all += each->saturated();
    return all;
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
    plans replaced; // destroyed after the lock is released
    {
        std::lock_guard<std::mutex> lock(d_mutex);
        if (!d_changed ||
            (!d_fresh.empty() && d_fresh_settings.what.span_items() > d_longest))
            return;
        d_changed = false;
        resets = std::exchange(d_resets, false);
        next = d_wanted;
        if (!d_fresh.empty()) {
            replaced = std::move(d_plans);
            d_plans = std::move(d_fresh);
            d_fresh.clear();
            d_applied = d_fresh_settings; // there may be newer settings
            // Whatever happens here, the old plans' mean must not continue in the new.
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
        request_reset(); // of the plans that replace them
        throw;
    }
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

void live_plan::note(const plan& now)
{
    if (d_engine_name != to_string(now.engine())) // else keeps the reason
        d_engine_reason = now.engine_reason();
    d_engine_name = to_string(now.engine());
    d_description = now.describe();
    d_newest = { now.what(), now.frames_together() };
}

} // namespace gpufft
} // namespace gr
