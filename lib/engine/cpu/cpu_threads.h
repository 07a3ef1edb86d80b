// SPDX-License-Identifier: GPL-3.0-or-later
//
// The number of threads, and the work in a thread's task.

#ifndef INCLUDED_GPUFFT_CPU_THREADS_H
#define INCLUDED_GPUFFT_CPU_THREADS_H

#include <algorithm>
#include <cstddef>
#include <thread>

namespace gr {
namespace gpufft {

// Number of threads that plan_options::threads stands for.
inline std::size_t count_threads(int threads)
{
    if (threads == 0)
        return std::max(1u, std::thread::hardware_concurrency());
    return static_cast<std::size_t>(threads);
}

// Pieces of `all` per task, a multiple of `least`: several tasks per thread, to even out
// their speeds; all pieces if there is only one thread.
inline std::size_t share_of(std::size_t all, std::size_t least, std::size_t threads)
{
    constexpr std::size_t TASKS_PER_THREAD = 4;
    if (threads == 1)
        return all;
    const std::size_t share = all / (TASKS_PER_THREAD * threads);
    return std::max(share / least, std::size_t(1)) * least;
}

} // namespace gpufft
} // namespace gr

#endif
