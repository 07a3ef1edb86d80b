// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plans of VkFFT, which is header-only.

#include "vkfft_module.h"
#include <cstdint>
#include <cuda.h>
#include <cuda_runtime.h>
#include <memory>
#include <nvrtc.h>
#include <vkFFT.h>

namespace {

// VkFFT keeps pointers to all of this.
struct vkfft_plan {
    VkFFTApplication application = {};
    CUdevice device = 0;
    cudaStream_t stream = nullptr;
    void* input = nullptr;
    void* buffer = nullptr;
    void* output = nullptr;
    std::uint64_t bytes = 0;
    int sign = -1;

    vkfft_plan() = default;
    vkfft_plan(const vkfft_plan&) = delete;
    vkfft_plan& operator=(const vkfft_plan&) = delete;
    ~vkfft_plan() { deleteVkFFT(&application); }
};

VkFFTConfiguration configure(const gpufft_vkfft_request& request, vkfft_plan& plan)
{
    VkFFTConfiguration configuration = {};
    configuration.FFTdim = request.axes;
    for (int axis = 0; axis < request.axes; ++axis)
        configuration.size[axis] = request.lengths[axis];
    configuration.numberBatches = request.batch;
    configuration.performR2C = request.r2c;
    configuration.performDCT = request.dct;
    configuration.performDST = request.dst;
    configuration.doublePrecision = request.is_double;
    configuration.device = &plan.device;
    configuration.stream = &plan.stream;
    configuration.num_streams = 1;
    configuration.buffer = &plan.buffer;
    configuration.bufferSize = &plan.bytes;
    if (plan.input != nullptr) {
        configuration.isInputFormatted = 1;
        configuration.inputBuffer = &plan.input;
        configuration.inputBufferSize = &plan.bytes;
    }
    if (plan.output != nullptr) {
        configuration.isOutputFormatted = 1;
        configuration.outputBuffer = &plan.output;
        configuration.outputBufferSize = &plan.bytes;
    }
    configuration.saveApplicationToString = request.save != nullptr;
    configuration.loadApplicationFromString = request.compiled != nullptr;
    configuration.loadApplicationString = const_cast<void*>(request.compiled);
    return configuration;
}

} // namespace

void* gpufft_vkfft_make(const gpufft_vkfft_request* request, const char** error)
{
    auto plan = std::make_unique<vkfft_plan>();
    plan->stream = static_cast<cudaStream_t>(request->stream);
    plan->input = request->dev_input;
    plan->buffer = request->dev_buffer;
    plan->output = request->dev_output;
    plan->bytes = request->bytes;
    plan->sign = request->inverse ? 1 : -1;
    if (cuDeviceGet(&plan->device, request->device) != CUDA_SUCCESS) {
        *error = "cuDeviceGet failed";
        return nullptr;
    }
    const VkFFTResult result =
        initializeVkFFT(&plan->application, configure(*request, *plan));
    if (result != VKFFT_SUCCESS) {
        plan->application = {}; // initializeVkFFT has deleted what it had made
        *error = getVkFFTErrorString(result);
        return nullptr;
    }
    if (request->save != nullptr)
        request->save(request->where,
                      plan->application.saveApplicationString,
                      plan->application.applicationStringSize);
    return plan.release();
}

const char* gpufft_vkfft_queue(void* handle)
{
    auto* plan = static_cast<vkfft_plan*>(handle);
    VkFFTLaunchParams launch = {};
    launch.buffer = &plan->buffer;
    launch.inputBuffer = plan->input != nullptr ? &plan->input : nullptr;
    launch.outputBuffer = plan->output != nullptr ? &plan->output : nullptr;
    const VkFFTResult result = VkFFTAppend(&plan->application, plan->sign, &launch);
    return result == VKFFT_SUCCESS ? nullptr : getVkFFTErrorString(result);
}

void gpufft_vkfft_destroy(void* plan) { delete static_cast<vkfft_plan*>(plan); }

int gpufft_vkfft_version() { return VkFFTGetVersion(); }
