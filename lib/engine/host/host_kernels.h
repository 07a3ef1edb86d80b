// SPDX-License-Identifier: GPL-3.0-or-later
//
// The kernels that the build has instantiated for the host engine, by the text of their
// instantiation: the very text that NVRTC is given for the GPU.

#ifndef INCLUDED_GPUFFT_HOST_KERNELS_H
#define INCLUDED_GPUFFT_HOST_KERNELS_H

#include "arguments.cuh"
#include <string>

namespace gr {
namespace gpufft {

typedef void (*transform_function)(kernels::transform_arguments);
typedef void (*average_function)(kernels::average_arguments);

// Called by the generated sources before main(). Returns true.
bool add_host_kernel(const std::string& expression, transform_function function);
bool add_host_kernel(const std::string& expression, average_function function);

// Throws std::out_of_range that names the expression if the build has not instantiated
// it.
transform_function find_transform_kernel(const std::string& expression);
average_function find_average_kernel(const std::string& expression);

} // namespace gpufft
} // namespace gr

#endif
