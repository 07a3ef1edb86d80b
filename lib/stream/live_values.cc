// SPDX-License-Identifier: GPL-3.0-or-later
//
// Applies the values that setters change without a new plan: part of live_plan.

#include "live_plan.h"
#include <system_error>

namespace gr {
namespace gpufft {

// Changes the steps and keeps the phases step * position + phase.
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
    for (const plan::uptr& each : d_plans) {
        each->set(next.what);
        if (next.what.window && next.window != d_applied.window)
            each->set_window(next.window);
        each->set_rotations(d_rotations);
        if (next.what.picks_bins())
            each->set_map(next.map);
        for (const auto& [name, value] : next.parameters)
            each->set_parameter(name, value);
    }
    const int threads = d_applied.threads;
    d_applied = next;
    d_applied.threads = threads;
    set_threads(next.threads);
}

// A stream that cannot get more threads continues with those it has.
void live_plan::set_threads(int threads)
{
    if (threads == d_applied.threads)
        return;
    try {
        for (const plan::uptr& each : d_plans)
            each->set_threads(threads);
        d_applied.threads = threads;
    } catch (const std::system_error& error) {
        d_logger->warn("{}; going on with as many as before", error.what());
    }
}

} // namespace gpufft
} // namespace gr
