// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which bytes of the ring are written and read when.

#include "shadow_ring.h"
#include <algorithm>

namespace gr {
namespace gpufft {

shadow_ring::shadow_ring(async_device::sptr device, std::size_t bytes)
    : d_device(std::move(device)),
      d_bytes(bytes),
      d_memory(d_device->allocate(bytes))
{
}

shadow_ring::events shadow_ring::before_writing(std::uint64_t, std::uint64_t end)
{
    const std::uint64_t overwritten = end > d_bytes ? end - d_bytes : 0;
    const std::lock_guard<std::mutex> lock(d_mutex);
    while (!d_written.empty() && d_written.front().end <= overwritten)
        d_written.pop_front();
    events waits;
    for (const range& each : d_read)
        if (each.begin < overwritten)
            waits.push_back(each.done);
    // Readers of one buffer take turns, so their ranges are nearly in order. What the
    // writer's queue waits for now is done when anything queued later runs.
    while (!d_read.empty() && d_read.front().end <= overwritten)
        d_read.pop_front();
    return waits;
}

void shadow_ring::written(std::uint64_t begin, std::uint64_t end, event_sptr done)
{
    const std::lock_guard<std::mutex> lock(d_mutex);
    d_written.push_back({ begin, end, std::move(done) });
}

void shadow_ring::forget_from(std::uint64_t begin)
{
    const std::lock_guard<std::mutex> lock(d_mutex);
    while (!d_written.empty() && d_written.back().end > begin)
        d_written.pop_back();
}

std::optional<shadow_ring::events> shadow_ring::before_reading(std::uint64_t begin,
                                                               std::uint64_t end)
{
    const std::lock_guard<std::mutex> lock(d_mutex);
    events waits;
    std::uint64_t covered = begin;
    for (const range& each : d_written) {
        if (each.end <= begin || each.begin >= end)
            continue;
        if (each.begin > covered)
            return std::nullopt;
        waits.push_back(each.done);
        covered = std::max(covered, each.end);
    }
    if (covered < end)
        return std::nullopt;
    return waits;
}

void shadow_ring::read(std::uint64_t begin, std::uint64_t end, event_sptr done)
{
    const std::lock_guard<std::mutex> lock(d_mutex);
    d_read.push_back({ begin, end, std::move(done) });
}

} // namespace gpufft
} // namespace gr
