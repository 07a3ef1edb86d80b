// SPDX-License-Identifier: GPL-3.0-or-later
//
// Writes the C++ sources that instantiate kernels for the host engine.

#ifndef INCLUDED_GPUFFT_HOST_KERNEL_WRITER_H
#define INCLUDED_GPUFFT_HOST_KERNEL_WRITER_H

#include "plan/kernel_instance.h"
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

// Each kernel once, spread over the files. Throws std::runtime_error that names a file
// that cannot be written.
void write_host_kernels(const std::vector<kernel_instance>& kernels,
                        const std::vector<std::string>& files);

} // namespace gpufft
} // namespace gr

#endif
