// SPDX-License-Identifier: GPL-3.0-or-later
//
// Times of many runs of the same work.

#ifndef INCLUDED_GPUFFT_BENCH_TIMING_H
#define INCLUDED_GPUFFT_BENCH_TIMING_H

#include <algorithm>
#include <chrono>
#include <limits>
#include <vector>

namespace gr {
namespace gpufft {

// Milliseconds of one call; NaN if it was not timed.
struct timing {
    double median = std::numeric_limits<double>::quiet_NaN();
    double least = median;
    double most = median;
};

inline timing summarise(std::vector<double> times)
{
    std::sort(times.begin(), times.end());
    const double median = (times[(times.size() - 1) / 2] + times[times.size() / 2]) / 2;
    return { median, times.front(), times.back() };
}

// Milliseconds of a call by the CPU's clock.
template <class Work>
double milliseconds_of(Work&& work)
{
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::milli> span =
        std::chrono::steady_clock::now() - start;
    return span.count();
}

} // namespace gpufft
} // namespace gr

#endif
