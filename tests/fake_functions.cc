// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the driver's functions do without a card.

#include "engine/cuda/driver.h"
#include "fake_card.h"
#include "planner/card.h"
#include <cstring>

namespace gr {
namespace gpufft {

namespace {

thread_local std::vector<CUcontext> s_current;

int attribute(CUdevice_attribute which)
{
    const device_traits card; // an H200
    switch (which) {
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
        return 9;
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
        return card.multiprocessors;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
        return int(card.shared_bytes);
    case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR:
        return card.registers;
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR:
        return card.threads;
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR:
        return card.blocks;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR:
        return int(card.multiprocessor_shared_bytes);
    case CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK:
        return int(card.reserved_shared_bytes);
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK:
        return 48 << 10;
    case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE:
        return int(card.l2_bytes);
    default:
        return 0;
    }
}

// What is not in the table below: a call in the context, which does nothing.
enum function_index {
#define GPUFFT_INDEX(name) AT_##name,
    GPUFFT_DRIVER_FUNCTIONS(GPUFFT_INDEX)
#undef GPUFFT_INDEX
};

const char* const NAMES[] = {
#define GPUFFT_NAME_EXPANDED(name) #name,
#define GPUFFT_NAME(name) GPUFFT_NAME_EXPANDED(name)
    GPUFFT_DRIVER_FUNCTIONS(GPUFFT_NAME)
};

template <int INDEX, class Function>
struct idle;

template <int INDEX, class... Arguments>
struct idle<INDEX, CUresult (*)(Arguments...)> {
    static CUresult call(Arguments...)
    {
        const guard lock(s_card.mutex);
        return enter(NAMES[INDEX]);
    }
};

template <class Function>
void* as_pointer(Function* function)
{
    return reinterpret_cast<void*>(function);
}

// A function of the driver's type that does what the lambda does.
#define GPUFFT_FAKE(name, ...)                                                           \
    {                                                                                    \
        NAMES[AT_##name], as_pointer(static_cast<decltype(&::name)>(__VA_ARGS__))        \
    }

std::map<std::string, void*> make_table()
{
    std::map<std::string, void*> table = {
#define GPUFFT_IDLE(name)                                                                \
    { NAMES[AT_##name], as_pointer(&idle<AT_##name, decltype(&::name)>::call) },
        GPUFFT_DRIVER_FUNCTIONS(GPUFFT_IDLE)
    };
    const std::map<std::string, void*> special = {
        GPUFFT_FAKE(cuInit, [](unsigned) { return s_card.start; }),
        GPUFFT_FAKE(cuDriverGetVersion,
                    [](int* version) {
                        *version = 99000; // every NVRTC fits
                        return CUDA_SUCCESS;
                    }),
        GPUFFT_FAKE(cuGetErrorName,
                    [](CUresult error, const char** text) {
                        *text = error == CUDA_ERROR_MISALIGNED_ADDRESS
                                    ? "CUDA_ERROR_MISALIGNED_ADDRESS"
                                    : "CUDA_ERROR";
                        return CUDA_SUCCESS;
                    }),
        GPUFFT_FAKE(cuGetErrorString,
                    [](CUresult, const char** text) {
                        *text = "an error";
                        return CUDA_SUCCESS;
                    }),
        GPUFFT_FAKE(cuDeviceGetCount,
                    [](int* count) {
                        *count = 1;
                        return CUDA_SUCCESS;
                    }),
        GPUFFT_FAKE(cuDeviceGet,
                    [](CUdevice* device, int index) {
                        *device = index;
                        return CUDA_SUCCESS;
                    }),
        GPUFFT_FAKE(cuDeviceGetName,
                    [](char* name, int bytes, CUdevice) {
                        std::strncpy(name, "fake card", bytes);
                        return CUDA_SUCCESS;
                    }),
        GPUFFT_FAKE(cuDeviceTotalMem,
                    [](std::size_t* bytes, CUdevice) {
                        *bytes = std::size_t(80) << 30;
                        return CUDA_SUCCESS;
                    }),
        GPUFFT_FAKE(cuDeviceGetAttribute,
                    [](int* value, CUdevice_attribute which, CUdevice) {
                        *value = attribute(which);
                        return CUDA_SUCCESS;
                    }),
        GPUFFT_FAKE(cuDevicePrimaryCtxRetain,
                    [](CUcontext* context, CUdevice) {
                        const guard lock(s_card.mutex);
                        *context = reinterpret_cast<CUcontext>(&s_card.context);
                        return retain();
                    }),
        GPUFFT_FAKE(cuDevicePrimaryCtxRelease,
                    [](CUdevice) {
                        const guard lock(s_card.mutex);
                        const CUresult result = s_card.broken;
                        let_go();
                        return result;
                    }),
        GPUFFT_FAKE(cuCtxGetCurrent,
                    [](CUcontext* context) {
                        *context = s_current.empty() ? nullptr : s_current.back();
                        return CUDA_SUCCESS;
                    }),
        GPUFFT_FAKE(cuCtxPushCurrent,
                    [](CUcontext context) {
                        s_current.push_back(context);
                        return CUDA_SUCCESS;
                    }),
        GPUFFT_FAKE(cuCtxPopCurrent,
                    [](CUcontext* context) {
                        *context = s_current.back();
                        s_current.pop_back();
                        return CUDA_SUCCESS;
                    }),
        GPUFFT_FAKE(cuModuleLoadData,
                    [](CUmodule* module, const void*) {
                        return make("cuModuleLoadData", module);
                    }),
        GPUFFT_FAKE(cuModuleUnload,
                    [](CUmodule module) { return release("cuModuleUnload", module); }),
        GPUFFT_FAKE(cuFuncGetAttribute,
                    [](int* value, CUfunction_attribute, CUfunction) {
                        *value = 0;
                        return CUDA_SUCCESS;
                    }),
        GPUFFT_FAKE(cuOccupancyMaxActiveBlocksPerMultiprocessor,
                    [](int* blocks, CUfunction, int, std::size_t) {
                        *blocks = 8;
                        return CUDA_SUCCESS;
                    }),
        GPUFFT_FAKE(cuLaunchKernelEx,
                    [](const CUlaunchConfig* launch, CUfunction, void**, void**) {
                        const guard lock(s_card.mutex);
                        const CUresult result = enter("cuLaunchKernelEx");
                        use("cuLaunchKernelEx", launch->hStream);
                        if (result == CUDA_SUCCESS)
                            s_card.broken =
                                std::exchange(s_card.breaks_at_launch, CUDA_SUCCESS);
                        return result;
                    }),
        GPUFFT_FAKE(
            cuStreamCreate,
            [](CUstream* stream, unsigned) { return make("cuStreamCreate", stream); }),
        GPUFFT_FAKE(cuStreamDestroy,
                    [](CUstream stream) { return release("cuStreamDestroy", stream); }),
        GPUFFT_FAKE(
            cuEventCreate,
            [](CUevent* event, unsigned) { return make("cuEventCreate", event); }),
        GPUFFT_FAKE(cuEventDestroy,
                    [](CUevent event) { return release("cuEventDestroy", event); }),
        GPUFFT_FAKE(cuMemGetInfo,
                    [](std::size_t* free, std::size_t* total) {
                        *free = *total = std::size_t(80) << 30;
                        return CUDA_SUCCESS;
                    }),
        GPUFFT_FAKE(cuMemGetAllocationGranularity,
                    [](std::size_t* bytes,
                       const CUmemAllocationProp*,
                       CUmemAllocationGranularity_flags) {
                        *bytes = std::size_t(2) << 20;
                        return CUDA_SUCCESS;
                    }),
        GPUFFT_FAKE(cuMemAlloc,
                    [](CUdeviceptr* address, std::size_t bytes) {
                        void* memory = nullptr;
                        const CUresult result =
                            make(NAMES[AT_cuMemAlloc], &memory, bytes);
                        *address = reinterpret_cast<CUdeviceptr>(memory);
                        return result;
                    }),
        GPUFFT_FAKE(cuMemFree,
                    [](CUdeviceptr address) {
                        return release(NAMES[AT_cuMemFree],
                                       reinterpret_cast<const void*>(address));
                    }),
        GPUFFT_FAKE(cuMemAllocHost,
                    [](void** address, std::size_t bytes) {
                        return make(NAMES[AT_cuMemAllocHost], address, bytes);
                    }),
        GPUFFT_FAKE(cuMemFreeHost,
                    [](void* address) { return release("cuMemFreeHost", address); }),
        GPUFFT_FAKE(cuMemcpyHtoD,
                    [](CUdeviceptr to, const void* from, std::size_t bytes) {
                        const void* there = reinterpret_cast<const void*>(to);
                        return copy(NAMES[AT_cuMemcpyHtoD], there, from, there, bytes);
                    }),
        GPUFFT_FAKE(cuMemcpyAsync,
                    [](CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream) {
                        const void* there = reinterpret_cast<const void*>(to);
                        const void* here = reinterpret_cast<const void*>(from);
                        return copy(NAMES[AT_cuMemcpyAsync], there, here, there, bytes);
                    }),
        GPUFFT_FAKE(cuMemcpyDtoHAsync,
                    [](void* to, CUdeviceptr from, std::size_t bytes, CUstream) {
                        const void* there = reinterpret_cast<const void*>(from);
                        return copy(NAMES[AT_cuMemcpyDtoHAsync], to, there, there, bytes);
                    }),
    };
    for (const auto& [name, function] : special)
        table[name] = function;
    return table;
}

} // namespace

// The functions by their names; nullptr for one that the library does not use.
void* fake_function(const char* name)
{
    static const auto table = make_table();
    const auto found = table.find(name);
    return found == table.end() ? nullptr : found->second;
}

} // namespace gpufft
} // namespace gr

// The names are the linker's.
extern "C" void* __real_dlopen(const char* name, int flags);
extern "C" void* __real_dlsym(void* library, const char* symbol);

static char s_library; // its address is the handle of the fake

extern "C" void* __wrap_dlopen(const char* name, int flags)
{
    if (name != nullptr && std::strcmp(name, "libcuda.so.1") == 0)
        return &s_library;
    return __real_dlopen(name, flags);
}

extern "C" void* __wrap_dlsym(void* library, const char* symbol)
{
    if (library != &s_library)
        return __real_dlsym(library, symbol);
    return gr::gpufft::fake_function(symbol);
}
