// SPDX-License-Identifier: GPL-3.0-or-later
//
// Loops of long tables in several threads.

#ifndef INCLUDED_GPUFFT_IN_THREADS_H
#define INCLUDED_GPUFFT_IN_THREADS_H

#include <algorithm>
#include <future>
#include <thread>
#include <vector>

namespace gr {
namespace gpufft {

// Calls body(begin, end) for parts of 0 ... count-1 that are at least `least` long, each
// in a thread of its own if the system has one to give. An exception of a part is thrown
// here.
template <class Body>
void in_threads(long count, long least, const Body& body)
{
    constexpr unsigned MAX_THREADS = 16;
    const long cores = std::clamp(std::thread::hardware_concurrency(), 1u, MAX_THREADS);
    const long parts = std::clamp(count / least, 1L, cores);
    std::vector<std::future<void>> others;
    for (long p = 1; p < parts; ++p)
        others.push_back(std::async(body, count * p / parts, count * (p + 1) / parts));
    body(0L, count / parts);
    for (std::future<void>& other : others)
        other.get();
}

// value(0) ... value(count-1)
template <class T, class Value>
std::vector<T> table_of(long count, const Value& value)
{
    constexpr long WORTH_A_THREAD = 1 << 14;
    std::vector<T> table(count);
    in_threads(count, WORTH_A_THREAD, [&](long begin, long end) {
        for (long i = begin; i < end; ++i)
            table[i] = value(i);
    });
    return table;
}

} // namespace gpufft
} // namespace gr

#endif
