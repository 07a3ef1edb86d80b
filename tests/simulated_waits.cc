// SPDX-License-Identifier: GPL-3.0-or-later
//
// How threads wait for simulated devices, where tests control the time.

#include "simulated_internals.h"
#include <algorithm>
#include <mutex>

namespace gr {
namespace gpufft {

namespace {

std::atomic<bool> s_controls_waits{ false };
std::mutex s_waits_mutex; // guards the next one
simulation::waits s_waits;

template <class Change>
void note(Change&& change)
{
    const std::lock_guard<std::mutex> lock(s_waits_mutex);
    change(s_waits);
}

} // namespace

namespace simulated {

poll_clock clock_of_waits()
{
    poll_clock clock;
    clock.now = [] { return s_controls_waits ? time_of_host() : poll_clock::steady(); };
    clock.sleep = [](double seconds) {
        if (!s_controls_waits)
            return poll_clock::sleep_thread(seconds);
        note([](simulation::waits& now) { ++now.sleeps; });
        simulation::spend(seconds + simulation::LATE_SECONDS);
    };
    return clock;
}

bool controls_waits() { return s_controls_waits; }

void ask_until(double done, device_watch& watch)
{
    note([](simulation::waits& now) { ++now.waits; });
    watch.wait([done] {
        simulation::spend(simulation::ASK_SECONDS);
        const double late = time_of_host() - done;
        note([late](simulation::waits& now) {
            ++now.asks;
            now.most_late = std::max(now.most_late, late);
        });
        return late >= 0;
    });
}

} // namespace simulated

void simulation::control_waits(bool controlled)
{
    if (controlled)
        control_time(true);
    note([](waits& now) { now = {}; });
    s_controls_waits = controlled;
}

simulation::waits simulation::waited()
{
    const std::lock_guard<std::mutex> lock(s_waits_mutex);
    return s_waits;
}

} // namespace gpufft
} // namespace gr
