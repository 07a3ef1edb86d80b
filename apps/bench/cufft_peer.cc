// SPDX-License-Identifier: GPL-3.0-or-later
//
// The functions of cuFFT that are needed, with the types of its C interface written out,
// so that its header is not.

#include "cufft_peer.h"
#include <dlfcn.h>
#include <stdexcept>

namespace gr {
namespace gpufft {

namespace {

constexpr int CUFFT_C2C = 0x29;
constexpr int CUFFT_FORWARD = -1;
constexpr int CUFFT_INVERSE = 1;

struct cufft_library {
    int (*get_version)(int*) = nullptr;
    int (*create)(int*) = nullptr;
    int (*make_plan_many)(int,
                          int,
                          long long*,
                          long long*,
                          long long,
                          long long,
                          long long*,
                          long long,
                          long long,
                          int,
                          long long,
                          std::size_t*) = nullptr;
    int (*set_stream)(int, CUstream) = nullptr;
    int (*execute)(int, void*, void*, int) = nullptr;
    int (*destroy)(int) = nullptr;
    bool found = false;
};

template <class Function>
bool load(void* handle, const char* name, Function*& function)
{
    function = reinterpret_cast<Function*>(dlsym(handle, name));
    return function != nullptr;
}

const cufft_library& cufft()
{
    static const cufft_library library = [] {
        cufft_library opened;
        for (const std::string folder : { "", "/usr/local/cuda/lib64/" })
            for (const char* name :
                 { "libcufft.so.12", "libcufft.so.11", "libcufft.so" }) {
                void* handle = dlopen((folder + name).c_str(), RTLD_LAZY | RTLD_LOCAL);
                if (handle != nullptr &&
                    load(handle, "cufftGetVersion", opened.get_version) &&
                    load(handle, "cufftCreate", opened.create) &&
                    load(handle, "cufftMakePlanMany64", opened.make_plan_many) &&
                    load(handle, "cufftSetStream", opened.set_stream) &&
                    load(handle, "cufftExecC2C", opened.execute) &&
                    load(handle, "cufftDestroy", opened.destroy)) {
                    opened.found = true;
                    return opened;
                }
            }
        return opened;
    }();
    return library;
}

void check(int result, const char* call)
{
    if (result != 0)
        throw std::runtime_error(std::string(call) + " failed: cuFFT error " +
                                 std::to_string(result));
}

} // namespace

std::string cufft_version()
{
    int version = 0;
    if (!cufft().found || cufft().get_version(&version) != 0)
        return "absent";
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 100) +
           "." + std::to_string(version % 100);
}

cufft_peer::cufft_peer(std::size_t n, std::size_t batch, CUstream stream, direction dir)
    : d_direction(dir)
{
    if (!cufft().found)
        throw std::runtime_error("cuFFT was not found");
    check(cufft().create(&d_plan), "cufftCreate");
    try {
        long long length = static_cast<long long>(n);
        std::size_t scratch_bytes = 0;
        check(cufft().make_plan_many(d_plan,
                                     1,
                                     &length,
                                     nullptr,
                                     1,
                                     length,
                                     nullptr,
                                     1,
                                     length,
                                     CUFFT_C2C,
                                     static_cast<long long>(batch),
                                     &scratch_bytes),
              "cufftMakePlanMany64");
        check(cufft().set_stream(d_plan, stream), "cufftSetStream");
    } catch (...) {
        cufft().destroy(d_plan);
        throw;
    }
}

cufft_peer::~cufft_peer() { cufft().destroy(d_plan); }

void cufft_peer::queue(CUdeviceptr input, CUdeviceptr output)
{
    check(cufft().execute(d_plan,
                          reinterpret_cast<void*>(input),
                          reinterpret_cast<void*>(output),
                          d_direction == direction::forward ? CUFFT_FORWARD
                                                            : CUFFT_INVERSE),
          "cufftExecC2C");
}

} // namespace gpufft
} // namespace gr
