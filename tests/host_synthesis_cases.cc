// SPDX-License-Identifier: GPL-3.0-or-later
//
// The list behind the tests of syntheses.

#include "host_synthesis_cases.h"
#include "planner/planner.h"

namespace gr {
namespace gpufft {

std::vector<recipe_case> host_synthesis_cases()
{
    std::vector<recipe_case> cases;
    for (const char* name : { "synthesis_n1_b999_taps5",
                              "synthesis_n1_b999",
                              "synthesis_n8_b9999_taps3",
                              "synthesis_n79_b9999_taps16",
                              "synthesis_n80_b9999_taps17_bins40",
                              "synthesis_n60_b9999_taps40_bins20_scale0.5",
                              "synthesis_n79_b9999_taps5_bins45",
                              "synthesis_n40_b9999_taps9_bins5",
                              "synthesis_n300_b9999_taps4_bins300",
                              "synthesis_n107_b9999_taps2_bins1",
                              "synthesis_n2018_b99_taps2_bins1009",
                              "synthesis_n79_b9999_cs16_taps5_outs16_bins45_scale0.05",
                              "synthesis_n8_b9999_cs8_taps3_outf16_scale0.1",
                              "synthesis_n16_b9999_cf16_taps4_outs8" }) {
        const problem what = problem::from_string(name);
        cases.push_back({ what, make_recipe(what) });
    }
    return cases;
}

} // namespace gpufft
} // namespace gr
