// SPDX-License-Identifier: GPL-3.0-or-later
//
// Limits work to a share of a core: passing time earns credit, which pays for the work's
// processor time.

#ifndef INCLUDED_GPUFFT_TIME_SHARE_H
#define INCLUDED_GPUFFT_TIME_SHARE_H

#include <algorithm>
#include <chrono>
#include <ctime>

namespace gr {
namespace gpufft {

class time_share
{
public:
    explicit time_share(double share) : d_share(share) {}

    // Calls work() unless its share is used up. Only for one thread.
    template <class Work>
    void offer(Work&& work)
    {
        const auto now = std::chrono::steady_clock::now();
        const std::chrono::duration<double> passed = now - d_last;
        d_last = now;
        d_credit = std::min(MOST_CREDIT, d_credit + d_share * passed.count());
        if (d_credit <= 0)
            return;
        const double begin = processor_seconds();
        work();
        d_credit -= processor_seconds() - begin;
    }

private:
    static double processor_seconds() // of this thread
    {
        timespec now{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return now.tv_sec + 1e-9 * now.tv_nsec;
    }

    static constexpr double MOST_CREDIT = 0.1; // seconds, enough for all work of a burst

    const double d_share;
    double d_credit = MOST_CREDIT;
    std::chrono::steady_clock::time_point d_last = std::chrono::steady_clock::now();
};

} // namespace gpufft
} // namespace gr

#endif
