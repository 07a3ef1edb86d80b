// SPDX-License-Identifier: GPL-3.0-or-later
//
// The NVIDIA driver (libcuda.so.1), opened at run time, so that the library also loads on
// a machine that has none. Every call goes through GPUFFT_CUDA, which checks it.

#ifndef INCLUDED_GPUFFT_CUDA_DRIVER_H
#define INCLUDED_GPUFFT_CUDA_DRIVER_H

#include <cuda.h>
#include <string>

namespace gr {
namespace gpufft {

// The driver's functions that this module uses. cuda.h maps some names to versioned
// symbols (cuMemAlloc is cuMemAlloc_v2); the macro passes on the mapped names.
#define GPUFFT_DRIVER_FUNCTIONS(X)                                                       \
    X(cuInit)                                                                            \
    X(cuDriverGetVersion)                                                                \
    X(cuGetErrorName)                                                                    \
    X(cuGetErrorString)                                                                  \
    X(cuDeviceGetCount)                                                                  \
    X(cuDeviceGet)                                                                       \
    X(cuDeviceGetName)                                                                   \
    X(cuDeviceTotalMem)                                                                  \
    X(cuDeviceGetAttribute)                                                              \
    X(cuDevicePrimaryCtxRetain)                                                          \
    X(cuDevicePrimaryCtxRelease)                                                         \
    X(cuCtxGetCurrent)                                                                   \
    X(cuCtxPushCurrent)                                                                  \
    X(cuCtxPopCurrent)                                                                   \
    X(cuCtxSynchronize)                                                                  \
    X(cuModuleLoadData)                                                                  \
    X(cuModuleUnload)                                                                    \
    X(cuModuleGetFunction)                                                               \
    X(cuModuleGetGlobal)                                                                 \
    X(cuFuncSetAttribute)                                                                \
    X(cuFuncGetAttribute)                                                                \
    X(cuOccupancyMaxActiveBlocksPerMultiprocessor)                                       \
    X(cuOccupancyMaxActiveClusters)                                                      \
    X(cuLaunchKernel)                                                                    \
    X(cuLaunchKernelEx)                                                                  \
    X(cuStreamCreate)                                                                    \
    X(cuStreamDestroy)                                                                   \
    X(cuStreamQuery)                                                                     \
    X(cuStreamSynchronize)                                                               \
    X(cuStreamWaitEvent)                                                                 \
    X(cuEventCreate)                                                                     \
    X(cuEventDestroy)                                                                    \
    X(cuEventElapsedTime)                                                                \
    X(cuMemsetD8)                                                                        \
    X(cuMemsetD32Async)                                                                  \
    X(cuEventRecord)                                                                     \
    X(cuEventQuery)                                                                      \
    X(cuEventSynchronize)                                                                \
    X(cuMemGetInfo)                                                                      \
    X(cuPointerGetAttribute)                                                             \
    X(cuDeviceCanAccessPeer)                                                             \
    X(cuCtxEnablePeerAccess)                                                             \
    X(cuMemGetAllocationGranularity)                                                     \
    X(cuMemCreate)                                                                       \
    X(cuMemRelease)                                                                      \
    X(cuMemAddressReserve)                                                               \
    X(cuMemAddressFree)                                                                  \
    X(cuMemMap)                                                                          \
    X(cuMemUnmap)                                                                        \
    X(cuMemSetAccess)                                                                    \
    X(cuMemAlloc)                                                                        \
    X(cuMemFree)                                                                         \
    X(cuMemAllocHost)                                                                    \
    X(cuMemFreeHost)                                                                     \
    X(cuMemHostRegister)                                                                 \
    X(cuMemHostUnregister)                                                               \
    X(cuMemcpyAsync)                                                                     \
    X(cuMemcpy2DAsync)                                                                   \
    X(cuMemcpy3DPeerAsync)                                                               \
    X(cuMemcpyHtoD)                                                                      \
    X(cuMemcpyDtoH)                                                                      \
    X(cuMemcpyDtoHAsync)

struct driver {
#define GPUFFT_DECLARE(name) decltype(&::name) name = nullptr;
    GPUFFT_DRIVER_FUNCTIONS(GPUFFT_DECLARE)
#undef GPUFFT_DECLARE

    int version = 0;    // CUDA version that the driver supports, e.g. 13000
    std::string reason; // why the driver is not usable, in one sentence; else empty
};

// The driver, opened and initialised once in a process. If that fails, `reason` says why,
// and later calls try again (see lasting.h).
const driver& find_driver();

// The same, but throws cuda_error with the reason if the driver is not usable.
const driver& cuda();

// "CUDA_ERROR_NO_DEVICE (100), no CUDA-capable device is detected"
std::string describe_error(CUresult result);

// Throws cuda_error unless result is CUDA_SUCCESS. An error that breaks the context (see
// device.h) is stored with the context; if the context broke before, the exception has
// the first error.
void check_cuda(CUresult result, const char* call, const char* file, int line);

// "13.0" for 13000.
std::string cuda_version_string(int version);

} // namespace gpufft
} // namespace gr

// Calls a driver function and throws cuda_error if it fails:
// GPUFFT_CUDA(cuMemFree(address)).
#define GPUFFT_CUDA(call)                                                                \
    ::gr::gpufft::check_cuda(::gr::gpufft::cuda().call, #call, __FILE__, __LINE__)

#endif
