// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which problems an algorithm is for, and what it costs at least.

#include "algorithm.h"
#include "cost.h"

namespace gr {
namespace gpufft {

bool sums_powers(const algorithm& each, const problem& what)
{
    return each.sums_powers && what.detector != detector_kind::kurtosis &&
           !what.has_density();
}

bool is_by(const recipe& how, const algorithm& each)
{
    return how.algorithm == each.name;
}

bool is_plain_c2c(const problem& what)
{
    return is_c2c_or_bank(what) && !what.is_polyphase_bank();
}

bool is_c2c_or_bank(const problem& what)
{
    return what.kind == transform_kind::c2c && what.lengths.empty() &&
           what.input_strides.empty() && what.has_plain_rows();
}

bool takes(const algorithm& each, const problem& what)
{
    return each.takes == nullptr ? is_plain_c2c(what) : each.takes(what);
}

std::string
obstacle_of(const algorithm& each, const problem& what, const device_traits& card)
{
    if (takes(each, what))
        return each.obstacle(what, card);
    return "not for " + what.to_string();
}

double
least_cost_of(const algorithm& each, const problem& what, const device_traits& card)
{
    return each.least_cost_of
               ? each.least_cost_of(what, card)
               : least_launch_cost(each.least_cost, int(each.least_cost), what);
}

} // namespace gpufft
} // namespace gr
