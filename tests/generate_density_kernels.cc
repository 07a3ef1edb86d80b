// SPDX-License-Identifier: GPL-3.0-or-later
//
// Run by the build: writes C++ sources that instantiate the kernels of
// host_density_cases.h.
//   generate_density_kernels FILE...

#include "host_density_cases.h"
#include "host_kernel_writer.h"

#include <iostream>

using namespace gr::gpufft;

int main(int count, char** names)
{
    try {
        write_host_kernels(kernels_of(host_density_cases()),
                           { names + 1, names + count });
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
}
