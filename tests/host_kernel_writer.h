// SPDX-License-Identifier: GPL-3.0-or-later
//
// Writes the C++ sources that instantiate kernels for the host engine.

#ifndef INCLUDED_GPUFFT_HOST_KERNEL_WRITER_H
#define INCLUDED_GPUFFT_HOST_KERNEL_WRITER_H

#include "planner/kernel_instance.h"
#include "recipe_case.h"
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

// What the host engine launches for these cases.
std::vector<kernel_instance> kernels_of(const std::vector<recipe_case>& cases);

// Each kernel once, spread over the files. Throws std::runtime_error that names a file
// that cannot be written.
void write_host_kernels(const std::vector<kernel_instance>& kernels,
                        const std::vector<std::string>& files);

} // namespace gpufft
} // namespace gr

#endif
