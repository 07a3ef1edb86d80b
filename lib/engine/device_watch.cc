// SPDX-License-Identifier: GPL-3.0-or-later
//
// Polls a device, with a time limit.

#include "device_watch.h"
#include <chrono>
#include <gnuradio/gpufft/engine.h>
#include <sstream>

namespace gr {
namespace gpufft {

namespace {

typedef std::chrono::duration<double> seconds;

constexpr int LAUNCH_TIMEOUT = 702; // CUDA_ERROR_LAUNCH_TIMEOUT

thread_local double s_seconds = 0;
std::atomic<int> s_hanging{ 0 };

thread_local poll_rhythm s_rhythm;

// A wait of this thread, from the first answer of "not done" to its end.
class waiting_time
{
public:
    explicit waiting_time(const poll_clock& clock) : d_clock(clock)
    {
        s_rhythm.begin(d_clock.now());
    }
    ~waiting_time() { s_rhythm.end(d_clock.now()); }
    waiting_time(const waiting_time&) = delete;
    waiting_time& operator=(const waiting_time&) = delete;

private:
    const poll_clock& d_clock;
};

} // namespace

device_patience::device_patience(double limit) : d_before(s_seconds)
{
    s_seconds = limit;
}

device_patience::~device_patience() { s_seconds = d_before; }

double device_patience::seconds() { return s_seconds; }

device_watch::device_watch(std::string name,
                           std::function<void(const std::string&)> given_up,
                           std::function<double()> clock,
                           poll_clock polling)
    : d_name(std::move(name)),
      d_given_up(std::move(given_up)),
      d_clock(std::move(clock)),
      d_polling(std::move(polling))
{
}

bool device_watch::any_hangs() noexcept { return s_hanging > 0; }

void device_watch::check() const
{
    if (!d_hangs)
        return;
    const std::lock_guard<std::mutex> lock(d_mutex);
    throw cuda_error(LAUNCH_TIMEOUT, d_reason);
}

void device_watch::wait(const std::function<bool()>& is_done)
{
    check();
    if (is_done()) {
        s_rhythm.skip();
        return;
    }
    const double began = d_clock();
    const waiting_time counts(d_polling);
    for (;;) {
        const double pause = s_rhythm.pause(d_polling.now());
        if (pause > 0)
            d_polling.sleep(pause);
        check();
        if (is_done())
            break;
        if (d_clock() - began > device_patience::seconds())
            give_up();
    }
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
