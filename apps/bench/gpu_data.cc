// SPDX-License-Identifier: GPL-3.0-or-later
//
// Fills the input on the card, by the same function as on the host.

#include "gpu_data.h"
#include "engine/cuda/nvrtc.h"

namespace gr {
namespace gpufft {

namespace {

#define GPUFFT_AS_TEXT_EXPANDED(...) #__VA_ARGS__
#define GPUFFT_AS_TEXT(...) GPUFFT_AS_TEXT_EXPANDED(__VA_ARGS__)

const char* const FILL_PROGRAM = GPUFFT_AS_TEXT(GPUFFT_RANDOM_FLOAT) R"(
// Float i of `count` becomes random_float(i).
__global__ void fill_kernel(float* data, unsigned long long count)
{
    const unsigned long long step = 1ull * gridDim.x * blockDim.x;
    for (unsigned long long i = 1ull * blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += step)
        data[i] = random_float(i);
}
)";

} // namespace

gpu_data::gpu_data(const device_context& context)
    : d_context(context),
      d_input(context, memory_kind::device),
      d_output(context, memory_kind::device)
{
}

void gpu_data::reserve(std::size_t input_bytes, std::size_t output_bytes, CUstream stream)
{
    d_input.reserve(input_bytes);
    d_output.reserve(output_bytes);
    const kernel_image image =
        compile_program(FILL_PROGRAM, "fill_kernel", d_context.architecture());
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    GPUFFT_CUDA(cuModuleLoadData(&module, image.code.data()));
    const module_uptr owner(module, { &d_context });
    GPUFFT_CUDA(cuModuleGetFunction(&function, module, image.name.c_str()));
    CUdeviceptr data = input();
    unsigned long long count = input_bytes / sizeof(float);
    void* arguments[] = { &data, &count };
    GPUFFT_CUDA(
        cuLaunchKernel(function, 4096, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
    GPUFFT_CUDA(cuStreamSynchronize(stream));
}

double gpu_data::error(const problem& what, const reference& expected) const
{
    const std::size_t bytes = what.n * what.output_item_bytes();
    std::vector<std::complex<float>> results(what.n);
    double worst = 0;
    for (std::size_t i = 0; i < expected.frames().size(); ++i) {
        GPUFFT_CUDA(
            cuMemcpyDtoH(results.data(), output() + expected.frames()[i] * bytes, bytes));
        const double error = expected.error(i, results.data());
        worst = error <= worst ? worst : error; // keeps a NaN
    }
    return worst;
}

} // namespace gpufft
} // namespace gr
