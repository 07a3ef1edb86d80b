// SPDX-License-Identifier: GPL-3.0-or-later
//
// Fills the input on the card, by the same function as on the host.

#include "gpu_data.h"
#include "engine/cuda/nvrtc.h"
#include "gpu_timing.h"
#include "random_data.h"
#include <vector>

namespace gr {
namespace gpufft {

namespace {

#define GPUFFT_AS_TEXT_EXPANDED(...) #__VA_ARGS__
#define GPUFFT_AS_TEXT(...) GPUFFT_AS_TEXT_EXPANDED(__VA_ARGS__)

const char* const PROGRAM = GPUFFT_AS_TEXT(GPUFFT_RANDOM_NUMBERS) R"(
// Number i of `count` becomes random number i.
template <class Number>
__global__ void fill_kernel(Number* data, unsigned long long count)
{
    const unsigned long long step = 1ull * gridDim.x * blockDim.x;
    for (unsigned long long i = 1ull * blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += step)
        set_random(data[i], i);
}
)";

constexpr int BLOCKS = 4096, THREADS = 256;

} // namespace

gpu_data::gpu_data(const device_context& context)
    : d_context(context),
      d_input(context, memory_kind::device),
      d_output(context, memory_kind::device)
{
}

CUfunction gpu_data::kernel(const std::string& name)
{
    const auto found = d_kernels.find(name);
    if (found != d_kernels.end())
        return found->second.second;
    const kernel_image image = compile_program(PROGRAM, name, d_context.architecture());
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    GPUFFT_CUDA(cuModuleLoadData(&module, image.code.data()));
    module_uptr owner(module, { &d_context });
    GPUFFT_CUDA(cuModuleGetFunction(&function, module, image.name.c_str()));
    d_kernels.emplace(name, std::make_pair(std::move(owner), function));
    return function;
}

void gpu_data::reserve(std::size_t input_bytes, std::size_t output_bytes)
{
    d_input.reserve(input_bytes);
    d_output.reserve(output_bytes);
    d_input_bytes = input_bytes;
    spoil();
}

void gpu_data::fill(const problem& what, const reference* expected, CUstream stream)
{
    const number_type type = input_type(what);
    const bool is_changed = what.kind == transform_kind::c2r;
    const std::string filled = is_changed ? what.to_string() : type_name(type);
    if (filled == d_filled)
        return;
    d_filled = filled;
    CUdeviceptr data = input();
    unsigned long long count = d_input_bytes / bytes_of(type);
    void* arguments[] = { &data, &count };
    const std::string name = std::string("fill_kernel<") + type_name(type) + ">";
    GPUFFT_CUDA(cuLaunchKernel(
        kernel(name), BLOCKS, 1, 1, THREADS, 1, 1, 0, stream, arguments, nullptr));
    GPUFFT_CUDA(cuStreamSynchronize(stream));
    if (expected == nullptr)
        return;
    const std::size_t hop_bytes = what.effective_hop() * what.input_item_bytes();
    for (std::size_t i = 0; i < expected->frames().size(); ++i) {
        const std::vector<char>& samples = expected->samples(i);
        if (!samples.empty())
            GPUFFT_CUDA(cuMemcpyHtoD(input() + expected->frames()[i] * hop_bytes,
                                     samples.data(),
                                     samples.size()));
    }
    GPUFFT_CUDA(cuCtxSynchronize()); // the copies may return before they have ended
}

void gpu_data::queue_copy_to_output(std::size_t bytes, CUstream stream)
{
    queue_copy(output(), input(), bytes, stream);
}

double gpu_data::error(const problem& what, const reference& expected) const
{
    const std::size_t item = what.output_item_bytes();
    std::vector<char> row(expected.rows() * what.output_span() * item);
    double worst = 0;
    for (std::size_t i = 0; i < expected.frames().size(); ++i) {
        const std::size_t first =
            expected.frames()[i] * what.effective_output_distance() * item;
        GPUFFT_CUDA(cuMemcpyDtoH(row.data(), output() + first, row.size()));
        const double error = expected.error(i, row.data(), what);
        worst = error <= worst ? worst : error; // keeps a NaN
    }
    return worst;
}

} // namespace gpufft
} // namespace gr
