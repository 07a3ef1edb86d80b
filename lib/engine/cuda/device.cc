// SPDX-License-Identifier: GPL-3.0-or-later
//
// Makes and frees contexts, streams, events and memory of a GPU.

#include "device.h"
#include "engine/forks.h"
#include <gnuradio/gpufft/engine.h>
#include <limits>
#include <map>
#include <pthread.h>
#include <stdexcept>

namespace gr {
namespace gpufft {

device_context::device_context(int index) : d_index(index)
{
    CUdevice device = 0;
    GPUFFT_CUDA(cuDeviceGet(&device, index));
    char name[256] = {};
    GPUFFT_CUDA(cuDeviceGetName(name, sizeof(name), device));
    d_name = name;
    const auto attribute = [device](CUdevice_attribute which) {
        int value = 0;
        GPUFFT_CUDA(cuDeviceGetAttribute(&value, which, device));
        return value;
    };
    d_traits.architecture = 10 * attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
                            attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    d_traits.multiprocessors = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    d_traits.shared_bytes =
        attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    d_traits.l2_bytes = attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
    d_traits.registers = attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
    d_traits.threads = attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
    d_traits.blocks = attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
    d_traits.multiprocessor_shared_bytes =
        attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
    d_traits.reserved_shared_bytes =
        attribute(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
    // memory moves data twice in a cycle
    const double bits = 2.0 * attribute(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH) *
                        attribute(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
    const double cycles =
        double(d_traits.multiprocessors) * attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
    if (bits > 0 && cycles > 0) // else the driver does not know
        d_traits.bytes_per_cycle = bits / 8 / cycles;
    d_shared_bytes_default = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
    d_reaches_host_memory =
        attribute(CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM);
    d_watch = std::make_unique<device_watch>(
        "device " + std::to_string(index) + " (" + d_name + ")",
        [this](const std::string& what) {
            mark_broken(CUDA_ERROR_LAUNCH_TIMEOUT, what, damage::hangs);
        });
    GPUFFT_CUDA(cuDevicePrimaryCtxRetain(&d_context, device));
}

namespace {

// Never destroyed: the driver may be gone before static objects are destroyed.
std::mutex& s_contexts_mutex =
    free_at_forks(process_mutex::device_contexts, *new std::mutex);
auto& s_contexts = *new std::map<int, std::unique_ptr<device_context>>;

thread_local const device_context* s_scope = nullptr;

// GNU Radio names the thread of a block after the block.
std::string thread_name()
{
    char name[16] = {};
    pthread_getname_np(pthread_self(), name, sizeof(name));
    return name;
}

// Tests whether a context works.
CUresult probe_context(CUcontext context)
{
    CUresult result = cuda().cuCtxPushCurrent(context);
    if (result != CUDA_SUCCESS)
        return result;
    CUdeviceptr memory = 0;
    result = cuda().cuMemAlloc(&memory, 1);
    if (result == CUDA_SUCCESS)
        result = cuda().cuMemFree(memory);
    if (result == CUDA_SUCCESS)
        result = cuda().cuCtxSynchronize();
    CUcontext ignored = nullptr;
    cuda().cuCtxPopCurrent(&ignored);
    return result;
}

} // namespace

bool breaks_context(CUresult error)
{
    constexpr int CONTAINED = 226, TENSOR_MEMORY_LEAK = 721; // of newer headers
    switch (static_cast<int>(error)) {
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_NVLINK_UNCORRECTABLE:
    case CONTAINED:
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
    case TENSOR_MEMORY_LEAK:
    case CUDA_ERROR_MPS_CLIENT_TERMINATED:
    case CUDA_ERROR_EXTERNAL_DEVICE:
        return true;
    default:
        return false;
    }
}

device_context& device_context::get(int index)
{
    const std::lock_guard<std::mutex> lock(s_contexts_mutex);
    std::unique_ptr<device_context>& context = s_contexts[index];
    if (!context) {
        int count = 0;
        GPUFFT_CUDA(cuDeviceGetCount(&count));
        if (index < 0 || index >= count)
            throw std::invalid_argument("device " + std::to_string(index) +
                                        " is not one of 0 ... " +
                                        std::to_string(count - 1));
        context.reset(new device_context(index));
    }
    if (context->is_broken())
        context->renew();
    return *context;
}

std::string device_context::broken_reason(int index)
{
    const std::lock_guard<std::mutex> lock(s_contexts_mutex);
    const auto found = s_contexts.find(index);
    if (found == s_contexts.end() || !found->second || !found->second->is_broken())
        return "";
    const std::lock_guard<std::mutex> damage_lock(found->second->d_mutex);
    return found->second->describe_damage();
}

void device_context::mark_broken(int code, const std::string& what, damage how) const
{
    const std::lock_guard<std::mutex> lock(d_mutex);
    if (!d_broken) {
        d_first_code = code;
        d_first_error = what + ", in thread " + thread_name();
    }
    if (how == damage::hangs)
        d_hangs = true;
    d_broken = true;
}

std::string device_context::describe_damage() const
{
    return "the CUDA context of device " + std::to_string(d_index) +
           " broke earlier: " + d_first_error + "; " +
           (d_hangs ? "this process does not use the device any more"
                    : "the device is used again once all plans and blocks of this "
                      "process that were on it are gone");
}

void device_context::check_sound() const
{
    if (!d_broken)
        return;
    const std::lock_guard<std::mutex> lock(d_mutex);
    throw cuda_error(d_first_code, describe_damage());
}

// Takes a new context if nothing is left in the broken one. Needs s_contexts_mutex. After
// a kernel's invalid access NVIDIA's driver 580 gives no new context, whether the old one
// is released, reset, or left beside one of cuCtxCreate: only a new process helps.
void device_context::renew()
{
    if (d_hangs || d_guests > 0)
        check_sound();
    CUdevice device = 0;
    GPUFFT_CUDA(cuDeviceGet(&device, d_index));
    if (d_context != nullptr)
        cuda().cuDevicePrimaryCtxRelease(device); // may return the old error again
    d_context = nullptr;
    CUresult result = cuda().cuDevicePrimaryCtxRetain(&d_context, device);
    if (result == CUDA_SUCCESS)
        result = probe_context(d_context);
    const std::lock_guard<std::mutex> lock(d_mutex);
    if (result != CUDA_SUCCESS) // still the old context, if another library holds it
        throw cuda_error(d_first_code,
                         describe_damage() +
                             "; nothing is left of them, but its next context fails, "
                             "too: " +
                             describe_error(result) + "; restart the program");
    d_broken = false;
}

device_context::scope::scope(const device_context& context, purpose why)
    : d_guest(&context),
      d_outer(s_scope)
{
    // The guest comes first: a context that is sound now stays as long as its guest.
    if (why == purpose::to_use || context.d_hangs)
        context.check_sound();
    CUcontext now = nullptr;
    GPUFFT_CUDA(cuCtxGetCurrent(&now));
    d_pushed = now != context.d_context;
    if (d_pushed)
        GPUFFT_CUDA(cuCtxPushCurrent(context.d_context));
    s_scope = &context;
}

device_context::scope::~scope()
{
    s_scope = d_outer;
    CUcontext ignored = nullptr;
    if (d_pushed)
        cuda().cuCtxPopCurrent(&ignored);
}

const device_context* device_context::scope::current() { return s_scope; }

// True if the queried work is over.
static bool is_over(CUresult answer, const char* call)
{
    if (answer == CUDA_ERROR_NOT_READY)
        return false;
    check_cuda(answer, call, __FILE__, __LINE__);
    return true;
}

void device_context::wait_for(CUstream stream) const
{
    const scope here(*this, scope::purpose::to_release); // the driver may have to end it
    if (device_patience::seconds() == 0)
        GPUFFT_CUDA(cuStreamSynchronize(stream));
    else
        d_watch->wait(
            [=] { return is_over(cuda().cuStreamQuery(stream), "cuStreamQuery"); });
}

void device_context::wait_for(CUevent event) const
{
    const scope here(*this);
    if (device_patience::seconds() == 0)
        GPUFFT_CUDA(cuEventSynchronize(event));
    else
        d_watch->wait(
            [=] { return is_over(cuda().cuEventQuery(event), "cuEventQuery"); });
}

// Calls release(), which owns all that it needs, with the context current. Errors are
// ignored; memory in a context that hangs is left to the driver.
template <class Release>
static void release_in(const device_context& context, Release release) noexcept
{
    try {
        context.watch().call([&context, release] {
            const device_context::scope scope(context,
                                              device_context::scope::purpose::to_release);
            release();
        });
    } catch (const std::exception&) {
    }
}

void device_deleter::operator()(CUstream handle) const noexcept
{
    release_in(*owner.context(), [=] { cuda().cuStreamDestroy(handle); });
}

void device_deleter::operator()(CUevent handle) const noexcept
{
    release_in(*owner.context(), [=] { cuda().cuEventDestroy(handle); });
}

void device_deleter::operator()(CUmodule handle) const noexcept
{
    release_in(*owner.context(), [=] { cuda().cuModuleUnload(handle); });
}

stream_uptr make_stream(const device_context& context)
{
    return context.watch().call([&context] {
        const device_context::scope scope(context);
        CUstream handle = nullptr;
        GPUFFT_CUDA(cuStreamCreate(&handle, CU_STREAM_NON_BLOCKING));
        return stream_uptr(handle, { &context });
    });
}

event_uptr make_event(const device_context& context, unsigned flags)
{
    return context.watch().call([&context, flags] {
        const device_context::scope scope(context);
        CUevent handle = nullptr;
        GPUFFT_CUDA(cuEventCreate(&handle, flags));
        return event_uptr(handle, { &context });
    });
}

device_memory memory_of(const device_context& context)
{
    return context.watch().call([&context] {
        const device_context::scope scope(context);
        device_memory bytes;
        GPUFFT_CUDA(cuMemGetInfo(&bytes.free, &bytes.total));
        return bytes;
    });
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
      d_guest(std::move(other.d_guest)),
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
        release_in(*d_context, [kind = d_kind, address = d_address] {
            if (kind == memory_kind::device)
                cuda().cuMemFree(reinterpret_cast<CUdeviceptr>(address));
            else
                cuda().cuMemFreeHost(address);
        });
    d_guest = {};
    d_address = nullptr;
    d_bytes = 0;
}

void memory_buffer::reserve(std::size_t bytes)
{
    if (bytes <= d_bytes)
        return;
    release();
    const device_context::scope scope(*d_context);
    const auto [result, address] = allocate(bytes);
    if (result == CUDA_ERROR_OUT_OF_MEMORY) {
        const std::string asked = "out of memory: " + std::to_string(bytes);
        throw cuda_error(result,
                         d_kind == memory_kind::device
                             ? asked + " bytes of device memory were requested; " +
                                   describe_memory(*d_context)
                             : asked + " bytes of pinned host memory were requested");
    }
    check_cuda(result, "cuMemAlloc or cuMemAllocHost", __FILE__, __LINE__);
    d_guest = d_context;
    d_address = address;
    d_bytes = bytes;
}

std::pair<CUresult, void*> memory_buffer::allocate(std::size_t bytes) const
{
    if (d_kind == memory_kind::device && bytes > s_most_bytes)
        return { CUDA_ERROR_OUT_OF_MEMORY, nullptr };
    return d_context->watch().call([&context = *d_context, kind = d_kind, bytes] {
        const device_context::scope scope(context);
        std::pair<CUresult, void*> made;
        if (kind == memory_kind::pinned) {
            made.first = cuda().cuMemAllocHost(&made.second, bytes);
        } else {
            CUdeviceptr address = 0;
            made.first = cuda().cuMemAlloc(&address, bytes);
            made.second = reinterpret_cast<void*>(address);
        }
        return made;
    });
}

} // namespace gpufft
} // namespace gr
