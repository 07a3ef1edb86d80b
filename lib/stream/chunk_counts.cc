// SPDX-License-Identifier: GPL-3.0-or-later
//
// Statistics of what has gone through a card, and in what time: part of chunked_stream.

#include "chunked_stream.h"
#include <algorithm>

namespace gr {
namespace gpufft {

// Counts the outstanding chunks that are done; waits until at most `most` are left.
void chunked_stream::limit_outstanding(std::size_t most)
{
    const auto end = d_outstanding.end();
    auto pending = std::find_if(d_outstanding.begin(), end, [](const chunk& each) {
        return each.downloaded == nullptr;
    });
    if (most == 0 && pending != end) {
        for (const std::unique_ptr<stream_device>& each : d_devices)
            each->device->synchronize(*each->compute);
        pending = end;
    } else if (static_cast<std::size_t>(end - pending) > most) {
        pending = std::find_if(pending, end, [](const chunk& each) {
            return each.started != nullptr; // its end can be awaited, not only ordered
        });
        d_devices[pending->device]->device->synchronize(*pending->computed);
        ++pending;
    }
    for (auto done = pending - d_outstanding.begin(); done > 0; --done) {
        count(d_outstanding.front());
        d_outstanding.pop_front();
    }
}

void chunked_stream::count(const chunk& done)
{
    if (done.started) {
        d_timed_seconds +=
            d_devices[done.device]->device->seconds(*done.started, *done.computed);
        d_timed_frames += done.returns.run.frames;
    }
    const std::lock_guard<std::mutex> lock(d_mutex);
    count_time(done.returns.run.frames);
    if (d_timed_frames > 0)
        d_statistics.device_seconds =
            d_timed_seconds * d_statistics.frames / d_timed_frames;
    d_statistics.bytes_up += done.bytes_up;
    if (done.downloaded)
        d_statistics.bytes_down += done.output_end - done.output_begin;
}

// Needs d_mutex.
void chunked_stream::count_time(std::size_t frames)
{
    const auto now = std::chrono::steady_clock::now();
    if (d_statistics.chunks == 0)
        d_first = now;
    ++d_statistics.chunks;
    d_statistics.frames += frames;
    d_statistics.seconds = std::chrono::duration<double>(now - d_first).count();
}

stream_statistics chunked_stream::statistics() const
{
    const std::lock_guard<std::mutex> lock(d_mutex);
    stream_statistics now = d_statistics;
    now.engine = d_plan.engine();
    return now;
}

} // namespace gpufft
} // namespace gr
