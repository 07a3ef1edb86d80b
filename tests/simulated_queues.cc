// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which queues there are, and what their ends wait for.

#include "simulated_queues.h"
#include <map>
#include <set>
#include <shared_mutex>

namespace gr {
namespace gpufft {

namespace {

std::shared_mutex s_handles_mutex;
std::set<const void*> s_handles;

std::mutex s_legacy_mutex;
std::map<int, std::weak_ptr<simulated::worker_queue>> s_legacy;

} // namespace

namespace simulated {

worker_queue::worker_queue(int device)
    : d_device(device),
      d_worker(std::make_shared<worker>(device)),
      d_thread(d_worker->start())
{
    const std::lock_guard<std::shared_mutex> lock(s_handles_mutex);
    s_handles.insert(handle());
}

worker_queue::~worker_queue()
{
    {
        const std::lock_guard<std::shared_mutex> lock(s_handles_mutex);
        s_handles.erase(handle());
    }
    d_worker->end();
    if (wait_for_device(d_device))
        d_thread.join();
    else
        leave_behind(std::move(d_thread));
}

legacy_queue::legacy_queue(int device)
{
    const std::lock_guard<std::mutex> lock(s_legacy_mutex);
    inner = s_legacy[device].lock();
    if (!inner) {
        s_legacy[device] = inner = std::make_shared<worker_queue>(device);
        inner->inner()->share();
    }
}

worker_queue& queue_of(async_device::queue& queue)
{
    if (const auto* const legacy = dynamic_cast<legacy_queue*>(&queue))
        return *legacy->inner;
    return static_cast<worker_queue&>(queue);
}

} // namespace simulated

simulated_queue* simulated_queue::find(void* handle)
{
    const std::shared_lock<std::shared_mutex> lock(s_handles_mutex);
    return s_handles.count(handle) ? static_cast<simulated_queue*>(handle) : nullptr;
}

} // namespace gpufft
} // namespace gr
