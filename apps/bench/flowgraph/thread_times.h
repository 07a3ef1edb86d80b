// SPDX-License-Identifier: GPL-3.0-or-later
//
// CPU time of each thread of this process.

#ifndef INCLUDED_GPUFFT_BENCH_THREAD_TIMES_H
#define INCLUDED_GPUFFT_BENCH_THREAD_TIMES_H

#include <map>

namespace gr {
namespace gpufft {

// Thread id -> seconds on a CPU since it began.
typedef std::map<int, double> thread_times;

// Of the threads that live now.
thread_times thread_times_now();

// The calling thread's id.
int this_thread_id();

// Seconds that all threads alive at `after` took since `before`, but for some.
template <class Ids>
double
seconds_between(const thread_times& before, const thread_times& after, const Ids& without)
{
    double sum = 0;
    for (const auto& [id, seconds] : after) {
        const auto then = before.find(id);
        sum += seconds - (then == before.end() ? 0 : then->second);
    }
    for (const int id : without) {
        const auto now = after.find(id), then = before.find(id);
        if (now != after.end())
            sum -= now->second - (then == before.end() ? 0 : then->second);
    }
    return sum;
}

} // namespace gpufft
} // namespace gr

#endif
