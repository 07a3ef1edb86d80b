// SPDX-License-Identifier: GPL-3.0-or-later
//
// A kernel between cuFFT's transforms, compiled at run time like ours.

#ifndef INCLUDED_GPUFFT_BENCH_CHAIN_KERNEL_H
#define INCLUDED_GPUFFT_BENCH_CHAIN_KERNEL_H

#include "engine/cuda/device.h"
#include "engine/cuda/nvrtc.h"
#include <string>

namespace gr {
namespace gpufft {

class chain_kernel
{
public:
    static constexpr unsigned THREADS = 256; // of a block

    chain_kernel(const device_context& context,
                 const std::string& text,
                 const std::string& name)
        : d_module(nullptr, { &context })
    {
        const kernel_image image = compile_program(text, name, context.architecture());
        CUmodule module = nullptr;
        GPUFFT_CUDA(cuModuleLoadData(&module, image.code.data()));
        d_module = module_uptr(module, { &context });
        GPUFFT_CUDA(cuModuleGetFunction(&d_function, module, image.name.c_str()));
    }

    template <class... Arguments>
    void launch(std::size_t threads, CUstream stream, Arguments... arguments) const
    {
        void* places[] = { &arguments... };
        const auto blocks = static_cast<unsigned>((threads + THREADS - 1) / THREADS);
        GPUFFT_CUDA(cuLaunchKernel(
            d_function, blocks, 1, 1, THREADS, 1, 1, 0, stream, places, nullptr));
    }

private:
    module_uptr d_module;
    CUfunction d_function = nullptr;
};

} // namespace gpufft
} // namespace gr

#endif
