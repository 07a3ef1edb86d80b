// SPDX-License-Identifier: GPL-3.0-or-later
//
// Changing and replacing a plan while it is in use.

#include "live_plan.h"
#include "engine/break_even.h"
#include "engine/cpu/cpu_threads.h"
#include "engine/cpu/thread_pool.h"
#include "engine/device_watch.h"
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

// In the place of a plan on a card that is broken: it holds nothing there.
class absent_plan : public plan
{
public:
    absent_plan(const plan& gone, const std::string& reason)
        : plan(gone.what(), engine_kind::cuda),
          d_description(gone.describe()),
          d_together(gone.frames_together()),
          d_reason(reason)
    {
    }
    std::string describe() const override { return d_description; }
    std::size_t frames_together() const override { return d_together; }

protected:
    void do_execute(const void*, void*, std::size_t) override { refuse(); }
    void do_enqueue(const void*, void*, std::size_t, void*) override { refuse(); }
    void do_set_window(const std::vector<float>&) override {}
    void do_reset_average() override {}

private:
    void refuse() const { throw cuda_error(0, d_reason); }

    const std::string d_description;
    const std::size_t d_together;
    const std::string d_reason;
};

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
std::function<std::string(int)> live_plan::s_broken_reason = broken_reason;

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
}

live_plan::~live_plan()
{
    const device_patience patience(d_device_timeout);
    d_plans.clear();
    d_fresh.clear();
}

// "auto" is the CPU if there is a card and it is slower.
live_plan::choice live_plan::decide(const plan_settings& settings) const
{
    choice made{ d_options.engine, "" };
    if (made.engine != engine_kind::automatic || s_card_name(d_options.device).empty())
        return made;
    plan_options options = d_options;
    options.threads = settings.threads;
    const break_even table = find_break_even(
        settings.what, options, false, { s_make, stream_device::s_make, s_card_name });
    if (table.faster() == engine_kind::cpu)
        made.engine = engine_kind::cpu;
    made.reason = table.reason();
    return made;
}

// Of a stream that begins; nobody else uses the plans.
void live_plan::make_all(const plan_settings& settings)
{
    const choice chosen = decide(settings);
    plans made = build(settings, chosen.engine);
    const bool is_on_card = made.front()->engine() == engine_kind::cuda;
    d_avoids_card = d_options.engine == engine_kind::automatic && !is_on_card &&
                    !broken_card().empty();
    d_plans = std::move(made);
    d_applied = settings;
    d_rotations = unturned(settings.steps);
    const std::lock_guard<std::mutex> lock(d_mutex);
    d_engine = is_on_card ? engine_kind::cuda : chosen.engine; // which setters keep
    note(*d_plans.front());
    d_engine_reason = d_plans.front()->engine_reason();
    if (!chosen.reason.empty() && (d_engine == engine_kind::cpu || is_on_card))
        d_engine_reason = chosen.reason;
}

std::string live_plan::broken_card() const
{
    for (const int device : d_devices) {
        const std::string reason = s_broken_reason(device);
        if (!reason.empty())
            return reason;
    }
    return "";
}

// What is left on a broken card keeps all of the process from it.
void live_plan::leave_card()
{
    const std::string reason = broken_card();
    if (!is_on_cuda() || reason.empty())
        return;
    plans gone, waiting; // are destroyed without the lock
    gone.swap(d_plans);
    std::unique_lock<std::mutex> lock(d_mutex);
    waiting.swap(d_fresh);
    if (!waiting.empty())
        d_applied = d_fresh_settings;
    lock.unlock();
    const plan& newest = *(waiting.empty() ? gone : waiting).front();
    d_plans.push_back(std::make_unique<absent_plan>(newest, reason));
}

// At a start. If the card is broken still, the first call of its plans says so, and those
// on the CPU stay.
void live_plan::return_to_card()
{
    const bool is_absent = dynamic_cast<const absent_plan*>(d_plans.front().get());
    if (!is_absent && !d_avoids_card)
        return;
    plans waiting; // are not needed: the settings are theirs
    std::unique_lock<std::mutex> lock(d_mutex);
    const plan_settings settings = d_wanted;
    waiting.swap(d_fresh);
    d_changed = false;
    lock.unlock();
    try {
        make_all(settings);
        d_logger->info(
            "engine {}: {} ({})", d_engine_name, d_description, d_engine_reason);
    } catch (const std::exception& error) {
        if (is_absent)
            d_plans.front() =
                std::make_unique<absent_plan>(*d_plans.front(), error.what());
        lock.lock();
        d_changed = true;
        if (d_fresh.empty())
            d_fresh.swap(waiting);
    }
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
    const device_patience patience(d_device_timeout);
    next.what.validate();
    plans fresh; // then those that it replaces, which are destroyed without the lock
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
        is_built = engine == d_engine; // else the block has fallen back meanwhile
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

// Where the system has no more threads the setter throws, not the block's thread.
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
        d_changed = true; // the next run will tell
    }
}

void live_plan::begin_run()
{
    const std::lock_guard<std::mutex> run(d_run_mutex);
    d_running = true;
    leave_card();
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

void live_plan::begin_stream()
{
    d_rotations = unturned(d_applied.steps);
    attempt([this] {
        for (const plan::uptr& each : d_plans) {
            if (each->what().effective_hop() != d_applied.what.effective_hop())
                each->set_hop(d_applied.what.effective_hop());
            each->set_rotations(d_rotations);
        }
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
    d_avoids_card = true;
    std::unique_lock<std::mutex> lock(d_mutex);
    d_engine = engine_kind::cpu; // also of what setters plan from now on
    lock.unlock();
    // The frames at hand were counted by what is applied. What was configured since, or
    // was not wholly applied, follows at the next call.
    plans made = build(d_applied, engine_kind::cpu);
    made.front()->set_rotations(d_rotations);
    d_plans.swap(made);
    made.clear();
    lock.lock();
    // Nobody waits for planning: a setter may have left another one meanwhile.
    while (!d_fresh.empty() && d_fresh.front()->engine() == engine_kind::cuda) {
        const plan_settings waiting = d_fresh_settings;
        lock.unlock();
        made = build(waiting, engine_kind::cpu);
        lock.lock();
        if (d_fresh.front()->engine() == engine_kind::cuda)
            d_fresh.swap(made);
    }
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
    d_newest = { now.what(), now.frames_together() };
}

} // namespace gpufft
} // namespace gr
