// SPDX-License-Identifier: GPL-3.0-or-later
//
// A kernel ready to launch on one GPU: from the cache, else compiled.

#ifndef INCLUDED_GPUFFT_CUDA_KERNEL_H
#define INCLUDED_GPUFFT_CUDA_KERNEL_H

#include "device.h"
#include "kernel_cache.h"
#include "planner/kernel_instance.h"

namespace gr {
namespace gpufft {

// Options for the kernel's precision, in addition to compile_options().
std::vector<std::string> precision_options(const kernel_instance& instance);

// The key under which a compiled kernel is cached: a text of all that it depends on
// (sources, compiler, options, architecture, expression).
std::string kernel_key(const kernel_instance& instance, int architecture);

// The compiled kernel, from cache_directory() (unless `anew`) or from NVRTC, whose result
// is then cached.
kernel_image
build_kernel(const kernel_instance& instance, int architecture, bool anew = false);

// The same for a kernel `name` of any text; see compile_program().
kernel_image
build_program(const std::string& text, const std::string& name, int architecture);

class kernel
{
public:
    // A cached kernel that the driver does not load is compiled again.
    kernel(const device_context& context, const kernel_instance& instance);

    // Queues grid_x * grid_y blocks. The kernel's one argument is a copy of `arguments`.
    // The context must be current.
    template <class Arguments>
    void launch(std::size_t grid_x,
                std::size_t grid_y,
                const Arguments& arguments,
                CUstream stream) const
    {
        Arguments copy = arguments;
        launch_with(grid_x, grid_y, &copy, stream);
    }

    // Sets the parameters of its expressions, if it has any, and waits.
    void set_parameters(const device_context& context, const std::vector<float>& values);

    const kernel_instance& instance() const { return d_instance; }
    int registers() const { return d_registers; }     // registers of a thread
    int local_bytes() const { return d_local_bytes; } // spills of a thread, ideally 0
    int blocks() const { return d_blocks; } // resident at once on one multiprocessor

private:
    void load(const device_context& context, const kernel_image& image);
    void set_cluster();
    std::size_t shared_bytes_of(std::size_t blocks) const;
    void launch_with(std::size_t grid_x,
                     std::size_t grid_y,
                     void* arguments,
                     CUstream stream) const;

    const device_traits d_card;
    kernel_instance d_instance;
    module_uptr d_module;
    CUfunction d_function = nullptr;
    int d_registers = 0;
    int d_local_bytes = 0;
    int d_blocks = 0;
    std::size_t d_most_blocks = 0x7fffffff; // limit of a launch on any architecture
};

} // namespace gpufft
} // namespace gr

#endif
