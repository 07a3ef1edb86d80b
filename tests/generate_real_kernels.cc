// SPDX-License-Identifier: GPL-3.0-or-later
//
// Run by the build: writes C++ sources that instantiate the kernels of host_real_cases.h.
//   generate_real_kernels FILE...

#include "host_kernel_writer.h"
#include "host_real_cases.h"
#include "plan/algorithm.h"

#include <iostream>

using namespace gr::gpufft;

int main(int count, char** names)
{
    try {
        std::vector<kernel_instance> kernels;
        for (const recipe_case& each : host_real_cases()) {
            for (const launch_step& step : build_program(each.what, each.how).steps)
                kernels.push_back(step.kernel);
            if (each.what.average > 1) {
                const problem powers = powers_of_frames(each.what);
                for (const launch_step& step : build_program(powers, each.how).steps)
                    kernels.push_back(step.kernel);
                kernels.push_back(average_kernel(each.what));
            }
        }
        write_host_kernels(kernels, { names + 1, names + count });
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
}
