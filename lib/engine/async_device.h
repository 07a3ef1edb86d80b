// SPDX-License-Identifier: GPL-3.0-or-later
//
// A device that copies and computes asynchronously: the streaming layer's interface to a
// GPU. The cuda engine has one for each card; tests simulate one.
//
// A queue does its work in order; events order the queues of all devices and tell the CPU
// what is done. Any thread may call, but only one thread at a time for each queue. Calls
// throw cuda_error; destructors and release functions never throw.

#ifndef INCLUDED_GPUFFT_ASYNC_DEVICE_H
#define INCLUDED_GPUFFT_ASYNC_DEVICE_H

#include "planner/slabs/slab_program.h"
#include <cstddef>
#include <cstdint>
#include <gnuradio/gpufft/plan.h>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

namespace gr {
namespace gpufft {

// Where a stream lies that has one item of every row: its memory is a circle of `items`
// items, mapped twice in a row, in which the stream's item i is at (start + i) % items.
struct stream_place {
    char* memory = nullptr; // null: the item has no stream
    std::uint64_t items = 1, start = 0;
    unsigned item = 0; // of a row
};

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
    // ordering: only queues wait. awaited: the CPU sleeps until an interrupt, and the
    // event has a time. spun: the CPU spins, and there is no time.
    enum class event_use { ordering, awaited, spun };
    // Memory of the device, or pinned memory of the host, which the device can access.
    struct memory {
        virtual ~memory() = default;
        virtual void* address() const = 0;
    };
    struct ring : memory {
        virtual std::size_t bytes() const = 0;
    };
    // Memory of another owner that the device can access as long as this object lives.
    struct registration {
        virtual ~registration() = default;
    };

    virtual ~async_device() = default;
    virtual int index() const = 0;
    virtual std::string name() const = 0;

    virtual std::unique_ptr<queue> make_queue() = 0;

    // Makes the device the one that this thread's calls of CUDA mean, for as long as the
    // result lives. Null on simulated devices.
    virtual std::shared_ptr<void> make_current() { return nullptr; }

    // Wraps another library's queue on this device, by its handle (CUstream), without
    // owning it. Throws std::logic_error on simulated devices.
    virtual std::unique_ptr<queue> borrow_queue(void* handle);

    virtual std::shared_ptr<event> make_event(event_use use) = 0;
    virtual std::unique_ptr<memory> allocate(std::size_t bytes) = 0;
    virtual std::unique_ptr<memory> allocate_pinned(std::size_t bytes) = 0;

    // Device memory of at least `bytes`, mapped twice in a row: address + i and address +
    // bytes() + i are the same memory, for i < bytes(). Other devices that can read from
    // this one may copy from and to it.
    virtual std::unique_ptr<ring> allocate_ring(std::size_t bytes) = 0;
    virtual bool is_readable_from(int other) const = 0;

    // From now on copies on this device reach all memory of the other one, also what the
    // caller or another library has allocated there.
    virtual void reach_memory_of(const async_device& other) = 0;

    // The device whose memory this is, this one for memory that all devices reach
    // (managed memory); none for other memory.
    virtual std::optional<int> owner_of(const void* address) = 0;

    virtual std::size_t free_bytes() = 0; // of the device's memory, now

    // Registers memory for all devices. Throws cuda_error if it cannot be registered.
    // `owner` keeps the memory alive: it is released after the registration, but never if
    // a device hangs, which may still write to it.
    virtual std::unique_ptr<registration>
    register_host(void* address,
                  std::size_t bytes,
                  std::shared_ptr<const void> owner = nullptr) = 0;

    // True if kernels can access registered and pinned memory: one launch instead of two
    // copies and a launch. That is faster up to DIRECT_BYTES: on an H200 the round trip
    // of 64 KiB takes 28 us instead of 36, but that of 128 KiB takes 55.
    virtual bool computes_in_host_memory() const = 0;
    static constexpr std::size_t DIRECT_BYTES = std::size_t(64) << 10;

    // Queues a copy between pinned or registered memory and device, or within devices.
    virtual void copy(queue& on, void* to, const void* from, std::size_t bytes) = 0;

    // Queues a copy of rows, which start `pitch` bytes apart, as copy() does.
    virtual void copy_rows(queue& on,
                           void* to,
                           std::size_t to_pitch,
                           const void* from,
                           std::size_t pitch,
                           std::size_t row_bytes,
                           std::size_t rows) = 0;

    // Rows in the memory of a device.
    struct device_rows {
        const async_device& owner;
        void* address;
        std::size_t pitch;
    };

    // The same between two devices of which this is one, also where neither reaches the
    // other's memory.
    virtual void copy_between(queue& on,
                              const device_rows& to,
                              const device_rows& from,
                              std::size_t row_bytes,
                              std::size_t rows) = 0;

    // Queue a kernel between the levels of a transform in slabs, see slab_program.h, on
    // points of single or double precision in device memory.
    virtual void
    multiply(queue& on, void* points, const slab_twiddles& by, bool is_double) = 0;
    virtual void combine(queue& on,
                         void* to,
                         const void* from,
                         const slab_pairs& how,
                         bool is_double) = 0;

    // Rows of items on the device, and streams that each have one item of every row.
    struct stream_move {
        void* rows = nullptr;
        std::size_t row_items = 0, item_bytes = 0, count = 0;
        const stream_place* places = nullptr; // of the streams, on the device
        std::size_t streams = 0;
        std::uint64_t begin = 0; // item of every stream where row 0 goes
        std::size_t lead = 0;    // items before it in its line of the stream's memory
        bool over_link = false;  // the streams lie in host memory
    };

    // Queues a kernel that moves the rows to the streams, which lie in registered or
    // device memory; or back, with 0 for an item whose place has no memory.
    virtual void to_streams(queue& on, const stream_move& how) = 0;
    virtual void from_streams(queue& on, const stream_move& how) = 0;

    virtual void record(event& what, queue& on) = 0;
    virtual void wait(queue& on, const event& what) = 0; // also another device's event

    // True if the device has exceeded its time limit: all calls throw, and nothing on it
    // is ever released (see device_watch).
    virtual bool hangs() const { return false; }

    // synchronize() makes the CPU wait, at most as long as its device_patience allows,
    // and without spinning for awaited events. An event never recorded is done.
    virtual void synchronize(const event& what) = 0;
    virtual void synchronize(queue& on) = 0;
    virtual bool is_done(const event& what) = 0;

    // Seconds on the device from one event to the other; both must be done.
    virtual double seconds(const event& from, const event& to) = 0;
};

// The card with this index. Throws std::invalid_argument for an index that no card has,
// cuda_error if there is no driver or the library was built without the cuda engine.
GPUFFT_API async_device::sptr make_cuda_device(int index);

// Why this process cannot use the card for now, in one sentence: its context broke
// earlier. "" if no reason is known. Does not call the driver.
GPUFFT_API std::string broken_reason(int device);

inline std::unique_ptr<async_device::queue> async_device::borrow_queue(void*)
{
    throw std::logic_error("this device has no queues of other libraries");
}

} // namespace gpufft
} // namespace gr

#endif
