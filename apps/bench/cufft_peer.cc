// SPDX-License-Identifier: GPL-3.0-or-later
//
// The functions of cuFFT that are needed, with the types of its C interface written out,
// so that its header is not.

#include "cufft_peer.h"
#include "load_symbol.h"
#include "plain_problem.h"
#include <dlfcn.h>
#include <stdexcept>
#include <vector>

namespace gr {
namespace gpufft {

namespace {

// Types of transforms, first in single and then in double precision.
constexpr int CUFFT_R2C[] = { 0x2a, 0x6a };
constexpr int CUFFT_C2R[] = { 0x2c, 0x6c };
constexpr int CUFFT_C2C[] = { 0x29, 0x69 };
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
    int (*execute_r2c[2])(int, void*, void*) = {};
    int (*execute_c2r[2])(int, void*, void*) = {};
    int (*execute_c2c[2])(int, void*, void*, int) = {};
    int (*destroy)(int) = nullptr;
    bool found = false;
};

const cufft_library& cufft()
{
    static const cufft_library library = [] {
        cufft_library opened;
        for (const std::string folder : { "", "/usr/local/cuda/lib64/" })
            for (const char* name :
                 { "libcufft.so.12", "libcufft.so.11", "libcufft.so" }) {
                void* handle = dlopen((folder + name).c_str(), RTLD_LAZY | RTLD_LOCAL);
                if (handle != nullptr &&
                    load_symbol(handle, "cufftGetVersion", opened.get_version) &&
                    load_symbol(handle, "cufftCreate", opened.create) &&
                    load_symbol(handle, "cufftMakePlanMany64", opened.make_plan_many) &&
                    load_symbol(handle, "cufftSetStream", opened.set_stream) &&
                    load_symbol(handle, "cufftExecR2C", opened.execute_r2c[0]) &&
                    load_symbol(handle, "cufftExecD2Z", opened.execute_r2c[1]) &&
                    load_symbol(handle, "cufftExecC2R", opened.execute_c2r[0]) &&
                    load_symbol(handle, "cufftExecZ2D", opened.execute_c2r[1]) &&
                    load_symbol(handle, "cufftExecC2C", opened.execute_c2c[0]) &&
                    load_symbol(handle, "cufftExecZ2Z", opened.execute_c2c[1]) &&
                    load_symbol(handle, "cufftDestroy", opened.destroy)) {
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

bool cufft_takes(const problem& what)
{
    return is_plain(what) && !what.is_real_to_real();
}

cufft_peer::cufft_peer(const problem& what, CUstream stream)
    : d_kind(what.kind),
      d_direction(what.dir),
      d_is_double(what.is_double())
{
    if (!cufft().found)
        throw std::runtime_error("cuFFT was not found");
    const auto& types = what.kind == transform_kind::r2c   ? CUFFT_R2C
                        : what.kind == transform_kind::c2r ? CUFFT_C2R
                                                           : CUFFT_C2C;
    const std::vector<std::size_t> axes = what.axes();
    std::vector<long long> lengths(axes.begin(), axes.end());
    const bool overlaps = what.effective_hop() != what.frame_samples();
    long long* const embedded = overlaps ? lengths.data() : nullptr; // null: without gaps
    check(cufft().create(&d_plan), "cufftCreate");
    try {
        std::size_t scratch_bytes = 0;
        check(cufft().make_plan_many(d_plan,
                                     static_cast<int>(lengths.size()),
                                     lengths.data(),
                                     embedded,
                                     1,
                                     static_cast<long long>(what.effective_hop()),
                                     embedded,
                                     1,
                                     static_cast<long long>(what.n),
                                     types[d_is_double],
                                     static_cast<long long>(what.batch),
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
    void* from = reinterpret_cast<void*>(input);
    void* to = reinterpret_cast<void*>(output);
    const int sign = d_direction == direction::forward ? CUFFT_FORWARD : CUFFT_INVERSE;
    if (d_kind == transform_kind::r2c)
        check(cufft().execute_r2c[d_is_double](d_plan, from, to), "cufftExecR2C");
    else if (d_kind == transform_kind::c2r)
        check(cufft().execute_c2r[d_is_double](d_plan, from, to), "cufftExecC2R");
    else
        check(cufft().execute_c2c[d_is_double](d_plan, from, to, sign), "cufftExecC2C");
}

} // namespace gpufft
} // namespace gr
