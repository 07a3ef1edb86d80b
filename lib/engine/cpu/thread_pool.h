// SPDX-License-Identifier: GPL-3.0-or-later
//
// A few persistent threads that share the tasks of a job with the calling thread, one job
// at a time. Threads that run out of work spin for some microseconds before they sleep,
// so that jobs in quick succession start without a wake-up.

#ifndef INCLUDED_GPUFFT_THREAD_POOL_H
#define INCLUDED_GPUFFT_THREAD_POOL_H

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <gnuradio/gpufft/api.h>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace gr {
namespace gpufft {

// Number of threads that plan_options::threads stands for.
inline std::size_t count_threads(int threads)
{
    return threads == 0 ? std::max(1u, std::thread::hardware_concurrency())
                        : static_cast<std::size_t>(threads);
}

class GPUFFT_API thread_pool
{
public:
    // `threads` >= 1 counts the thread that calls run(). Throws std::system_error. In a
    // child of fork() the threads do not exist: there run() executes all tasks itself,
    // and the destructor does not free what the threads used.
    explicit thread_pool(std::size_t threads);
    ~thread_pool();
    thread_pool(const thread_pool&) = delete;
    thread_pool& operator=(const thread_pool&) = delete;

    std::size_t threads() const { return d_team->workers.size() + 1; }

    // Calls function(task, thread) once for each task 0 ... tasks-1, in threads 0 (the
    // caller) to threads()-1, and returns when all are done. If a task throws, tasks not
    // yet begun are skipped, and the first exception is rethrown at the end. Does not
    // allocate. Only one thread at a time may call it, and no task.
    template <class F>
    void run(std::size_t tasks, const F& function)
    {
        run_job(
            { tasks, &function, [](const void* f, std::size_t task, std::size_t thread) {
                 (*static_cast<const F*>(f))(task, thread);
             } });
    }

private:
    struct job {
        std::size_t tasks;
        const void* function;
        void (*call)(const void* function, std::size_t task, std::size_t thread);
    };

    // What the threads sleep on.
    struct team {
        std::mutex mutex; // guards the condition variables and d_error
        std::condition_variable wake, done;
        std::vector<std::thread> workers;
    };

    bool is_inherited() const;
    void run_job(const job& what);
    void wake_workers(std::size_t tasks);
    void stop() noexcept;
    void work(std::size_t thread);
    bool take_and_do(std::size_t thread);
    void do_task(std::size_t task, std::size_t thread) noexcept;

    job d_job{}; // written only while d_left and d_undone are 0
    alignas(64) std::atomic<std::size_t> d_left{ 0 };   // tasks not yet taken
    alignas(64) std::atomic<std::size_t> d_undone{ 0 }; // tasks not finished
    std::atomic<bool> d_failed{ false };
    std::atomic<bool> d_stop{ false };
    std::atomic<std::size_t> d_sleepers{ 0 }; // workers on d_wake
    std::atomic<bool> d_caller_sleeps{ false };

    std::unique_ptr<team> d_team = std::make_unique<team>();
    const unsigned d_forks; // fork_count() when the threads began
    std::exception_ptr d_error;
};

class plan;

// The threads of a plan of the cpu engine, for other work between its executions; null
// for other plans.
GPUFFT_API thread_pool* threads_of(plan& with);

} // namespace gpufft
} // namespace gr

#endif
