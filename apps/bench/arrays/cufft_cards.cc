// SPDX-License-Identifier: GPL-3.0-or-later
//
// The functions of cufftXt.h that are needed, with the types of its C interface written
// out, so that its header is not.

#include "cufft_cards.h"
#include "../load_symbol.h"
#include <climits>
#include <stdexcept>

namespace gr {
namespace gpufft {

namespace {

constexpr int MOST_CARDS = 64; // MAX_CUDA_DESCRIPTOR_GPUS
constexpr int CUFFT_C2C[] = { 0x29, 0x69 };
constexpr int CUFFT_XT_FORMAT_INPLACE = 2;
constexpr int CUFFT_COPY_DEVICE_TO_DEVICE = 2;

void check(int result, const char* call)
{
    if (result != 0)
        throw std::runtime_error(std::string(call) + " failed: cuFFT error " +
                                 std::to_string(result));
}

} // namespace

// cudaLibXtDesc, and its cudaXtDesc
struct cufft_cards::descriptor {
    struct parts {
        int version, cards;
        int indices[MOST_CARDS];
        void* data[MOST_CARDS];
        std::size_t bytes[MOST_CARDS];
        void* state;
    };
    int version;
    parts* memory;
    int library, format;
    void* inner;
};

struct cufft_cards::library {
    int (*create)(int*) = nullptr;
    int (*destroy)(int) = nullptr;
    int (*set_cards)(int, int, int*) = nullptr;
    int (*make_1d)(int, int, int, int, std::size_t*) = nullptr;
    int (*make_2d)(int, int, int, int, std::size_t*) = nullptr;
    int (*make_3d)(int, int, int, int, int, std::size_t*) = nullptr;
    int (*make_many)(int,
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
    int (*allocate)(int, descriptor**, int) = nullptr;
    int (*free)(descriptor*) = nullptr;
    int (*copy)(int, void*, void*, int) = nullptr;
    int (*execute[2])(int, descriptor*, descriptor*, int) = {};
    int (*synchronize)() = nullptr; // cuCtxSynchronize
    bool found = false;
};

const cufft_cards::library& cufft_cards::opened()
{
    static const library all = [] {
        library made;
        void* const driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
        if (driver == nullptr ||
            !load_symbol(driver, "cuCtxSynchronize", made.synchronize))
            return made;
        for (const std::string folder : { "", "/usr/local/cuda/lib64/" })
            for (const char* name :
                 { "libcufft.so.12", "libcufft.so.11", "libcufft.so" }) {
                void* const handle =
                    dlopen((folder + name).c_str(), RTLD_LAZY | RTLD_LOCAL);
                if (handle != nullptr &&
                    load_symbol(handle, "cufftCreate", made.create) &&
                    load_symbol(handle, "cufftDestroy", made.destroy) &&
                    load_symbol(handle, "cufftXtSetGPUs", made.set_cards) &&
                    load_symbol(handle, "cufftMakePlan1d", made.make_1d) &&
                    load_symbol(handle, "cufftMakePlan2d", made.make_2d) &&
                    load_symbol(handle, "cufftMakePlan3d", made.make_3d) &&
                    load_symbol(handle, "cufftMakePlanMany64", made.make_many) &&
                    load_symbol(handle, "cufftXtMalloc", made.allocate) &&
                    load_symbol(handle, "cufftXtFree", made.free) &&
                    load_symbol(handle, "cufftXtMemcpy", made.copy) &&
                    load_symbol(handle, "cufftXtExecDescriptorC2C", made.execute[0]) &&
                    load_symbol(handle, "cufftXtExecDescriptorZ2Z", made.execute[1])) {
                    made.found = true;
                    return made;
                }
            }
        return made;
    }();
    return all;
}

std::string cufft_cards::obstacle(const problem& what)
{
    if (!opened().found)
        return "cuFFT was not found";
    if (what.kind != transform_kind::c2c || what.axes().size() > 3 ||
        what.input != working_format(true, what.is_double()))
        return "it is timed for complex transforms of up to three axes only";
    return "";
}

cufft_cards::cufft_cards(const problem& what,
                         const std::vector<async_device::sptr>& devices)
    : d_devices(devices),
      d_is_double(what.is_double()),
      d_direction(what.dir == direction::forward ? -1 : 1)
{
    std::vector<int> indices;
    for (const async_device::sptr& each : devices)
        indices.push_back(each->index());
    std::vector<long long> axes;
    bool is_short = true;
    for (const std::size_t each : what.axes()) {
        axes.push_back(static_cast<long long>(each));
        is_short = is_short && each <= INT_MAX;
    }
    const auto n = [&](std::size_t i) { return static_cast<int>(axes[i]); };
    const int type = CUFFT_C2C[d_is_double];
    std::size_t scratch[MOST_CARDS] = {};
    const auto current = devices.front()->make_current();
    const library& lib = opened();
    check(lib.create(&d_plan), "cufftCreate");
    try {
        check(lib.set_cards(d_plan, static_cast<int>(indices.size()), indices.data()),
              "cufftXtSetGPUs");
        if (!is_short)
            check(lib.make_many(d_plan,
                                static_cast<int>(axes.size()),
                                axes.data(),
                                nullptr,
                                1,
                                1,
                                nullptr,
                                1,
                                1,
                                type,
                                1,
                                scratch),
                  "cufftMakePlanMany64");
        else if (axes.size() == 1)
            check(lib.make_1d(d_plan, n(0), type, 1, scratch), "cufftMakePlan1d");
        else if (axes.size() == 2)
            check(lib.make_2d(d_plan, n(0), n(1), type, scratch), "cufftMakePlan2d");
        else
            check(lib.make_3d(d_plan, n(0), n(1), n(2), type, scratch),
                  "cufftMakePlan3d");
        check(lib.allocate(d_plan, &d_data, CUFFT_XT_FORMAT_INPLACE), "cufftXtMalloc");
    } catch (...) {
        lib.destroy(d_plan);
        throw;
    }
}

cufft_cards::~cufft_cards()
{
    const auto current = d_devices.front()->make_current();
    for (descriptor* each : { d_data, d_natural })
        if (each != nullptr)
            opened().free(each);
    opened().destroy(d_plan);
}

std::vector<void*> cufft_cards::parts() const
{
    void** const first = d_data->memory->data; // braces would make a list of both ends
    return std::vector<void*>(first, first + d_devices.size());
}

std::vector<std::size_t> cufft_cards::part_bytes() const
{
    const std::size_t* const first = d_data->memory->bytes;
    return std::vector<std::size_t>(first, first + d_devices.size());
}

std::vector<void*> cufft_cards::natural_parts() const
{
    void** const first = d_natural->memory->data;
    return std::vector<void*>(first, first + d_devices.size());
}

void cufft_cards::wait() const
{
    for (const async_device::sptr& each : d_devices) {
        const auto current = each->make_current();
        if (opened().synchronize() != 0)
            throw std::runtime_error("cuCtxSynchronize failed after a call of cuFFT");
    }
}

void cufft_cards::execute()
{
    {
        const auto current = d_devices.front()->make_current();
        d_data->format = CUFFT_XT_FORMAT_INPLACE; // not that of the transform before
        check(opened().execute[d_is_double](d_plan, d_data, d_data, d_direction),
              "cufftXtExecDescriptor");
    }
    wait();
}

void cufft_cards::order()
{
    {
        const auto current = d_devices.front()->make_current();
        if (d_natural == nullptr)
            check(opened().allocate(d_plan, &d_natural, CUFFT_XT_FORMAT_INPLACE),
                  "cufftXtMalloc");
        check(opened().copy(d_plan, d_natural, d_data, CUFFT_COPY_DEVICE_TO_DEVICE),
              "cufftXtMemcpy");
    }
    wait();
}

} // namespace gpufft
} // namespace gr
