// SPDX-License-Identifier: GPL-3.0-or-later
//
// Builds, loads and launches one kernel.

#include "kernel.h"
#include "nvrtc.h"
#include "planner/embedded_files.h"
#include "problem/expression.h"
#include <algorithm>
#include <cstdio>
#include <gnuradio/gpufft/engine.h>
#include <memory>
#include <stdexcept>

namespace gr {
namespace gpufft {

// Hash of the texts of all kernels.
static const std::string& sources_hash()
{
    static const std::string hash = [] {
        std::uint64_t value = FNV_START;
        for (const embedded_file& source : kernel_sources())
            value = fnv_hash(source.text, fnv_hash(source.name, value));
        char text[17];
        std::snprintf(
            text, sizeof(text), "%016llx", static_cast<unsigned long long>(value));
        return std::string(text);
    }();
    return hash;
}

static const auto& s_made_hash = sources_hash();

std::vector<std::string> precision_options(const kernel_instance& instance)
{
    std::vector<std::string> options;
    if (instance.is_double)
        options.emplace_back("-DGPUFFT_DOUBLE");
    if (instance.has_parameters())
        options.emplace_back("-DGPUFFT_PARAMETERS=" + std::to_string(MAX_PARAMETERS));
    return options;
}

static std::string key_of(const std::string& what,
                          int architecture,
                          const std::vector<std::string>& more_options)
{
    std::string options = architecture_option(nvrtc(), architecture);
    for (const std::string& option : compile_options())
        options += " " + option;
    for (const std::string& option : more_options)
        options += " " + option;
    return "gpufft " + version() + "\nsources " + sources_hash() + "\nnvrtc " +
           cuda_version_string(nvrtc().version) + "\noptions " + options + "\nkernel " +
           what + "\n";
}

std::string kernel_key(const kernel_instance& instance, int architecture)
{
    return key_of(instance.header + " " + instance.expression(),
                  architecture,
                  precision_options(instance));
}

static kernel_cache cache_of_kernels()
{
    const std::string directory = cache_directory();
    return kernel_cache(directory.empty() ? "" : directory + "/kernels");
}

kernel_image
build_program(const std::string& text, const std::string& name, int architecture)
{
    const kernel_cache cache = cache_of_kernels();
    const std::string key = key_of("of a user, " + name + "\n" + text, architecture, {});
    if (const std::optional<kernel_image> cached = cache.load(key))
        return *cached;
    const kernel_image compiled = compile_program(text, name, architecture);
    cache.store(key, compiled);
    return compiled;
}

kernel_image build_kernel(const kernel_instance& instance, int architecture, bool anew)
{
    const kernel_cache cache = cache_of_kernels();
    const std::string key = kernel_key(instance, architecture);
    if (!anew)
        if (const std::optional<kernel_image> cached = cache.load(key))
            return *cached;
    const kernel_image compiled = compile_kernel(instance.header,
                                                 instance.expression(),
                                                 architecture,
                                                 precision_options(instance));
    cache.store(key, compiled);
    return compiled;
}

// True if the driver refused to load a kernel: after a change of the driver, or in a
// copied cache, an intact file may not fit.
static bool is_about_image(const cuda_error& error)
{
    switch (error.code()) {
    case CUDA_ERROR_INVALID_IMAGE:
    case CUDA_ERROR_NO_BINARY_FOR_GPU:
    case CUDA_ERROR_INVALID_PTX:
    case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
    case CUDA_ERROR_INVALID_SOURCE:
    case CUDA_ERROR_NOT_FOUND:
    case CUDA_ERROR_INVALID_VALUE:
    case CUDA_ERROR_SHARED_OBJECT_INIT_FAILED:
    case CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND:
        return true;
    default:
        return false;
    }
}

// Bytes of shared memory for each of `blocks` blocks on a multiprocessor, so that no
// further one fits.
static std::size_t share_of(int blocks, const device_traits& card)
{
    constexpr std::size_t UNIT = 128; // in which shared memory is given out
    return card.multiprocessor_shared_bytes / blocks / UNIT * UNIT -
           card.reserved_shared_bytes;
}

kernel::kernel(const device_context& context, const kernel_instance& instance)
    : d_card(context.traits()),
      d_instance(instance)
{
    if (instance.shared_bytes > d_card.shared_bytes)
        throw cuda_error(CUDA_ERROR_INVALID_VALUE,
                         instance.expression() + " needs " +
                             std::to_string(instance.shared_bytes) +
                             " bytes of shared memory, " + context.name() + " has " +
                             std::to_string(d_card.shared_bytes));
    const device_context::scope scope(context);
    try {
        load(context, build_kernel(instance, context.architecture()));
    } catch (const cuda_error& error) {
        if (!is_about_image(error))
            throw;
        load(context, build_kernel(instance, context.architecture(), true));
    }

    const int most_shared = // see shared_bytes_of()
        static_cast<int>(std::max(instance.shared_bytes, share_of(2, d_card)));
    if (most_shared > context.shared_bytes_default())
        GPUFFT_CUDA(cuFuncSetAttribute(
            d_function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, most_shared));
    GPUFFT_CUDA(cuFuncGetAttribute(&d_registers, CU_FUNC_ATTRIBUTE_NUM_REGS, d_function));
    GPUFFT_CUDA(cuFuncGetAttribute(
        &d_local_bytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, d_function));
    GPUFFT_CUDA(cuOccupancyMaxActiveBlocksPerMultiprocessor(
        &d_blocks, d_function, instance.block_threads, instance.shared_bytes));
    if (instance.cluster > 1)
        set_cluster();
    else if (instance.persistent)
        d_most_blocks = static_cast<std::size_t>(d_blocks) * d_card.multiprocessors;
}

void kernel::load(const device_context& context, const kernel_image& image)
{
    const auto kept = std::make_shared<const kernel_image>(image);
    d_module = context.watch().call([&context, kept] {
        const device_context::scope scope(context);
        CUmodule module = nullptr;
        GPUFFT_CUDA(cuModuleLoadData(&module, kept->code.data()));
        return module_uptr(module, { &context });
    });
    GPUFFT_CUDA(cuModuleGetFunction(&d_function, d_module.get(), image.name.c_str()));
}

void kernel::set_parameters(const device_context& context,
                            const std::vector<float>& values)
{
    if (!d_instance.has_parameters())
        return;
    const auto copy = std::make_shared<const std::vector<float>>(values);
    context.watch().call([&context, module = d_module.get(), copy] {
        const device_context::scope scope(context);
        CUdeviceptr there = 0;
        GPUFFT_CUDA(cuModuleGetGlobal(&there, nullptr, module, "gpufft_parameters"));
        GPUFFT_CUDA(cuCtxSynchronize());
        GPUFFT_CUDA(cuMemcpyHtoD(there, copy->data(), copy->size() * sizeof(float)));
        GPUFFT_CUDA(cuCtxSynchronize()); // the copy may return before it has ended
    });
}

// Checks that the card can hold a cluster. The kernel itself fixes the cluster's size.
void kernel::set_cluster()
{
    constexpr int PORTABLE = 8; // largest cluster that every card from 9.0 on has
    if (d_instance.cluster > PORTABLE)
        GPUFFT_CUDA(cuFuncSetAttribute(
            d_function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1));
    CUlaunchAttribute attribute = {};
    attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    attribute.value.clusterDim.x = static_cast<unsigned>(d_instance.cluster);
    attribute.value.clusterDim.y = attribute.value.clusterDim.z = 1;
    CUlaunchConfig launch = {};
    launch.gridDimX = attribute.value.clusterDim.x;
    launch.gridDimY = launch.gridDimZ = launch.blockDimY = launch.blockDimZ = 1;
    launch.blockDimX = static_cast<unsigned>(d_instance.block_threads);
    launch.sharedMemBytes = static_cast<unsigned>(d_instance.shared_bytes);
    launch.attrs = &attribute;
    launch.numAttrs = 1;
    int clusters = 0; // resident at once on the card
    GPUFFT_CUDA(cuOccupancyMaxActiveClusters(&clusters, d_function, &launch));
    if (clusters == 0)
        throw cuda_error(CUDA_ERROR_INVALID_CLUSTER_SIZE,
                         d_instance.expression() + ": no " +
                             std::to_string(d_instance.cluster) + " blocks of " +
                             std::to_string(d_instance.block_threads) + " threads and " +
                             std::to_string(d_instance.shared_bytes) +
                             " bytes of shared memory fit the card together");
    if (d_instance.persistent)
        d_most_blocks = static_cast<std::size_t>(clusters) * d_instance.cluster;
}

// Shared memory that each block of a launch takes. While it runs, blocks of the stream's
// next launch take the places that are left and wait, see begin_kernel() in device.cuh.
// If only some of them find a place, they lie unevenly: a multiprocessor may get twice as
// many as another. So the blocks of this launch take all shared memory then. 2700
// transforms of 250 points take 4.6 us instead of 6.6 on an H100, 363 recipes 0.97 of the
// time in the mean (bench_recipes).
std::size_t kernel::shared_bytes_of(std::size_t blocks) const
{
    const int wanted = static_cast<int>(
        divide_up(std::min(blocks, d_most_blocks), std::size_t(d_card.multiprocessors)));
    const bool is_uneven = d_card.has_dependent_launches() && d_instance.cluster <= 1 &&
                           wanted < d_blocks && d_blocks < 2 * wanted;
    return std::max(d_instance.shared_bytes, is_uneven ? share_of(wanted, d_card) : 0);
}

void kernel::launch_with(std::size_t grid_x,
                         std::size_t grid_y,
                         void* arguments,
                         CUstream stream) const
{
    if (d_instance.persistent)
        grid_x = std::min(grid_x, d_most_blocks);
    if (grid_x > d_most_blocks)
        throw std::invalid_argument(
            "a launch of " + std::to_string(grid_x) + " blocks of " +
            std::to_string(d_instance.frames_per_block) +
            " frames is more than the GPU takes at once: at most " +
            std::to_string(d_most_blocks) + " blocks");
    // The stream's previous kernel need not have ended: see begin_kernel() in device.cuh.
    CUlaunchAttribute early = {};
    early.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    early.value.programmaticStreamSerializationAllowed = 1;
    CUlaunchConfig launch = {};
    launch.gridDimX = static_cast<unsigned>(grid_x);
    launch.gridDimY = static_cast<unsigned>(grid_y);
    launch.gridDimZ = launch.blockDimY = launch.blockDimZ = 1;
    launch.blockDimX = static_cast<unsigned>(d_instance.block_threads);
    launch.sharedMemBytes = static_cast<unsigned>(shared_bytes_of(grid_x * grid_y));
    launch.hStream = stream;
    launch.attrs = &early;
    launch.numAttrs = d_card.has_dependent_launches() ? 1 : 0;
    void* parameters[] = { arguments };
    GPUFFT_CUDA(cuLaunchKernelEx(&launch, d_function, parameters, nullptr));
}

} // namespace gpufft
} // namespace gr
