// SPDX-License-Identifier: GPL-3.0-or-later
//
// The parameters that blocks give to a problem's expressions.

#ifndef INCLUDED_GPUFFT_EXPRESSION_PARAMETERS_H
#define INCLUDED_GPUFFT_EXPRESSION_PARAMETERS_H

#include <algorithm>
#include <gnuradio/gpufft/problem.h>
#include <map>
#include <spdlog/fmt/fmt.h>
#include <stdexcept>
#include <string>

namespace gr {
namespace gpufft {

// Throws std::invalid_argument unless the problem's expressions have all of these names.
inline void check_parameters(const std::map<std::string, float>& given,
                             const problem& what)
{
    const std::vector<std::string> names = what.parameter_names();
    for (const auto& [name, value] : given)
        if (std::find(names.begin(), names.end(), name) == names.end())
            throw std::invalid_argument(fmt::format(
                "parameter is {}, but must be one of: {}",
                name,
                names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
}

} // namespace gpufft
} // namespace gr

#endif
