// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tasks are handed out by counting d_left down; a thread that takes one may read d_job,
// since a new job is written only after every task of the last one is done. Sleeping
// follows Dekker: the sleeper announces itself, then looks for work; the caller posts
// work, then looks for sleepers. Both orders are sequentially consistent, so neither
// misses the other.

#include "thread_pool.h"
#include "engine/forks.h"

#include <algorithm>
#include <chrono>
#include <pthread.h>
#include <signal.h>
#include <string>
#include <system_error>
#include <utility>

namespace gr {
namespace gpufft {

namespace {

// Longer than the usual gap between two work() calls of a busy flowgraph.
constexpr std::chrono::microseconds SPIN_TIME(50);

void pause_cpu()
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

// Waits up to SPIN_TIME for ready(). It does not yield, which on a busy core costs a
// scheduler's time slice, a thousand times as long.
template <class Ready>
bool spin_until(const Ready& ready)
{
    const auto end = std::chrono::steady_clock::now() + SPIN_TIME;
    do {
        for (int i = 0; i < 64; ++i) {
            if (ready())
                return true;
            pause_cpu();
        }
    } while (std::chrono::steady_clock::now() < end);
    return ready();
}

// Blocks all signals while it lives, so that threads started meanwhile do not receive
// them.
class signal_shield
{
public:
    signal_shield()
    {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &d_before);
    }
    ~signal_shield() { pthread_sigmask(SIG_SETMASK, &d_before, nullptr); }

private:
    sigset_t d_before;
};

} // namespace

thread_pool::thread_pool(std::size_t threads) : d_forks(fork_count())
{
    const signal_shield shield;
    try {
        for (std::size_t thread = 1; thread < threads; ++thread)
            d_team->workers.emplace_back(&thread_pool::work, this, thread);
    } catch (const std::system_error& error) {
        const std::size_t started = d_team->workers.size() + 1;
        stop();
        throw std::system_error(error.code(),
                                "threads is " + std::to_string(threads) + ", but only " +
                                    std::to_string(started) + " could be started");
    } catch (...) {
        stop();
        throw;
    }
}

thread_pool::~thread_pool() { stop(); }

bool thread_pool::is_inherited() const { return d_forks != fork_count(); }

void thread_pool::stop() noexcept
{
    if (is_inherited()) {
        (void)d_team.release(); // never destroyed: the parent's threads wait on it
        return;
    }
    {
        const std::lock_guard<std::mutex> lock(d_team->mutex);
        d_stop = true;
    }
    d_team->wake.notify_all();
    for (std::thread& worker : d_team->workers)
        worker.join();
    d_team->workers.clear();
}

void thread_pool::run_job(const job& what)
{
    if (what.tasks <= 1 || d_team->workers.empty() || is_inherited()) {
        for (std::size_t task = 0; task < what.tasks; ++task)
            what.call(what.function, task, 0);
        return;
    }
    d_job = what;
    d_failed = false;
    d_undone = what.tasks;
    d_left = what.tasks;
    wake_workers(what.tasks - 1);
    while (take_and_do(0)) {
    }
    const auto all_done = [this] { return d_undone == 0; };
    if (!spin_until(all_done)) {
        std::unique_lock<std::mutex> lock(d_team->mutex);
        d_caller_sleeps = true;
        d_team->done.wait(lock, all_done);
        d_caller_sleeps = false;
    }
    if (d_failed)
        std::rethrow_exception(std::exchange(d_error, nullptr));
}

void thread_pool::wake_workers(std::size_t tasks)
{
    if (d_sleepers == 0)
        return;
    { // a worker between its last look and its sleep holds the mutex
        const std::lock_guard<std::mutex> lock(d_team->mutex);
    }
    const std::size_t wanted = std::min<std::size_t>(tasks, d_team->workers.size());
    for (std::size_t i = 0; i < wanted; ++i)
        d_team->wake.notify_one();
}

void thread_pool::work(std::size_t thread)
{
    const auto wanted = [this] { return d_left != 0 || d_stop; };
    while (!d_stop) {
        if (take_and_do(thread) || spin_until(wanted))
            continue;
        std::unique_lock<std::mutex> lock(d_team->mutex);
        ++d_sleepers;
        if (!wanted())
            d_team->wake.wait(
                lock); // waits once: after waking too late for a job, spin for the next
        --d_sleepers;
    }
}

bool thread_pool::take_and_do(std::size_t thread)
{
    std::size_t left = d_left;
    do {
        if (left == 0)
            return false;
    } while (!d_left.compare_exchange_weak(left, left - 1));
    do_task(d_job.tasks - left, thread);
    return true;
}

void thread_pool::do_task(std::size_t task, std::size_t thread) noexcept
{
    if (!d_failed) {
        try {
            d_job.call(d_job.function, task, thread);
        } catch (...) {
            const std::lock_guard<std::mutex> lock(d_team->mutex);
            if (!d_failed)
                d_error = std::current_exception();
            d_failed = true;
        }
    }
    if (--d_undone == 0 && d_caller_sleeps) {
        { // the caller between its last look and its sleep holds the mutex
            const std::lock_guard<std::mutex> lock(d_team->mutex);
        }
        d_team->done.notify_one();
    }
}

} // namespace gpufft
} // namespace gr
