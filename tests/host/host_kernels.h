// SPDX-License-Identifier: GPL-3.0-or-later
//
// The kernels that the build has instantiated for the host engine, by the text of their
// instantiation: the very text that NVRTC is given for the GPU. Those of double precision
// lie in a namespace of their own, double_kernels.

#ifndef INCLUDED_GPUFFT_HOST_KERNELS_H
#define INCLUDED_GPUFFT_HOST_KERNELS_H

#include "planner/kernel_instance.h"
#include <cstring>
#include <functional>

namespace gr {
namespace gpufft {

// Takes the address of its arguments, one of the structs of kernels/arguments.cuh.
typedef std::function<void(const void* arguments)> host_kernel;

bool add_to_registry(const std::string& expression, bool is_double, host_kernel function);

// Called by the generated sources before main(). Returns true.
template <class Arguments>
bool add_host_kernel(const std::string& expression,
                     void (*function)(Arguments),
                     bool is_double = false)
{
    return add_to_registry(expression, is_double, [function](const void* address) {
        Arguments arguments;
        std::memcpy(static_cast<void*>(&arguments), address, sizeof(Arguments));
        function(arguments);
    });
}

// Throws std::out_of_range that names the expression if the build has not instantiated
// it.
const host_kernel& find_host_kernel(const kernel_instance& kernel);

} // namespace gpufft
} // namespace gr

#endif
