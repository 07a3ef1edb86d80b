// SPDX-License-Identifier: GPL-3.0-or-later
//
// Run by the build: writes C++ sources that instantiate kernels, spread over several
// files.
//   generate_host_kernels all FILE...     common_kernels()
//   generate_host_kernels NAME FILE...    what the cases of host_NAME_cases.h need

#include "host_case_lists.h"
#include "host_common_kernels.h"
#include "host_kernel_writer.h"

#include <iostream>

using namespace gr::gpufft;

int main(int count, char** words)
{
    try {
        const std::string name = count > 1 ? words[1] : "";
        write_host_kernels(name == "all" ? common_kernels()
                                         : kernels_of(HOST_CASE_LISTS.at(name)()),
                           { words + 2, words + count });
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
}
