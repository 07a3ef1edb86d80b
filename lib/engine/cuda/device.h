// SPDX-License-Identifier: GPL-3.0-or-later
//
// Ownership of what the driver hands out: the primary context of a GPU, streams, events,
// device memory, pinned memory. Deleters never throw.
//
// Some errors break the context for good: a kernel's invalid access, a failed assertion,
// a memory fault of the card. From then on the driver answers every call in it with that
// error. So the first error is stored: later calls throw it, with the context's state,
// before they reach the driver. Once nothing of the process is left on the card, the next
// get() takes a new context.

#ifndef INCLUDED_GPUFFT_CUDA_DEVICE_H
#define INCLUDED_GPUFFT_CUDA_DEVICE_H

#include "driver.h"
#include "engine/device_watch.h"
#include "planner/card.h"
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace gr {
namespace gpufft {

// One GPU and its primary context, which all plans of a process share.
class device_context
{
public:
    // Throws std::invalid_argument for an index that no GPU has, cuda_error if there is
    // no driver, or if the context is broken and still in use. A sound context stays for
    // the life of the process: making one takes longer than most plans.
    static device_context& get(int index);

    // Why the card is not used, in one sentence: what broke its context, and for how
    // long. "" if the context is sound or was never made.
    static std::string broken_reason(int index);

    int index() const { return d_index; }
    const std::string& name() const { return d_name; }
    const device_traits& traits() const { return d_traits; }
    CUcontext handle() const { return d_context; }
    int architecture() const { return d_traits.architecture; }
    int multiprocessors() const { return d_traits.multiprocessors; }
    int shared_bytes_default() const { return d_shared_bytes_default; } // without opt-in

    // True if kernels can use host addresses of pinned and registered memory.
    bool reaches_host_memory() const { return d_reaches_host_memory; }

    // How a context is broken.
    enum class damage {
        failed, // calls return its error; it is replaced once its memory is released
        hangs   // calls may not return, so no thread calls the driver in it any more
    };

    // From now on, no thread uses this context. `what` is the error in words. The first
    // error counts, but a card that failed may still be marked as hanging.
    void mark_broken(int code, const std::string& what, damage how) const;
    bool is_broken() const { return d_broken; }

    // Throws cuda_error with broken_reason() if the context is broken.
    void check_sound() const;

    // The watch for all calls that may not return; if one does not, it marks the context
    // as broken.
    device_watch& watch() const { return *d_watch; }

    // Waits until all that the stream or event stands for is done.
    void wait_for(CUstream stream) const;
    void wait_for(CUevent event) const;

    // Represents something on the card: while a guest lives, the context is not replaced.
    class guest
    {
    public:
        guest(const device_context* context = nullptr) : d_context(context) { enter(); }
        guest(const guest& other) : guest(other.d_context) {}
        guest(guest&& other) noexcept : d_context(std::exchange(other.d_context, nullptr))
        {
        }
        guest& operator=(guest other) noexcept
        {
            std::swap(d_context, other.d_context);
            return *this;
        }
        ~guest()
        {
            if (d_context != nullptr)
                --d_context->d_guests;
        }
        const device_context* context() const { return d_context; }

    private:
        void enter()
        {
            if (d_context != nullptr)
                ++d_context->d_guests;
        }

        const device_context* d_context;
    };

    // Makes the context current in this thread for as long as the object lives. GNU Radio
    // calls from many threads, and the application may use contexts of its own. Throws
    // cuda_error if the context is broken, or `to_release` if it hangs.
    class scope
    {
    public:
        enum class purpose { to_use, to_release };
        explicit scope(const device_context& context, purpose why = purpose::to_use);
        ~scope();
        scope(const scope&) = delete;
        scope& operator=(const scope&) = delete;

        // The context of the innermost scope of this thread; null outside of all.
        static const device_context* current();

    private:
        const guest d_guest;
        const device_context* const d_outer; // current() before
        bool d_pushed;                       // the context was not current before
    };

    device_context(const device_context&) = delete;
    device_context& operator=(const device_context&) = delete;

private:
    explicit device_context(int index);
    void renew();
    std::string describe_damage() const; // needs d_mutex

    int d_index;
    CUcontext d_context = nullptr;
    std::string d_name;
    device_traits d_traits;
    int d_shared_bytes_default = 0;
    bool d_reaches_host_memory = false;

    std::unique_ptr<device_watch> d_watch;
    mutable std::atomic<int> d_guests{ 0 };
    mutable std::atomic<bool> d_broken{ false }, d_hangs{ false };
    mutable std::mutex d_mutex;        // guards the next two
    mutable int d_first_code = 0;      // code of the error that broke the context
    mutable std::string d_first_error; // the same error in words
};

// True for errors after which every call in the context fails.
bool breaks_context(CUresult error);

struct device_deleter {
    device_context::guest owner;
    void operator()(CUstream handle) const noexcept;
    void operator()(CUevent handle) const noexcept;
    void operator()(CUmodule handle) const noexcept;
};

typedef std::unique_ptr<CUstream_st, device_deleter> stream_uptr;
typedef std::unique_ptr<CUevent_st, device_deleter> event_uptr;
typedef std::unique_ptr<CUmod_st, device_deleter> module_uptr;

stream_uptr make_stream(const device_context& context); // not ordered with stream 0
event_uptr make_event(const device_context& context,
                      unsigned flags = CU_EVENT_DISABLE_TIMING);

// Bytes of memory on the device.
struct device_memory {
    std::size_t free = 0;
    std::size_t total = 0;
};
device_memory memory_of(const device_context& context);

// "1000 of 2000 bytes are free on NVIDIA H200"
std::string describe_memory(const device_context& context);

// Memory of the device, or pinned memory of the host that the device can copy to and from
// asynchronously.
enum class memory_kind { device, pinned };

// A block of memory that only grows.
class memory_buffer
{
public:
    memory_buffer(const device_context& context, memory_kind kind)
        : d_context(&context),
          d_kind(kind)
    {
    }
    memory_buffer(memory_buffer&& other) noexcept;
    memory_buffer& operator=(memory_buffer&&) = delete;
    ~memory_buffer();

    // Makes the buffer at least `bytes` long; its content is lost if it must grow. If
    // memory is short, leaves the buffer empty and throws cuda_error that names the
    // wanted and the free bytes.
    void reserve(std::size_t bytes);
    void release() noexcept; // frees the memory

    std::size_t bytes() const { return d_bytes; }
    template <class T = void>
    T* as() const
    {
        return static_cast<T*>(d_address);
    }
    CUdeviceptr device() const { return reinterpret_cast<CUdeviceptr>(d_address); }

    // For tests: from now on larger allocations of device memory fail, as if the card had
    // no more memory.
    static void set_most_bytes(std::size_t bytes) { s_most_bytes = bytes; }

private:
    std::pair<CUresult, void*> allocate(std::size_t bytes) const;

    static std::atomic<std::size_t> s_most_bytes;
    const device_context* d_context;
    device_context::guest d_guest; // while there is memory
    memory_kind d_kind;
    void* d_address = nullptr;
    std::size_t d_bytes = 0;
};

} // namespace gpufft
} // namespace gr

#endif
