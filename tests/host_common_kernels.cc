// SPDX-License-Identifier: GPL-3.0-or-later

#include "host_common_kernels.h"
#include "host_cluster_cases.h"
#include "host_double_problems.h"
#include "host_pipelined_cases.h"
#include "host_problems.h"
#include "host_storage_problems.h"
#include "host_tensor_cases.h"
#include "planner/planner.h"

namespace gr {
namespace gpufft {

std::vector<kernel_instance> common_kernels()
{
    std::vector<problem> problems = host_step_problems();
    for (const problem& what : host_algorithm_problems())
        problems.push_back(what);
    for (const problem& what : host_prime_problems())
        problems.push_back(what);
    for (const auto& list :
         { host_double_problems(), host_storage_problems(), host_layout_problems() })
        problems.insert(problems.end(), list.begin(), list.end());
    for (const char* text : { "c2c_forward_n15_b3_ostrides3_odist50",
                              "c2c_forward_n48_b9_ostrides20_odist2" })
        problems.push_back(problem::from_string(text));
    problem plain;
    for (std::size_t n : host_lengths()) {
        plain.n = n;
        problems.push_back(plain);
    }
    std::vector<kernel_instance> kernels;
    const auto add = [&](const program& steps) {
        for (const launch_step& step : steps.steps)
            kernels.push_back(step.kernel);
    };
    add(build_program(three_level_problem(), three_level_recipe()));
    for (const auto& [what, how] : host_prime_cases())
        add(build_program(what, how));
    for (const problem& what : problems) {
        const recipe how = make_recipe(what);
        add(build_program(what, how));
        if (what.has_mean()) {
            if (sums_powers(find_algorithm(how.algorithm), what))
                kernels.push_back(power_kernel(what, how));
            else
                add(build_program(powers_of_frames(what), how));
            kernels.push_back(average_kernel(what));
        }
    }
    for (const recipe_case& each : host_cluster_cases())
        add(build_program(each.what, each.how));
    for (const recipe_case& each : host_double_cases())
        add(build_program(each.what, each.how));
    for (const recipe_case& each : host_pipelined_cases())
        add(build_program(each.what, each.how));
    for (const recipe_case& each : host_tensor_cases()) {
        const bool is_averaged = each.what.average > 1;
        add(build_program(is_averaged ? powers_of_frames(each.what) : each.what,
                          each.how));
        if (is_averaged)
            kernels.push_back(average_kernel(each.what));
    }
    for (const std::size_t item_bytes : { 1, 2, 4, 8 }) {
        kernels.push_back(vectors_to_streams_kernel(item_bytes));
        kernels.push_back(streams_to_vectors_kernel(item_bytes));
    }
    return kernels;
}

} // namespace gpufft
} // namespace gr
