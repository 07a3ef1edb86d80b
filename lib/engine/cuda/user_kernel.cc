// SPDX-License-Identifier: GPL-3.0-or-later
//
// Compiles and launches a user's kernel.

#include "engine/user_kernel.h"
#include "device.h"
#include "kernel.h"
#include "nvrtc.h"
#include <gnuradio/gpufft/engine.h>
#include <stdexcept>

namespace gr {
namespace gpufft {

namespace {

kernel_image build(const std::string& text, const std::string& name, int architecture)
{
    try {
        return build_program(text, name, architecture);
    } catch (const cuda_error& error) {
        if (error.code() == NVRTC_ERROR_COMPILATION ||
            error.code() == NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID)
            throw std::invalid_argument(error.what());
        throw;
    }
}

class loaded_kernel : public user_kernel
{
public:
    loaded_kernel(const device_context& context, const kernel_image& image)
        : d_context(context)
    {
        const device_context::scope scope(context);
        CUmodule module = nullptr;
        GPUFFT_CUDA(cuModuleLoadData(&module, image.code.data()));
        d_module = module_uptr(module, { &context });
        GPUFFT_CUDA(cuModuleGetFunction(&d_function, module, image.name.c_str()));
    }

    void launch(const user_launch& how) const override
    {
        const device_context::scope scope(d_context);
        std::vector<void*> arguments; // the addresses of the arguments
        for (const auto* areas : { &how.inputs, &how.outputs })
            for (const user_launch::area& each : *areas)
                arguments.push_back(const_cast<void**>(&each.address));
        long long frames = static_cast<long long>(how.frames);
        arguments.push_back(&frames);
        for (const std::vector<char>& each : how.parameters)
            arguments.push_back(const_cast<char*>(each.data()));
        CUlaunchConfig launch = {};
        launch.gridDimX = static_cast<unsigned>(how.blocks);
        launch.gridDimY = launch.gridDimZ = launch.blockDimY = launch.blockDimZ = 1;
        launch.blockDimX = static_cast<unsigned>(how.threads);
        launch.hStream = static_cast<CUstream>(how.stream);
        GPUFFT_CUDA(cuLaunchKernelEx(&launch, d_function, arguments.data(), nullptr));
    }

private:
    const device_context& d_context;
    module_uptr d_module;
    CUfunction d_function = nullptr;
};

} // namespace

std::unique_ptr<user_kernel>
make_user_kernel(int device, const std::string& text, const std::string& name)
{
    const device_context& context = device_context::get(device);
    return std::make_unique<loaded_kernel>(context,
                                           build(text, name, context.architecture()));
}

void check_user_kernel(const std::string& text, const std::string& name, int architecture)
{
    build(text, name, architecture);
}

} // namespace gpufft
} // namespace gr
