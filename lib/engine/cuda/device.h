// SPDX-License-Identifier: GPL-3.0-or-later
//
// Ownership of what the driver hands out: the primary context of a GPU, streams, events,
// device memory, pinned memory. Each is a unique_ptr whose deleter keeps the context
// alive and never throws.

#ifndef INCLUDED_GPUFFT_CUDA_DEVICE_H
#define INCLUDED_GPUFFT_CUDA_DEVICE_H

#include "driver.h"
#include <atomic>
#include <cstddef>
#include <memory>
#include <string>

namespace gr {
namespace gpufft {

// One GPU and its primary context, which all plans of a process share.
class device_context
{
public:
    // Throws std::invalid_argument for an index that no GPU has, cuda_error if there is
    // no driver. The context stays for the life of the process: to make one takes longer
    // than most plans.
    static device_context& get(int index);

    int index() const { return d_index; }
    const std::string& name() const { return d_name; }
    int architecture() const { return d_architecture; } // 90 for compute capability 9.0
    int multiprocessors() const { return d_multiprocessors; }
    int shared_bytes() const { return d_shared_bytes; } // at most in one block
    int l2_bytes() const { return d_l2_bytes; }
    int shared_bytes_default() const { return d_shared_bytes_default; } // without opt-in

    // Kernels may be given the host's addresses of pinned and registered memory.
    bool reaches_host_memory() const { return d_reaches_host_memory; }

    // Makes the context current in this thread for as long as the object lives. GNU Radio
    // calls from many threads, and the application may use contexts of its own.
    class scope
    {
    public:
        explicit scope(const device_context& context);
        ~scope();
        scope(const scope&) = delete;
        scope& operator=(const scope&) = delete;

    private:
        bool d_pushed; // it was not current already
    };

    device_context(const device_context&) = delete;
    device_context& operator=(const device_context&) = delete;

private:
    explicit device_context(int index);

    int d_index;
    CUcontext d_context = nullptr;
    std::string d_name;
    int d_architecture = 0;
    int d_multiprocessors = 0;
    int d_shared_bytes = 0;
    int d_shared_bytes_default = 0;
    bool d_reaches_host_memory = false;
    int d_l2_bytes = 0;
};

struct device_deleter {
    const device_context* context = nullptr;
    void operator()(CUstream handle) const noexcept;
    void operator()(CUevent handle) const noexcept;
    void operator()(CUmodule handle) const noexcept;
};

typedef std::unique_ptr<CUstream_st, device_deleter> stream_uptr;
typedef std::unique_ptr<CUevent_st, device_deleter> event_uptr;
typedef std::unique_ptr<CUmod_st, device_deleter> module_uptr;

stream_uptr make_stream(const device_context& context); // not ordered with stream 0
event_uptr make_event(const device_context& context);   // without time

// Bytes of the device.
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

    // Makes it at least `bytes` long; what it held is lost if it has to grow. Throws
    // cuda_error that names the bytes asked and free, and is then empty, if there is not
    // so much memory.
    void reserve(std::size_t bytes);
    void release() noexcept; // gives it back

    std::size_t bytes() const { return d_bytes; }
    template <class T = void>
    T* as() const
    {
        return static_cast<T*>(d_address);
    }
    CUdeviceptr device() const { return reinterpret_cast<CUdeviceptr>(d_address); }

    // For tests: from now on device memory of more bytes at once is refused, as if the
    // card had no more.
    static void set_most_bytes(std::size_t bytes) { s_most_bytes = bytes; }

private:
    CUresult allocate(std::size_t bytes);

    static std::atomic<std::size_t> s_most_bytes;
    const device_context* d_context;
    memory_kind d_kind;
    void* d_address = nullptr;
    std::size_t d_bytes = 0;
};

} // namespace gpufft
} // namespace gr

#endif
