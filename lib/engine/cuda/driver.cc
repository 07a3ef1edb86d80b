// SPDX-License-Identifier: GPL-3.0-or-later
//
// Opens the NVIDIA driver and turns its error codes into exceptions.

#include "device.h"
#include "lasting.h"
#include <cstring>
#include <dlfcn.h>
#include <gnuradio/gpufft/engine.h>

namespace gr {
namespace gpufft {

#define GPUFFT_STRINGIFY_EXPANDED(name) #name
#define GPUFFT_STRINGIFY(name) GPUFFT_STRINGIFY_EXPANDED(name)

static std::string describe_error(const driver& functions, CUresult result)
{
    const char* name = nullptr;
    const char* text = nullptr;
    functions.cuGetErrorName(result, &name);
    functions.cuGetErrorString(result, &text);
    return std::string(name != nullptr ? name : "unknown error") + " (" +
           std::to_string(result) + ")" + (text != nullptr ? ", " : "") +
           (text != nullptr ? text : "");
}

static driver open_driver()
{
    driver found;
    void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        found.reason = "no NVIDIA driver: libcuda.so.1 was not found";
        return found;
    }
#define GPUFFT_LOAD(name)                                                                \
    found.name =                                                                         \
        reinterpret_cast<decltype(found.name)>(dlsym(library, GPUFFT_STRINGIFY(name)));  \
    if (found.name == nullptr) {                                                         \
        found.reason =                                                                   \
            "the NVIDIA driver is too old: it has no " GPUFFT_STRINGIFY(name);           \
        return found;                                                                    \
    }
    GPUFFT_DRIVER_FUNCTIONS(GPUFFT_LOAD)
#undef GPUFFT_LOAD

    const CUresult result = found.cuInit(0);
    if (result != CUDA_SUCCESS)
        found.reason =
            "the NVIDIA driver does not start: " + describe_error(found, result);
    else
        found.cuDriverGetVersion(&found.version);
    return found;
}

static auto& s_driver = *new lasting<driver>(process_mutex::driver);

const driver& find_driver() { return s_driver.get(open_driver); }

const driver& cuda()
{
    const driver& found = find_driver();
    if (!found.reason.empty())
        throw cuda_error(CUDA_ERROR_NOT_INITIALIZED, found.reason);
    return found;
}

void check_cuda(CUresult result, const char* call, const char* file, int line)
{
    if (result == CUDA_SUCCESS)
        return;
    const char* slash = std::strrchr(file, '/');
    const std::string what = std::string(call) + " failed: " + describe_error(result) +
                             " [" + (slash != nullptr ? slash + 1 : file) + ":" +
                             std::to_string(line) + "]";
    const device_context* context = device_context::scope::current();
    if (context != nullptr && breaks_context(result)) {
        context->check_sound();
        context->mark_broken(result, what, device_context::damage::failed);
    }
    throw cuda_error(result, what);
}

std::string describe_error(CUresult result) { return describe_error(cuda(), result); }

std::string cuda_version_string(int version)
{
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

} // namespace gpufft
} // namespace gr
