// SPDX-License-Identifier: GPL-3.0-or-later
//
// Counts chunks, and their time.

#include "chunk_statistics.h"
#include <utility>

namespace gr {
namespace gpufft {

void chunk_statistics::begin(const std::string& edges, const live_plan& plans)
{
    d_counted_plan = &plans.on(0);
    d_counted = plans.saturated();
    d_timed_seconds = 0;
    d_timed_frames = 0;
    const std::lock_guard<std::mutex> lock(d_mutex);
    d_statistics = stream_statistics();
    d_statistics.input_edge = d_statistics.output_edge = edges;
}

void chunk_statistics::count(const chunk& done, double seconds)
{
    if (done.started) {
        d_timed_seconds += seconds;
        d_timed_frames += done.returns.run.frames;
    }
    const std::lock_guard<std::mutex> lock(d_mutex);
    count_time(done.returns.run.frames);
    if (d_timed_frames > 0)
        d_statistics.device_seconds =
            d_timed_seconds * d_statistics.frames / d_timed_frames;
    d_statistics.bytes_up += done.bytes_up;
    if (done.downloaded)
        d_statistics.bytes_down += done.output_bytes;
}

void chunk_statistics::count_saturated(const live_plan& plans)
{
    const plan* const first = &plans.on(0);
    const std::uint64_t now = plans.saturated();
    if (std::exchange(d_counted_plan, first) != first || now < d_counted)
        d_counted = 0;
    const std::uint64_t more = now - std::exchange(d_counted, now);
    if (more > 0)
        note([&](stream_statistics& counted) { counted.saturated += more; });
}

// Needs d_mutex.
void chunk_statistics::count_time(std::size_t frames)
{
    const auto now = std::chrono::steady_clock::now();
    if (d_statistics.chunks == 0)
        d_first = now;
    ++d_statistics.chunks;
    d_statistics.frames += frames;
    d_statistics.seconds = std::chrono::duration<double>(now - d_first).count();
}

stream_statistics chunk_statistics::get(const std::string& engine) const
{
    const std::lock_guard<std::mutex> lock(d_mutex);
    stream_statistics now = d_statistics;
    now.engine = engine;
    return now;
}

} // namespace gpufft
} // namespace gr
