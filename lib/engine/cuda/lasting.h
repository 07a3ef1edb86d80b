// SPDX-License-Identifier: GPL-3.0-or-later
//
// Something that a process finds once and keeps, to be made when the library is loaded
// and never destroyed. A failed search is repeated at most once a second: a driver that
// does not start may do so later.

#ifndef INCLUDED_GPUFFT_CUDA_LASTING_H
#define INCLUDED_GPUFFT_CUDA_LASTING_H

#include "engine/forks.h"

#include <atomic>
#include <chrono>
#include <list>
#include <mutex>

namespace gr {
namespace gpufft {

// Found has a member `reason`, empty if the search succeeded.
template <class Found>
class lasting
{
public:
    explicit lasting(process_mutex which) { free_at_forks(which, d_mutex); }

    // The result of find(), now or earlier, valid for the life of the process.
    template <class Find>
    const Found& get(Find&& find)
    {
        if (const Found* kept = d_kept)
            return *kept;
        const std::lock_guard<std::mutex> lock(d_mutex);
        const auto now = std::chrono::steady_clock::now();
        if (d_results.empty() || now - d_looked >= std::chrono::seconds(1)) {
            Found result = find();
            if (d_results.empty() || d_results.back().reason != result.reason)
                d_results.push_back(std::move(result));
            d_looked = now;
        }
        const Found& last = d_results.back();
        if (last.reason.empty())
            d_kept = &last;
        return last;
    }

private:
    std::atomic<const Found*> d_kept{ nullptr };
    std::mutex d_mutex; // guards the next two
    std::list<Found> d_results;
    std::chrono::steady_clock::time_point d_looked;
};

} // namespace gpufft
} // namespace gr

#endif
