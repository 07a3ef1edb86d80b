// SPDX-License-Identifier: GPL-3.0-or-later
//
// Waits, with a time limit, for a device that may hang: not an error, which the driver
// would report, but a kernel or a copy that never ends. The driver's calls have no time
// limit, and many of them (a free, an unmapping, a module's load) wait for all work on
// the card. So a thread with a limit polls instead of waiting, and makes the other calls
// in a separate thread, which it abandons if they do not return. If they return it waits
// for the end of that thread, too: the driver has objects of each thread, and destroys
// them there, which must not happen while the process ends.
//
// The whole process gives up a device that has exceeded a limit: no thread calls the
// driver for it any more, its memory is never freed, and all other waiting threads are
// told at once. The device may still finish its work some day, so memory that it can
// access must not be used for anything else.

#ifndef INCLUDED_GPUFFT_DEVICE_WATCH_H
#define INCLUDED_GPUFFT_DEVICE_WATCH_H

#include "poll_rhythm.h"
#include <atomic>
#include <functional>
#include <future>
#include <gnuradio/gpufft/api.h>
#include <memory>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>

namespace gr {
namespace gpufft {

// While this object lives, its thread waits for a device at most `seconds` at a time, or
// for ever if `seconds` is 0, as in threads without such an object.
class GPUFFT_API device_patience
{
public:
    explicit device_patience(double seconds);
    ~device_patience();
    device_patience(const device_patience&) = delete;
    device_patience& operator=(const device_patience&) = delete;

    static double seconds();

private:
    const double d_before;
};

class GPUFFT_API device_watch
{
public:
    // `name`: such as "device 0 (NVIDIA H200)". `given_up` is called with the reason when
    // the device is given up. `clock` gives the seconds that count against a limit; tests
    // have their own clocks.
    explicit device_watch(std::string name,
                          std::function<void(const std::string&)> given_up = nullptr,
                          std::function<double()> clock = poll_clock::steady,
                          poll_clock polling = poll_clock());

    bool hangs() const noexcept { return d_hangs; }
    static bool any_hangs() noexcept; // any device of the process

    // Throws cuda_error if the device hangs.
    void check() const;

    // Returns once is_done() is true; poll_rhythm says when it is asked. Throws
    // cuda_error if the device hangs. Only for a thread with a limit.
    void wait(const std::function<bool()>& is_done);

    // Calls work(), in another thread if there is a limit, so `work` must own all that it
    // uses. Throws what work() throws, or cuda_error if the device hangs.
    template <class Work>
    auto call(Work work) -> decltype(work())
    {
        typedef decltype(work()) result;
        if (device_patience::seconds() == 0)
            return work();
        check();
        const auto task = std::make_shared<std::packaged_task<result()>>(std::move(work));
        std::future<result> done = task->get_future();
        abandoned_thread caller;
        try {
            caller.thread = std::thread([task] { (*task)(); });
        } catch (const std::system_error&) {
            (*task)(); // no thread could be made
        }
        await([&](std::chrono::duration<double> time) {
            return done.wait_for(time) == std::future_status::ready;
        });
        if (caller.thread.joinable())
            caller.thread.join();
        return done.get();
    }

    // For tests: forgets that the device hangs.
    void forget();

private:
    // Left to itself unless it has been joined.
    struct abandoned_thread {
        std::thread thread;
        ~abandoned_thread()
        {
            if (thread.joinable())
                thread.detach();
        }
    };

    void await(const std::function<bool(std::chrono::duration<double>)>& ends_within);
    void give_up();

    const std::string d_name;
    const std::function<void(const std::string&)> d_given_up;
    const std::function<double()> d_clock;
    const poll_clock d_polling;
    std::atomic<bool> d_hangs{ false };
    mutable std::mutex d_mutex; // guards d_reason
    std::string d_reason;
};

} // namespace gpufft
} // namespace gr

#endif
