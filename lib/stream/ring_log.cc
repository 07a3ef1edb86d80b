// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tracks when each byte is written and read.

#include "ring_log.h"
#include <algorithm>
#include <map>

namespace gr {
namespace gpufft {

void ring_log::add(std::size_t ring_bytes)
{
    d_most_bytes = std::max(d_most_bytes, ring_bytes);
}

std::vector<ring_log::reading> ring_log::before_writing(std::uint64_t end)
{
    const std::lock_guard<std::mutex> lock(d_mutex);
    while (!d_written.empty() && d_written.front().end + d_most_bytes <= end)
        d_written.pop_front();
    std::map<const async_device::queue*, reading> last;
    for (const read_range& each : d_read)
        if (each.overwritten_from < end)
            last[each.queue] = each.what;
    std::vector<reading> waits;
    for (const auto& each : last)
        waits.push_back(each.second);
    // Readers of one buffer take turns, so their ranges are nearly in order. Reads that
    // the writer's queue waits for now are done before anything queued later runs.
    while (!d_read.empty() && d_read.front().overwritten_to <= end)
        d_read.pop_front();
    return waits;
}

void ring_log::written(std::uint64_t begin, std::uint64_t end, event_sptr done)
{
    const std::lock_guard<std::mutex> lock(d_mutex);
    d_written.push_back({ begin, end, std::move(done) });
}

void ring_log::forget_from(std::uint64_t begin)
{
    const std::lock_guard<std::mutex> lock(d_mutex);
    while (!d_written.empty() && d_written.back().end > begin)
        d_written.pop_back();
}

std::optional<ring_log::event_sptr> ring_log::before_reading(std::uint64_t begin,
                                                             std::uint64_t end)
{
    const std::lock_guard<std::mutex> lock(d_mutex);
    event_sptr last;
    std::uint64_t covered = begin;
    for (const write& each : d_written) {
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

void ring_log::read(std::uint64_t begin,
                    std::uint64_t end,
                    std::size_t ring_bytes,
                    const reading& what,
                    const async_device::queue& on)
{
    const std::lock_guard<std::mutex> lock(d_mutex);
    d_read.push_back({ begin + ring_bytes, end + ring_bytes, what, &on });
}

} // namespace gpufft
} // namespace gr
