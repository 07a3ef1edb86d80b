// SPDX-License-Identifier: GPL-3.0-or-later
//
// The registry of the host engine's kernels.

#include "host_kernels.h"

#include <map>
#include <stdexcept>

namespace gr {
namespace gpufft {

typedef std::map<std::pair<std::string, bool>, host_kernel> kernel_map;

static kernel_map& registry()
{
    static kernel_map functions;
    return functions;
}

bool add_to_registry(const std::string& expression, bool is_double, host_kernel function)
{
    return registry().emplace(std::pair(expression, is_double), function).second;
}

const host_kernel& find_host_kernel(const kernel_instance& kernel)
{
    const auto found = registry().find({ kernel.expression(), kernel.is_double });
    if (found == registry().end())
        throw std::out_of_range("the tests were built without the kernel " +
                                kernel.expression() +
                                (kernel.is_double ? " in double precision" : "") +
                                "; add its problem to tests/host_problems.cc");
    return found->second;
}

} // namespace gpufft
} // namespace gr
