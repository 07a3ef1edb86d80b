// SPDX-License-Identifier: GPL-3.0-or-later
//
// Queues and events of the simulated devices: each queue has a thread.

#ifndef INCLUDED_GPUFFT_SIMULATED_QUEUES_H
#define INCLUDED_GPUFFT_SIMULATED_QUEUES_H

#include "simulated_worker.h"
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace gr {
namespace gpufft {
namespace simulated {

class counted_event : public async_device::event
{
public:
    counted_event(int device, async_device::event_use use)
        : use(use),
          d_counted(device, object::event)
    {
    }

    const async_device::event_use use;

    void set(std::shared_ptr<milestone> last)
    {
        const std::lock_guard<std::mutex> lock(d_mutex);
        d_last = std::move(last);
    }
    std::shared_ptr<milestone> last() const // null: never recorded
    {
        const std::lock_guard<std::mutex> lock(d_mutex);
        return d_last;
    }

private:
    const counted d_counted;
    mutable std::mutex d_mutex;
    std::shared_ptr<milestone> d_last;
};

inline std::shared_ptr<milestone> last_of(const async_device::event& event)
{
    return static_cast<const counted_event&>(event).last();
}

class worker_queue : public simulated_queue
{
public:
    explicit worker_queue(int device);
    ~worker_queue() override; // what is queued is still done

    int device() const override { return d_device; }
    const std::shared_ptr<worker>& inner() const { return d_worker; }

    void submit(work what) override
    {
        push([held = d_worker.get(), what] { held->carry_out(what); });
    }
    void push(std::function<void()> step) { d_worker->push(std::move(step)); }

private:
    const int d_device;
    const counted d_counted{ d_device, object::queue };
    const std::shared_ptr<worker> d_worker;
    std::thread d_thread;
};

// The legacy default stream of a device, as long as somebody has borrowed it.
struct legacy_queue : async_device::queue {
    explicit legacy_queue(int device);
    void* handle() const override { return inner->handle(); }
    std::shared_ptr<worker_queue> inner;
};

worker_queue& queue_of(async_device::queue& queue);

} // namespace simulated
} // namespace gpufft
} // namespace gr

#endif
