// SPDX-License-Identifier: GPL-3.0-or-later
//
// Polls a device, with a time limit.

#include "device_watch.h"
#include <algorithm>
#include <chrono>
#include <gnuradio/gpufft/engine.h>
#include <sstream>
#include <sys/prctl.h>

namespace gr {
namespace gpufft {

namespace {

typedef std::chrono::steady_clock watch_clock;
typedef std::chrono::duration<double> seconds;

constexpr int LAUNCH_TIMEOUT = 702; // CUDA_ERROR_LAUNCH_TIMEOUT

thread_local double s_seconds = 0;
std::atomic<int> s_hanging{ 0 };

// Sleeps between two polls. The shortest is as long as a kernel between two small
// transfers; the longest is far below a limit and costs next to nothing.
constexpr seconds LEAST_SLEEP(10e-6);
constexpr seconds MOST_SLEEP(1e-3);

void sleep_for(seconds time)
{
    // by default Linux lets a thread sleep 50 us longer than it asks for
    thread_local const bool s_is_exact = prctl(PR_SET_TIMERSLACK, 1000, 0, 0, 0) == 0;
    static_cast<void>(s_is_exact);
    std::this_thread::sleep_for(std::clamp(time, LEAST_SLEEP, MOST_SLEEP));
}

} // namespace

device_patience::device_patience(double limit) : d_before(s_seconds)
{
    s_seconds = limit;
}

device_patience::~device_patience() { s_seconds = d_before; }

double device_patience::seconds() { return s_seconds; }

device_watch::device_watch(std::string name,
                           std::function<void(const std::string&)> given_up,
                           std::function<double()> clock)
    : d_name(std::move(name)),
      d_given_up(std::move(given_up)),
      d_clock(std::move(clock))
{
}

double device_watch::steady_seconds()
{
    return seconds(watch_clock::now().time_since_epoch()).count();
}

bool device_watch::any_hangs() noexcept { return s_hanging > 0; }

void device_watch::check() const
{
    if (!d_hangs)
        return;
    const std::lock_guard<std::mutex> lock(d_mutex);
    throw cuda_error(LAUNCH_TIMEOUT, d_reason);
}

// A stream's chunks take about the same time. So the thread first sleeps for most of the
// previous wait's time, then in steps of an eighth of the time so far: four polls of
// about 1 us per chunk, which notice its end late by a few per cent of its time.
void device_watch::wait(const std::function<bool()>& is_done)
{
    thread_local seconds s_last(0);
    check();
    if (is_done())
        return;
    const double began = d_clock();
    const watch_clock::time_point begin = watch_clock::now();
    seconds next = 0.75 * s_last;
    for (;;) {
        sleep_for(next);
        check();
        if (is_done())
            break;
        if (d_clock() - began > device_patience::seconds())
            give_up();
        next = (watch_clock::now() - begin) / 8;
    }
    s_last = watch_clock::now() - begin;
}

void device_watch::await(const std::function<bool(seconds)>& ends_within)
{
    constexpr seconds OFTEN(0.05); // interval of checks for what other threads have found
    const double began = d_clock();
    while (!ends_within(OFTEN)) {
        check();
        if (d_clock() - began > device_patience::seconds())
            give_up();
    }
}

void device_watch::give_up()
{
    std::ostringstream text;
    text << d_name << " hangs: it has not finished its work within "
         << device_patience::seconds() << " s (device_timeout)";
    {
        const std::lock_guard<std::mutex> lock(d_mutex);
        if (!d_hangs) {
            d_reason = text.str() + "; this process does not use it any more";
            ++s_hanging;
            d_hangs = true;
        }
    }
    if (d_given_up)
        d_given_up(text.str());
    check();
}

void device_watch::forget()
{
    const std::lock_guard<std::mutex> lock(d_mutex);
    if (d_hangs.exchange(false))
        --s_hanging;
}

} // namespace gpufft
} // namespace gr
