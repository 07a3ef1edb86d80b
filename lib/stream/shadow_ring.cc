// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tracks when each byte of the ring is written and read.

#include "shadow_ring.h"
#include <algorithm>
#include <map>

namespace gr {
namespace gpufft {

shadow_ring::shadow_ring(async_device::sptr device, std::size_t bytes, sharing shared)
    : d_device(std::move(device)),
      d_shared(shared),
      d_memory(d_device->allocate_ring(bytes))
{
}

char* shadow_ring::at(std::uint64_t place) const
{
    return static_cast<char*>(d_memory->address()) + place % bytes();
}

std::vector<shadow_ring::reading> shadow_ring::before_writing(std::uint64_t,
                                                              std::uint64_t end)
{
    const std::uint64_t overwritten = end > bytes() ? end - bytes() : 0;
    const std::lock_guard<std::mutex> lock(d_mutex);
    while (!d_written.empty() && d_written.front().end <= overwritten)
        d_written.pop_front();
    std::map<const async_device::queue*, reading> last;
    for (const range& each : d_read)
        if (each.begin < overwritten)
            last[each.queue] = { each.card, each.done };
    std::vector<reading> waits;
    for (const auto& each : last)
        waits.push_back(each.second);
    // Readers of one buffer take turns, so their ranges are nearly in order. Reads that
    // the writer's queue waits for now are done before anything queued later runs.
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

std::optional<shadow_ring::event_sptr> shadow_ring::before_reading(std::uint64_t begin,
                                                                   std::uint64_t end)
{
    const std::lock_guard<std::mutex> lock(d_mutex);
    event_sptr last;
    std::uint64_t covered = begin;
    for (const range& each : d_written) {
        if (each.end <= begin || each.begin >= end)
            continue;
        if (each.begin > covered)
            return std::nullopt;
        last = each.done;
        covered = std::max(covered, each.end);
    }
    if (covered < end)
        return std::nullopt;
    return last;
}

void shadow_ring::read(std::uint64_t begin,
                       std::uint64_t end,
                       const reading& what,
                       const async_device::queue& on)
{
    const std::lock_guard<std::mutex> lock(d_mutex);
    d_read.push_back({ begin, end, what.done, what.card, &on });
}

} // namespace gpufft
} // namespace gr
