// SPDX-License-Identifier: GPL-3.0-or-later
//
// Run by the build: writes the C++ sources that instantiate the kernels of host_accuracy.
//   generate_accuracy_kernels FILE...

#include "accuracy_problems.h"
#include "host_kernel_writer.h"
#include "planner/planner.h"
#include <iostream>

using namespace gr::gpufft;

int main(int count, char** names)
{
    std::vector<kernel_instance> kernels;
    const auto add = [&](const problem& what) {
        for (const launch_step& step : build_program(what, make_recipe(what)).steps)
            kernels.push_back(step.kernel);
    };
    for (direction dir : { direction::forward, direction::inverse }) {
        for (std::size_t n : accuracy_lengths())
            add(accuracy_problem(n, dir));
        for (std::size_t n : chirp_primes()) // the inexact chirp is a table of the same
            add(accuracy_problem(n, dir, "bluestein"));
    }
    try {
        write_host_kernels(kernels, { names + 1, names + count });
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
}
