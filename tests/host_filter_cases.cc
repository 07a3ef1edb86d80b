// SPDX-License-Identifier: GPL-3.0-or-later
//
// The list behind the tests of filters.

#include "host_filter_cases.h"
#include "plan/planner.h"

#include <stdexcept>

namespace gr {
namespace gpufft {

namespace {

recipe first_with_levels(const problem& what, const device_traits& card, bool levels)
{
    for (const recipe& how : recipe_candidates(what, card, 99))
        if ((how.shapes.size() > 1) == levels)
            return how;
    throw std::logic_error(what.to_string() + " has no such recipe");
}

} // namespace

std::vector<recipe_case> host_filter_cases()
{
    device_traits small; // short parts
    small.shared_bytes = 16 << 10;
    std::vector<recipe_case> cases;
    for (const char* name : { "filter_n1_b100000_ctaps",
                              "filter_n2_b100000_real",
                              "filter_n33_b100000",
                              "filter_n33_b100000_hop33_ctaps",
                              "filter_n100_b100000_hop7_scale0.5",
                              "filter_n65_b100000_real_hop5",
                              "filter_n501_b3000_ctaps" }) {
        const problem what = problem::from_string(name);
        cases.push_back({ what, first_with_levels(what, small, false) });
    }
    for (const char* name : { "filter_n65_b3000_bins2_ctaps",
                              "filter_n200_b3000_hop20_running_ctaps_bins5",
                              "filter_n100_b3000_hop34_running_bins37" }) {
        const problem what = problem::from_string(name);
        cases.push_back({ what, make_recipe(what, small) });
    }
    for (const char* name : { "filter_n700_b9999_ctaps",
                              "filter_n501_b9999_real",
                              "filter_n600_b9999_hop3" }) {
        const problem what = problem::from_string(name);
        cases.push_back({ what, first_with_levels(what, small, true) });
    }
    return cases;
}

} // namespace gpufft
} // namespace gr
