// SPDX-License-Identifier: GPL-3.0-or-later
//
// A device that copies and computes by itself while the CPU goes on: what the streaming
// layer needs of a GPU. The cuda engine has one for each card; tests have a simulated
// one.
//
// Work is queued. A queue does its work in order; events order the queues of all devices
// and tell the CPU what is done. All calls may come from any thread, one thread at a time
// for each queue. They throw cuda_error; the destructors and release functions never do.

#ifndef INCLUDED_GPUFFT_ASYNC_DEVICE_H
#define INCLUDED_GPUFFT_ASYNC_DEVICE_H

#include <cstddef>
#include <gnuradio/gpufft/plan.h>
#include <memory>
#include <stdexcept>
#include <string>

namespace gr {
namespace gpufft {

class GPUFFT_API async_device
{
public:
    typedef std::shared_ptr<async_device> sptr;

    // Handles: CUstream and CUevent of the cuda engine.
    struct queue {
        virtual ~queue() = default;
        virtual void* handle() const = 0; // what plan::enqueue() takes
    };
    struct event {
        virtual ~event() = default;
    };
    // The CPU waits only for awaited events, and only they have a time; waking it costs
    // the card an interrupt.
    enum class event_use { ordering, awaited };
    // Memory of the device, or of the host that the device can reach by itself (pinned).
    struct memory {
        virtual ~memory() = default;
        virtual void* address() const = 0;
    };
    struct ring : memory {
        virtual std::size_t bytes() const = 0;
    };
    // Memory of somebody else that the device can reach as long as this lives.
    struct registration {
        virtual ~registration() = default;
    };

    virtual ~async_device() = default;
    virtual int index() const = 0;
    virtual std::string name() const = 0;

    virtual std::unique_ptr<queue> make_queue() = 0;

    // A queue of another library on this device, by its handle (CUstream); it stays
    // theirs. Throws std::logic_error on devices that nobody else uses.
    virtual std::unique_ptr<queue> borrow_queue(void* handle);

    virtual std::shared_ptr<event> make_event(event_use use) = 0;
    virtual std::unique_ptr<memory> allocate(std::size_t bytes) = 0;
    virtual std::unique_ptr<memory> allocate_pinned(std::size_t bytes) = 0;

    // Device memory of at least so many bytes that follows itself: address + i and
    // address + bytes() + i are one place, for i < bytes(). Other devices copy from it if
    // they can read from this one.
    virtual std::unique_ptr<ring> allocate_ring(std::size_t bytes) = 0;
    virtual bool is_readable_from(int other) const = 0;

    // For all devices. Throws cuda_error where the memory cannot be registered. `owner`
    // holds the memory: it is released after the registration, and never if a device
    // hangs, which may still write there.
    virtual std::unique_ptr<registration>
    register_host(void* address,
                  std::size_t bytes,
                  std::shared_ptr<const void> owner = nullptr) = 0;

    // True if its kernels, too, may be given addresses of such and of pinned memory: one
    // launch in place of two copies and a launch. Up to this size that is the faster way:
    // on an H200 28 us for 64 KiB there and back instead of 36, but 55 for 128 KiB.
    virtual bool computes_in_host_memory() const = 0;
    static constexpr std::size_t DIRECT_BYTES = std::size_t(64) << 10;

    // Queued: between host (pinned or registered) and device, or within devices.
    virtual void copy(queue& on, void* to, const void* from, std::size_t bytes) = 0;

    // Queued: rows that start `pitch` bytes apart at `from`, side by side to `to`.
    virtual void copy_rows(queue& on,
                           void* to,
                           const void* from,
                           std::size_t row_bytes,
                           std::size_t pitch,
                           std::size_t rows) = 0;
    virtual void record(event& what, queue& on) = 0;
    virtual void wait(queue& on, const event& what) = 0; // also another device's event

    // The device has exceeded a limit of time: all calls throw, and nothing of it is ever
    // released (see device_watch).
    virtual bool hangs() const { return false; }

    // The CPU waits (without spinning, and as long as its device_patience allows), or
    // asks. An event never recorded is done.
    virtual void synchronize(const event& what) = 0;
    virtual void synchronize(queue& on) = 0;
    virtual bool is_done(const event& what) = 0;

    // Seconds on the device between two events that are done.
    virtual double seconds(const event& from, const event& to) = 0;
};

// The card with this index. Throws std::invalid_argument for an index that no card has,
// cuda_error if there is no driver or the library was built without the cuda engine.
GPUFFT_API async_device::sptr make_cuda_device(int index);

// Why no plan or block of this process can use the card for now, in one sentence: its
// context broke earlier. "" if nothing is known against it. Asks no more of the driver.
GPUFFT_API std::string broken_reason(int device);

inline std::unique_ptr<async_device::queue> async_device::borrow_queue(void*)
{
    throw std::logic_error("this device has no queues of other libraries");
}

} // namespace gpufft
} // namespace gr

#endif
