// SPDX-License-Identifier: GPL-3.0-or-later
//
// Chooses engines, makes plans and replaces them when a card breaks: part of live_plan.

#include "engine/break_even.h"
#include "engine/engines.h"
#include "function_plan.h"
#include "live_plan.h"
#include <utility>

namespace gr {
namespace gpufft {

namespace {

// Replaces a plan on a broken card, and holds nothing on it.
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
    void do_enqueue(const void*, void*, std::size_t, void*, std::size_t) override
    {
        refuse();
    }
    void do_set_window(const std::vector<float>&) override {}
    void do_reset_average() override {}

private:
    void refuse() const { throw cuda_error(0, d_reason); }

    const std::string d_description;
    const std::size_t d_together;
    const std::string d_reason;
};

} // namespace

std::function<plan::uptr(const problem&, const plan_options&)> live_plan::s_make =
    plan::make;
std::function<async_device::sptr(int)> live_plan::s_make_device = make_cuda_device;
std::function<std::string(int)> live_plan::s_card_name = cuda_card_name;
std::function<std::string(int)> live_plan::s_broken_reason = broken_reason;

// "auto" takes the cards if they are there and the function can.
live_plan::choice live_plan::decide_on(const device_function& function) const
{
    if (d_options.engine == engine_kind::cpu)
        return { engine_kind::cpu, "cpu: asked for" };
    if (d_options.engine == engine_kind::cuda)
        return { engine_kind::cuda, "cuda: asked for" };
    std::string reason = function.obstacle(engine_kind::cuda);
    if (reason.empty())
        reason = absent_card();
    if (reason.empty())
        return { engine_kind::cuda, "auto: cuda, " + s_card_name(d_options.device) };
    return { engine_kind::cpu, "auto: cpu, " + reason };
}

// Why one of the devices is no usable card; "" if all are.
std::string live_plan::absent_card() const
{
    for (const int device : d_devices) {
        if (!s_card_name(device).empty())
            continue;
        const std::string missing = missing_card(device);
        return missing.empty() ? query_cuda().reason : missing;
    }
    return "";
}

// "auto" takes the CPU if a card is not there or is slower.
live_plan::choice live_plan::decide(const plan_settings& settings) const
{
    if (settings.function)
        return decide_on(*settings.function);
    choice made{ d_options.engine, "" };
    if (made.engine != engine_kind::automatic || s_card_name(d_options.device).empty())
        return made;
    const std::string absent = absent_card();
    if (!absent.empty())
        return { engine_kind::cpu, "auto: cpu, " + absent };
    plan_options options = d_options;
    options.threads = settings.threads;
    const break_even table = find_break_even(
        settings.what, options, false, { s_make, s_make_device, s_card_name });
    if (table.faster() == engine_kind::cpu)
        made.engine = engine_kind::cpu;
    made.reason = table.reason();
    return made;
}

// Makes the plans of a new stream, which no other thread uses yet.
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
    d_engine = is_on_card ? engine_kind::cuda : chosen.engine; // setters keep this choice
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

// Frees the plans on a broken card: anything left there keeps the whole process from
// using it.
void live_plan::leave_card()
{
    const std::string reason = broken_card();
    if (!is_on_cuda() || reason.empty())
        return;
    plans gone, waiting; // destroyed without the lock
    gone.swap(d_plans);
    std::unique_lock<std::mutex> lock(d_mutex);
    waiting.swap(d_fresh);
    if (!waiting.empty())
        d_applied = d_fresh_settings;
    lock.unlock();
    const plan& newest = *(waiting.empty() ? gone : waiting).front();
    d_plans.push_back(std::make_unique<absent_plan>(newest, reason));
}

// Called at a start. If the card is still broken, plans on the CPU stay, and plans on the
// card report the trouble at their first call.
void live_plan::return_to_card()
{
    const bool is_absent = dynamic_cast<const absent_plan*>(d_plans.front().get());
    if (!is_absent && !d_avoids_card)
        return;
    plans waiting; // replaced by new plans with the same settings
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
        made.push_back(settings.function ? make_function_plan(settings.what,
                                                              settings.function,
                                                              *settings.ports,
                                                              options)
                                         : s_make(settings.what, options));
        if (settings.what.window)
            made.back()->set_window(settings.window);
        made.back()->set_rotations(unturned(settings.steps));
        if (settings.what.picks_bins())
            made.back()->set_map(settings.map);
        for (const auto& [name, value] : settings.parameters)
            made.back()->set_parameter(name, value);
        if (made.back()->engine() != engine_kind::cuda)
            break; // the CPU needs only one
        options.engine = engine_kind::cuda;
    }
    return made;
}

std::vector<plan::rotation> live_plan::unturned(const std::vector<std::uint64_t>& steps)
{
    std::vector<plan::rotation> rotations(steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i)
        rotations[i].step = steps[i];
    return rotations;
}

void live_plan::fall_back(const std::string& reason)
{
    d_logger->warn("{}; going on with the cpu engine", reason);
    d_trouble = reason;
    d_avoids_card = true;
    std::unique_lock<std::mutex> lock(d_mutex);
    d_engine = engine_kind::cpu; // setters, too, make plans for the CPU from now on
    lock.unlock();
    // The current frames were counted with the applied settings. Settings that were
    // configured since, or not fully applied, follow at the next call.
    plans made = build(d_applied, engine_kind::cpu);
    made.front()->set_rotations(d_rotations);
    d_plans.swap(made);
    made.clear();
    lock.lock();
    // Planning runs without the lock, so a setter may have stored another plan meanwhile.
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

} // namespace gpufft
} // namespace gr
