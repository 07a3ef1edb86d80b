// SPDX-License-Identifier: GPL-3.0-or-later
//
// Contexts, streams, events and memory of a GPU.

#include "device.h"
#include <gnuradio/gpufft/engine.h>
#include <limits>
#include <map>
#include <mutex>
#include <stdexcept>

namespace gr {
namespace gpufft {

static int attribute(CUdevice device, CUdevice_attribute which)
{
    int value = 0;
    GPUFFT_CUDA(cuDeviceGetAttribute(&value, which, device));
    return value;
}

device_context::device_context(int index) : d_index(index)
{
    CUdevice device = 0;
    GPUFFT_CUDA(cuDeviceGet(&device, index));
    char name[256] = {};
    GPUFFT_CUDA(cuDeviceGetName(name, sizeof(name), device));
    d_name = name;
    d_architecture =
        10 * attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
        attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    d_multiprocessors = attribute(device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    d_shared_bytes =
        attribute(device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    d_shared_bytes_default =
        attribute(device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
    d_l2_bytes = attribute(device, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
    d_reaches_host_memory =
        attribute(device, CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM);
    GPUFFT_CUDA(cuDevicePrimaryCtxRetain(&d_context, device));
}

device_context& device_context::get(int index)
{
    // Never destroyed: the driver may be gone before static objects are.
    static std::mutex& mutex = *new std::mutex;
    static auto& contexts = *new std::map<int, std::unique_ptr<device_context>>;
    const std::lock_guard<std::mutex> lock(mutex);
    std::unique_ptr<device_context>& context = contexts[index];
    if (!context) {
        int count = 0;
        GPUFFT_CUDA(cuDeviceGetCount(&count));
        if (index < 0 || index >= count)
            throw std::invalid_argument("device " + std::to_string(index) +
                                        " is not one of 0 ... " +
                                        std::to_string(count - 1));
        context.reset(new device_context(index));
    }
    return *context;
}

device_context::scope::scope(const device_context& context)
{
    CUcontext now = nullptr;
    GPUFFT_CUDA(cuCtxGetCurrent(&now));
    d_pushed = now != context.d_context;
    if (d_pushed)
        GPUFFT_CUDA(cuCtxPushCurrent(context.d_context));
}

device_context::scope::~scope()
{
    CUcontext ignored = nullptr;
    if (d_pushed)
        cuda().cuCtxPopCurrent(&ignored);
}

// Calls release() with the context current. Nobody can do anything about an error here.
template <class Release>
static void release_in(const device_context& context, Release release) noexcept
{
    try {
        const device_context::scope scope(context);
        release();
    } catch (const std::exception&) {
    }
}

void device_deleter::operator()(CUstream handle) const noexcept
{
    release_in(*context, [=] { cuda().cuStreamDestroy(handle); });
}

void device_deleter::operator()(CUevent handle) const noexcept
{
    release_in(*context, [=] { cuda().cuEventDestroy(handle); });
}

void device_deleter::operator()(CUmodule handle) const noexcept
{
    release_in(*context, [=] { cuda().cuModuleUnload(handle); });
}

stream_uptr make_stream(const device_context& context)
{
    const device_context::scope scope(context);
    CUstream handle = nullptr;
    GPUFFT_CUDA(cuStreamCreate(&handle, CU_STREAM_NON_BLOCKING));
    return stream_uptr(handle, { &context });
}

event_uptr make_event(const device_context& context)
{
    const device_context::scope scope(context);
    CUevent handle = nullptr;
    GPUFFT_CUDA(cuEventCreate(&handle, CU_EVENT_DISABLE_TIMING));
    return event_uptr(handle, { &context });
}

device_memory memory_of(const device_context& context)
{
    const device_context::scope scope(context);
    device_memory bytes;
    GPUFFT_CUDA(cuMemGetInfo(&bytes.free, &bytes.total));
    return bytes;
}

std::string describe_memory(const device_context& context)
{
    const device_memory bytes = memory_of(context);
    return std::to_string(bytes.free) + " of " + std::to_string(bytes.total) +
           " bytes are free on " + context.name();
}

std::atomic<std::size_t> memory_buffer::s_most_bytes{
    std::numeric_limits<std::size_t>::max()
};

memory_buffer::memory_buffer(memory_buffer&& other) noexcept
    : d_context(other.d_context),
      d_kind(other.d_kind),
      d_address(other.d_address),
      d_bytes(other.d_bytes)
{
    other.d_address = nullptr;
    other.d_bytes = 0;
}

memory_buffer::~memory_buffer() { release(); }

void memory_buffer::release() noexcept
{
    if (d_address != nullptr)
        release_in(*d_context, [this] {
            if (d_kind == memory_kind::device)
                cuda().cuMemFree(device());
            else
                cuda().cuMemFreeHost(d_address);
        });
    d_address = nullptr;
    d_bytes = 0;
}

void memory_buffer::reserve(std::size_t bytes)
{
    if (bytes <= d_bytes)
        return;
    release();
    const device_context::scope scope(*d_context);
    const CUresult result = allocate(bytes);
    if (result == CUDA_ERROR_OUT_OF_MEMORY) {
        const std::string asked = "out of memory: " + std::to_string(bytes);
        throw cuda_error(result,
                         d_kind == memory_kind::device
                             ? asked + " bytes of device memory were asked; " +
                                   describe_memory(*d_context)
                             : asked + " bytes of pinned host memory were asked");
    }
    check_cuda(result, "cuMemAlloc or cuMemAllocHost", __FILE__, __LINE__);
    d_bytes = bytes;
}

CUresult memory_buffer::allocate(std::size_t bytes)
{
    if (d_kind == memory_kind::pinned)
        return cuda().cuMemAllocHost(&d_address, bytes);
    if (bytes > s_most_bytes)
        return CUDA_ERROR_OUT_OF_MEMORY;
    CUdeviceptr address = 0;
    const CUresult result = cuda().cuMemAlloc(&address, bytes);
    d_address = reinterpret_cast<void*>(address);
    return result;
}

} // namespace gpufft
} // namespace gr
