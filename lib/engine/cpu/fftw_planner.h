// SPDX-License-Identifier: GPL-3.0-or-later
//
// The lock around FFTW's planner, and how long it may measure.
//
// Any thread may execute FFTW's plans, but only one thread of the process at a time may
// make or destroy plans, or read or write wisdom. This library does all of that under
// planner_lock, which locks a mutex of this library, then the mutex that the process
// shares (share_planner_mutex()). If FFTW's thread libraries are linked, FFTW itself also
// locks while it makes and destroys plans, which covers code that shares no mutex. fork()
// waits for both mutexes, so that a child finds the planner at rest.

#ifndef INCLUDED_GPUFFT_FFTW_PLANNER_H
#define INCLUDED_GPUFFT_FFTW_PLANNER_H

#include "fftw_library.h"
#include "fftw_wisdom.h"
#include <cstddef>
#include <gnuradio/gpufft/api.h>
#include <mutex>
#include <string>

namespace gr {
namespace gpufft {

// Names a mutex under which other code of this process uses FFTW's planner and wisdom,
// e.g. gr::fft::planner::mutex(). It must not be destroyed. Call it before the
// first plan is made.
GPUFFT_API void share_planner_mutex(std::mutex& mutex);

// Exclusive use of FFTW's planner and wisdom, until destroyed.
class planner_lock
{
public:
    planner_lock();

private:
    std::unique_lock<std::mutex> d_own, d_shared;
};

// Measuring 2^18 points takes some 3 s once and gains a factor of 2.5 over an estimate
// (AMD EPYC, 2 cores); the time grows faster than the length.
constexpr std::size_t LONGEST_MEASURED = std::size_t(1) << 18;

// Measuring this takes 0.2 s on the same CPU.
constexpr std::size_t LONGEST_MEASURED_QUICKLY = std::size_t(1) << 14;

// While an object lives, new plans of more points in its thread use FFTW's wisdom or
// estimate.
class quick_planning
{
public:
    explicit quick_planning(std::size_t longest_measured = LONGEST_MEASURED_QUICKLY);
    ~quick_planning();
    quick_planning(const quick_planning&) = delete;
    quick_planning& operator=(const quick_planning&) = delete;

private:
    std::size_t d_former;
};

// Largest number of points that this thread now measures; at most what the environment
// variable GPUFFT_LONGEST_MEASURED allows.
std::size_t longest_measured();

// FFTW has one time limit for the process; an object sets it while it lives, under the
// planner's lock.
template <class T>
struct measuring_limit {
    // On slow machines FFTW stops measuring after this time and estimates the rest.
    static constexpr double SECONDS = 20.0;

    explicit measuring_limit(const planner_lock&)
    {
        fftw_library<T>::set_timelimit(SECONDS);
    }
    ~measuring_limit() { fftw_library<T>::set_timelimit(FFTW_NO_TIMELIMIT); }
};

// Makes a plan of `points` points for a problem, a line of text, with plan_with(flags):
// from the problem's wisdom, else measured up to longest_measured() (and kept as its
// wisdom), else estimated. Null if FFTW makes no plan. Of processes that measure the same
// problem all take the plan that is kept first: two plans may round differently.
template <class T, class PlanWith>
typename fftw_library<T>::plan
make_fftw_plan(const std::string& problem, std::size_t points, const PlanWith& plan_with)
{
    const planner_lock lock;
    const wisdom_apart<T> apart(lock);
    const auto plan_from = [&](const std::string& text) {
        return use_wisdom(apart, text) ? plan_with(FFTW_MEASURE | FFTW_WISDOM_ONLY)
                                       : nullptr;
    };
    const std::string known = find_wisdom(apart, problem);
    typename fftw_library<T>::plan plan = plan_from(known);
    if (plan == nullptr && points <= longest_measured()) {
        const measuring_limit<T> limit(lock);
        use_wisdom(apart, "");
        plan = plan_with(FFTW_MEASURE);
        if (const auto kept = plan_from(keep_wisdom(apart, problem, known))) {
            fftw_library<T>::destroy_plan(plan);
            plan = kept;
        }
    }
    return plan != nullptr ? plan : plan_with(FFTW_ESTIMATE);
}

} // namespace gpufft
} // namespace gr

#endif
