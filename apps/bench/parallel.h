// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tasks shared out among threads.

#ifndef INCLUDED_GPUFFT_BENCH_PARALLEL_H
#define INCLUDED_GPUFFT_BENCH_PARALLEL_H

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

namespace gr {
namespace gpufft {

// Runs the tasks, which must not throw, in this order on that many threads.
inline void run_in_parallel(const std::vector<std::function<void()>>& tasks, int threads)
{
    std::atomic<std::size_t> next{ 0 };
    const auto work = [&] {
        for (std::size_t i = next++; i < tasks.size(); i = next++)
            tasks[i]();
    };
    std::vector<std::thread> workers;
    for (int i = 0; i < threads; ++i)
        workers.emplace_back(work);
    for (std::thread& worker : workers)
        worker.join();
}

} // namespace gpufft
} // namespace gr

#endif
