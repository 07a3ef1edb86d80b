// SPDX-License-Identifier: GPL-3.0-or-later
//
// CUDA events around the work, and a copy kernel.

#include "gpu_timing.h"
#include "engine/cuda/nvrtc.h"
#include <algorithm>
#include <dlfcn.h>
#include <gnuradio/gpufft/engine.h>
#include <stdexcept>
#include <vector>

namespace gr {
namespace gpufft {

namespace {

constexpr int WARM_UP_RUNS = 5;

// A driver function that the library itself does not need.
template <class Function>
Function* driver_function(const char* name)
{
    void* found = dlsym(dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD), name);
    if (found == nullptr)
        throw std::runtime_error(std::string("the NVIDIA driver has no ") + name);
    return reinterpret_cast<Function*>(found);
}

void check(CUresult result, const char* call)
{
    check_cuda(result, call, __FILE__, __LINE__);
}

// An event that takes the time.
class clock_event
{
public:
    clock_event() { GPUFFT_CUDA(cuEventCreate(&d_event, CU_EVENT_DEFAULT)); }
    ~clock_event() { cuda().cuEventDestroy(d_event); }
    clock_event(const clock_event&) = delete;
    clock_event& operator=(const clock_event&) = delete;

    void record(CUstream stream) { GPUFFT_CUDA(cuEventRecord(d_event, stream)); }
    double milliseconds_since(const clock_event& start) const
    {
        static const auto elapsed =
            driver_function<CUresult(float*, CUevent, CUevent)>("cuEventElapsedTime");
        float milliseconds = 0;
        check(elapsed(&milliseconds, start.d_event, d_event), "cuEventElapsedTime");
        return milliseconds;
    }

private:
    CUevent d_event = nullptr;
};

const char* const COPY_PROGRAM = R"(
// Block b copies the 1024 items of 16 bytes from 1024 b on, 4 a thread.
__global__ void __launch_bounds__(256) copy_kernel(const float4* from, float4* to)
{
    const unsigned long long first = blockIdx.x * 1024ull + threadIdx.x;
    float4 items[4];
#pragma unroll
    for (int i = 0; i < 4; ++i)
        items[i] = from[first + i * 256];
#pragma unroll
    for (int i = 0; i < 4; ++i)
        to[first + i * 256] = items[i];
}
)";

} // namespace

timing time_on_gpu(CUstream stream,
                   int runs,
                   const queued_work& work,
                   int calls,
                   const queued_work& before)
{
    std::vector<clock_event> starts(runs), ends(runs);
    const auto run = [&](clock_event* start, clock_event* end) {
        if (before)
            before();
        if (start)
            start->record(stream);
        for (int call = 0; call < calls; ++call)
            work();
        if (end)
            end->record(stream);
    };
    for (int i = 0; i < WARM_UP_RUNS; ++i)
        run(nullptr, nullptr);
    GPUFFT_CUDA(cuStreamSynchronize(stream));
    for (int i = 0; i < runs; ++i)
        run(&starts[i], &ends[i]);
    GPUFFT_CUDA(cuStreamSynchronize(stream));
    std::vector<double> times;
    for (int i = 0; i < runs; ++i)
        times.push_back(ends[i].milliseconds_since(starts[i]) / calls);
    return summarise(times);
}

int calls_in_a_run(CUstream stream, const queued_work& work)
{
    const double milliseconds = time_on_gpu(stream, 3, work, 4).median;
    return static_cast<int>(std::min(std::max(2.0 / milliseconds, 1.0), 400.0));
}

void queue_copy(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream)
{
    static const auto copy =
        driver_function<CUresult(CUdeviceptr, CUdeviceptr, std::size_t, CUstream)>(
            "cuMemcpyDtoDAsync_v2");
    check(copy(to, from, bytes, stream), "cuMemcpyDtoDAsync");
}

copy_rate measure_copy_rate(const device_context& context,
                            CUdeviceptr from,
                            CUdeviceptr to,
                            std::size_t bytes,
                            CUstream stream,
                            int runs)
{
    const kernel_image image =
        compile_program(COPY_PROGRAM, "copy_kernel", context.architecture());
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    GPUFFT_CUDA(cuModuleLoadData(&module, image.code.data()));
    const module_uptr owner(module, { &context });
    GPUFFT_CUDA(cuModuleGetFunction(&function, module, image.name.c_str()));
    void* arguments[] = { &from, &to };
    const unsigned blocks = static_cast<unsigned>(bytes / (1024 * 16));

    copy_rate rate;
    const double gigabytes = 2e-9 * static_cast<double>(bytes);
    const timing by_driver =
        time_on_gpu(stream, runs, [&] { queue_copy(to, from, bytes, stream); });
    rate.driver = gigabytes / (1e-3 * by_driver.median);
    const timing by_kernel = time_on_gpu(stream, runs, [&] {
        GPUFFT_CUDA(cuLaunchKernel(
            function, blocks, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
    });
    rate.kernel = gigabytes / (1e-3 * by_kernel.median);
    return rate;
}

} // namespace gpufft
} // namespace gr
