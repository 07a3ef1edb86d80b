// SPDX-License-Identifier: GPL-3.0-or-later
//
// The thread behind a queue of a simulated device.

#ifndef INCLUDED_GPUFFT_SIMULATED_WORKER_H
#define INCLUDED_GPUFFT_SIMULATED_WORKER_H

#include "simulated_internals.h"
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>

namespace gr {
namespace gpufft {
namespace simulated {

// A point in a queue's work that others wait for.
class milestone
{
public:
    void reach(double controlled_time)
    {
        const std::lock_guard<std::mutex> lock(d_mutex);
        d_time = std::chrono::steady_clock::now();
        d_controlled_time = controlled_time;
        d_reached = true;
        d_changed.notify_all();
    }
    void wait()
    {
        std::unique_lock<std::mutex> lock(d_mutex);
        d_changed.wait(lock, [this] { return d_reached; });
    }
    bool reached()
    {
        const std::lock_guard<std::mutex> lock(d_mutex);
        return d_reached;
    }
    std::chrono::steady_clock::time_point time() const { return d_time; }
    double controlled_time() const { return d_controlled_time; } // once it is reached

private:
    std::mutex d_mutex;
    std::condition_variable d_changed;
    bool d_reached = false;
    std::chrono::steady_clock::time_point d_time;
    double d_controlled_time = 0;
};

// Does the work of a queue, in a thread that holds it.
class worker : public std::enable_shared_from_this<worker>
{
public:
    explicit worker(int device) : d_device(device), d_state(simulated::state_of(device))
    {
    }
    std::thread start()
    {
        return std::thread([held = shared_from_this()] { held->run(); });
    }
    void end()
    {
        const std::lock_guard<std::mutex> lock(d_mutex);
        d_ends = true;
        d_changed.notify_all();
    }

    void push(std::function<void()> step)
    {
        if (d_in_use.exchange(true) && !d_is_shared)
            simulated::report("a queue is used by two threads at once");
        {
            const std::lock_guard<std::mutex> lock(d_mutex);
            d_steps.push_back([this, step, queued = simulated::time_of_host()] {
                wait_until(queued);
                step();
            });
            d_changed.notify_all();
        }
        d_in_use = false;
    }

    void share() { d_is_shared = true; } // any threads may push

    bool is_idle()
    {
        const std::lock_guard<std::mutex> lock(d_mutex);
        return d_steps.empty();
    }
    void drain()
    {
        std::unique_lock<std::mutex> lock(d_mutex);
        d_changed.wait(lock, [this] { return d_steps.empty(); });
    }

    // Of steps: when what was queued before is done, where tests control the time.
    double time() const { return d_time; }
    void wait_until(double time) { d_time = std::max(d_time, time); }

    void carry_out(const simulated_queue::work& what)
    {
        bool done = attempt(what.begin);
        if (done)
            d_time += simulated::spend(what.bytes);
        if (done && what.fails)
            done = simulated::strike(d_device);
        done = done && attempt(what.finish);
        if (!done && what.drop)
            what.drop();
    }

private:
    void run()
    {
        std::unique_lock<std::mutex> lock(d_mutex);
        for (;;) {
            d_changed.wait(lock, [this] { return d_ends || !d_steps.empty(); });
            if (d_steps.empty())
                return;
            const std::function<void()> step = d_steps.front();
            lock.unlock();
            step();
            lock.lock();
            d_steps.pop_front(); // only now: drain() waits for it
            d_changed.notify_all();
        }
    }

    // False if the device is broken.
    bool attempt(const std::function<void()>& part)
    {
        const std::shared_lock<std::shared_mutex> lock(d_state.working);
        if (!d_state.broken && part)
            part();
        return !d_state.broken;
    }

    const int d_device;
    simulated::device_state& d_state;
    std::atomic<bool> d_in_use{ false };
    std::atomic<bool> d_is_shared{ false };
    std::mutex d_mutex; // guards the next three
    std::condition_variable d_changed;
    std::deque<std::function<void()>> d_steps; // the first is being done
    bool d_ends = false;
    double d_time = 0; // of the steps alone, but where nobody works
};

} // namespace simulated
} // namespace gpufft
} // namespace gr

#endif
