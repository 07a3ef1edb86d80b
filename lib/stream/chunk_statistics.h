// SPDX-License-Identifier: GPL-3.0-or-later
//
// Counts what goes through a card, and the time. Any thread may read the statistics while
// the block's thread counts.

#ifndef INCLUDED_GPUFFT_CHUNK_STATISTICS_H
#define INCLUDED_GPUFFT_CHUNK_STATISTICS_H

#include "chunk_queue.h"
#include "live_plan.h"
#include <chrono>
#include <gnuradio/gpufft/engine_block.h>
#include <mutex>
#include <string>

namespace gr {
namespace gpufft {

class chunk_statistics
{
public:
    void begin(const std::string& edges, const live_plan& plans); // counts from zero

    // Changes values that are no counts: the edges, the chunks in flight.
    template <class Change>
    void note(Change&& change)
    {
        const std::lock_guard<std::mutex> lock(d_mutex);
        change(d_statistics);
    }

    // Counts frames that were computed at once.
    void count(std::size_t frames)
    {
        const std::lock_guard<std::mutex> lock(d_mutex);
        count_time(frames);
    }

    // Counts a chunk that is done; `seconds`: its time on the card, if it was timed.
    void count(const chunk& done, double seconds);

    // Counts the integers that the plans have saturated since the last call. Plans that
    // replace others begin at 0.
    void count_saturated(const live_plan& plans);

    stream_statistics get(const std::string& engine) const;

private:
    void count_time(std::size_t frames);

    double d_timed_seconds = 0; // time of d_timed_frames
    std::size_t d_timed_frames = 0;
    const plan* d_counted_plan = nullptr; // the first plan in count_saturated()
    std::uint64_t d_counted = 0;          // live_plan::saturated() then
    mutable std::mutex d_mutex;           // guards the next two
    stream_statistics d_statistics;
    std::chrono::steady_clock::time_point d_first; // chunk's end
};

} // namespace gpufft
} // namespace gr

#endif
