// SPDX-License-Identifier: GPL-3.0-or-later
//
// The registry of the host engine's kernels.

#include "host_kernels.h"

#include <map>
#include <stdexcept>

namespace gr {
namespace gpufft {

namespace {

template <class Function>
std::map<std::string, Function>& registry()
{
    static std::map<std::string, Function> functions;
    return functions;
}

template <class Function>
Function find(const std::string& expression)
{
    const auto found = registry<Function>().find(expression);
    if (found == registry<Function>().end())
        throw std::out_of_range("the tests were built without the kernel " + expression +
                                "; add its problem to tests/host_problems.cc");
    return found->second;
}

} // namespace

bool add_host_kernel(const std::string& expression, transform_function function)
{
    return registry<transform_function>().emplace(expression, function).second;
}

bool add_host_kernel(const std::string& expression, average_function function)
{
    return registry<average_function>().emplace(expression, function).second;
}

transform_function find_transform_kernel(const std::string& expression)
{
    return find<transform_function>(expression);
}

average_function find_average_kernel(const std::string& expression)
{
    return find<average_function>(expression);
}

} // namespace gpufft
} // namespace gr
