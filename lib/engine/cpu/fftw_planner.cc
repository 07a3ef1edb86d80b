// SPDX-License-Identifier: GPL-3.0-or-later
//
// The planner's mutexes and limits.

#include "fftw_planner.h"
#include "engine/environment.h"
#include "engine/forks.h"

#include <algorithm>
#include <atomic>

namespace gr {
namespace gpufft {

namespace {

std::mutex s_own_mutex;
// Runs when the library is loaded: fork() calls later handlers first, and some of their
// mutexes are locked before this one.
const std::mutex& s_free_mutex = free_at_forks(process_mutex::planner, s_own_mutex);
std::atomic<std::mutex*> s_shared_mutex{ nullptr };
thread_local std::size_t s_longest_measured = LONGEST_MEASURED;

} // namespace

void share_planner_mutex(std::mutex& mutex)
{
    s_shared_mutex = &free_at_forks(process_mutex::shared_planner, mutex);
}

planner_lock::planner_lock() : d_own(s_own_mutex)
{
    if (std::mutex* shared = s_shared_mutex)
        d_shared = std::unique_lock<std::mutex>(*shared);
    static const bool prepared = (fftw_library<float>::prepare_planner(),
                                  fftw_library<double>::prepare_planner(),
                                  true);
    (void)prepared;
}

quick_planning::quick_planning(std::size_t longest_measured)
    : d_former(s_longest_measured)
{
    s_longest_measured = std::min(s_longest_measured, longest_measured);
}

quick_planning::~quick_planning() { s_longest_measured = d_former; }

std::size_t longest_measured()
{
    return std::min(s_longest_measured,
                    number_from_environment("GPUFFT_LONGEST_MEASURED", LONGEST_MEASURED));
}

} // namespace gpufft
} // namespace gr
