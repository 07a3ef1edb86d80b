// SPDX-License-Identifier: GPL-3.0-or-later
//
// Decides between spinning and sleeping.

#include "poll_rhythm.h"
#include <algorithm>
#include <chrono>
#include <sys/prctl.h>
#include <thread>
#include <utility>

namespace gr {
namespace gpufft {

namespace {

constexpr double MOST_OF_IT = 0.85;
constexpr double STEP = 0.125; // of the time so far

} // namespace

void poll_rhythm::begin(double now)
{
    d_credit = std::min(d_credit + SHARE * (now - d_counted), MOST_CREDIT);
    d_counted = d_began = d_asked = now;
    d_spins = MARGIN * d_expected <= d_credit;
}

double poll_rhythm::pause(double now)
{
    d_asked = now;
    const double passed = now - d_began;
    if (d_spins && passed < d_credit)
        return 0;
    stop_spinning(now);
    return std::clamp(std::max(MOST_OF_IT * d_expected - passed, STEP * passed),
                      LEAST_SLEEP,
                      MOST_SLEEP);
}

void poll_rhythm::end(double now)
{
    stop_spinning(now);
    // A sleep that was too long tells only that the wait was shorter.
    const double took = std::max((d_asked + now) / 2 - d_began, MOST_OF_IT * d_expected);
    d_expected = std::min(took, std::exchange(d_took, took));
}

void poll_rhythm::skip()
{
    d_took *= MOST_OF_IT;
    d_expected *= MOST_OF_IT;
}

double poll_clock::steady()
{
    return std::chrono::duration<double>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

void poll_clock::sleep_thread(double seconds)
{
    // By default Linux lets a thread sleep 50 us longer than it asks for. The thread may
    // be the user's, and threads that it starts inherit this.
    const int slack = prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0);
    prctl(PR_SET_TIMERSLACK, 1000, 0, 0, 0);
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    if (slack > 0)
        prctl(PR_SET_TIMERSLACK, slack, 0, 0, 0);
}

void poll_rhythm::stop_spinning(double now)
{
    if (!std::exchange(d_spins, false))
        return;
    d_credit = std::max(d_credit - (now - d_began), 0.0);
    d_counted = now;
}

} // namespace gpufft
} // namespace gr
