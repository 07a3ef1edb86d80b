// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the cuda engine finds on this machine.

#include "driver.h"
#include "lasting.h"
#include "nvrtc.h"
#include <gnuradio/gpufft/engine.h>

namespace gr {
namespace gpufft {

static cuda_device_info describe_device(int index)
{
    cuda_device_info info;
    CUdevice device = 0;
    GPUFFT_CUDA(cuDeviceGet(&device, index));
    const auto attribute = [device](CUdevice_attribute which) {
        int value = 0;
        GPUFFT_CUDA(cuDeviceGetAttribute(&value, which, device));
        return value;
    };
    char name[256] = {};
    GPUFFT_CUDA(cuDeviceGetName(name, sizeof(name), device));
    info.index = index;
    info.name = name;
    info.compute_major = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    info.compute_minor = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    info.multiprocessors = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    info.l2_bytes = attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
    info.shared_bytes_per_block =
        attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    GPUFFT_CUDA(cuDeviceTotalMem(&info.memory_bytes, device));
    return info;
}

static cuda_status query()
{
    cuda_status status;
    status.built = true;
    try {
        // Each part is reported even if another one is missing.
        const nvrtc_library& compiler = find_nvrtc();
        if (compiler.reason.empty()) {
            status.nvrtc = cuda_version_string(compiler.version);
            status.nvrtc_file = compiler.file;
        }
        if (find_driver().version > 0)
            status.driver = cuda_version_string(find_driver().version);
        int count = 0;
        GPUFFT_CUDA(cuDeviceGetCount(&count));
        for (int index = 0; index < count; ++index)
            status.devices.push_back(describe_device(index));
        status.reason = count > 0 ? compiler.reason : "there is no NVIDIA GPU";
    } catch (const std::exception& error) {
        status.reason = error.what();
    }
    status.usable = status.reason.empty();
    return status;
}

static auto& s_status = *new lasting<cuda_status>(process_mutex::cards);

const cuda_status& query_cuda() { return s_status.get(query); }

} // namespace gpufft
} // namespace gr
