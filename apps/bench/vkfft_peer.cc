// SPDX-License-Identifier: GPL-3.0-or-later
//
// Opens the library that holds VkFFT, which lies beside the program.

#include "vkfft_peer.h"
#include "load_symbol.h"
#include "plain_problem.h"
#include "vkfft_module.h"
#include <algorithm>
#include <dlfcn.h>
#include <filesystem>
#include <stdexcept>
#include <vector>

namespace gr {
namespace gpufft {

namespace {

struct vkfft_library {
    decltype(&gpufft_vkfft_make) make = nullptr;
    decltype(&gpufft_vkfft_queue) queue = nullptr;
    decltype(&gpufft_vkfft_destroy) destroy = nullptr;
    decltype(&gpufft_vkfft_version) version = nullptr;
    std::string reason; // why there is none, empty if there is
};

vkfft_library open_library()
{
    vkfft_library library;
    std::error_code ignored;
    const std::filesystem::path program =
        std::filesystem::read_symlink("/proc/self/exe", ignored);
    const std::string path = program.parent_path() / "libgpufft-vkfft.so";
    void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
        const char* text = dlerror();
        library.reason = text != nullptr ? text : path + " does not load";
    } else if (!load_symbol(handle, "gpufft_vkfft_make", library.make) ||
               !load_symbol(handle, "gpufft_vkfft_queue", library.queue) ||
               !load_symbol(handle, "gpufft_vkfft_destroy", library.destroy) ||
               !load_symbol(handle, "gpufft_vkfft_version", library.version)) {
        library.reason = path + " is from another build";
    }
    return library;
}

const vkfft_library& find_vkfft()
{
    static const vkfft_library library = open_library();
    return library;
}

const vkfft_library& vkfft()
{
    if (!find_vkfft().reason.empty())
        throw std::runtime_error("VkFFT is absent: " + find_vkfft().reason);
    return find_vkfft();
}

gpufft_vkfft_request make_request(const problem& what,
                                  int device,
                                  CUdeviceptr input,
                                  CUdeviceptr output,
                                  CUstream stream)
{
    gpufft_vkfft_request request = {};
    request.device = device;
    const std::vector<std::size_t> axes = what.axes();
    request.axes = static_cast<int>(axes.size());
    std::reverse_copy(axes.begin(), axes.end(), request.lengths);
    request.batch = what.batch;
    const kind_properties& kind = properties_of(what.kind);
    request.dct = kind.is_sine ? 0 : kind.type;
    request.dst = kind.is_sine ? kind.type : 0;
    request.r2c = what.kind == transform_kind::r2c || what.kind == transform_kind::c2r;
    request.inverse = what.dir == direction::inverse || what.kind == transform_kind::c2r;
    request.is_double = what.is_double();
    request.dev_buffer = reinterpret_cast<void*>(output);
    if (input != output && what.kind == transform_kind::c2r) { // bins in the buffer
        request.dev_buffer = reinterpret_cast<void*>(input);
        request.dev_output = reinterpret_cast<void*>(output);
    } else if (input != output) {
        request.dev_input = reinterpret_cast<void*>(input);
    }
    request.bytes = what.batch * std::max(what.frame_samples() * what.input_item_bytes(),
                                          what.row_bins() * what.output_item_bytes());
    request.stream = stream;
    return request;
}

} // namespace

std::string vkfft_version()
{
    if (!find_vkfft().reason.empty())
        return "absent";
    const int version = find_vkfft().version();
    return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) +
           "." + std::to_string(version % 100);
}

std::string vkfft_obstacle() { return find_vkfft().reason; }

bool vkfft_takes(const problem& what)
{
    return is_plain(what) &&
           (!what.is_real_to_real() || properties_of(what.kind).type > 0);
}

std::string
vkfft_compile(const problem& what, int device, CUdeviceptr input, CUdeviceptr output)
{
    std::string compiled;
    gpufft_vkfft_request request = make_request(what, device, input, output, nullptr);
    request.where = &compiled;
    request.save = [](void* where, const void* data, std::size_t bytes) {
        static_cast<std::string*>(where)->assign(static_cast<const char*>(data), bytes);
    };
    const char* error = nullptr;
    void* plan = vkfft().make(&request, &error);
    if (plan != nullptr)
        vkfft().destroy(plan);
    return compiled;
}

vkfft_peer::vkfft_peer(const problem& what,
                       int device,
                       CUdeviceptr input,
                       CUdeviceptr output,
                       CUstream stream,
                       const std::string& compiled)
{
    gpufft_vkfft_request request = make_request(what, device, input, output, stream);
    request.compiled = compiled.empty() ? nullptr : compiled.data();
    const char* error = nullptr;
    d_plan = vkfft().make(&request, &error);
    if (d_plan == nullptr && request.compiled != nullptr) {
        request.compiled = nullptr;
        d_plan = vkfft().make(&request, &error);
    }
    if (d_plan == nullptr)
        throw std::runtime_error(std::string("initializeVkFFT failed: ") + error);
}

vkfft_peer::~vkfft_peer() { vkfft().destroy(d_plan); }

void vkfft_peer::queue()
{
    if (const char* error = vkfft().queue(d_plan))
        throw std::runtime_error(std::string("VkFFTAppend failed: ") + error);
}

} // namespace gpufft
} // namespace gr
