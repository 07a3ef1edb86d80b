// SPDX-License-Identifier: GPL-3.0-or-later
//
// The list behind the tests of correlations.

#include "host_correlation_cases.h"
#include "planner/planner.h"

namespace gr {
namespace gpufft {

std::vector<recipe_case> host_correlation_cases()
{
    std::vector<recipe_case> cases;
    for (const char* name : {
             "correlation_n1_b9_grid",
             "correlation_n6_b9_bins3_shifts6_delays4_grid",
             "correlation_n7_b9_bins2_from-0.21_to0.3_shifts5_blocks3_grid_scale0.5",
             "correlation_n60_b99_taps2_bins3_from-0.1_to0.1_shifts7_grid",
             "correlation_n128_b9_cs16_hop50_bins2_from-0.0625_to0.0703125_shifts17_"
             "delays50_grid",
             "correlation_n128_b9999_bins3_from-0.0625_to0.0703125_shifts17_blocks2",
             "correlation_n67_b9_bins2_shifts67_delays1_grid",
             "correlation_n127_b99_bins3_from-0.02_to0.03_shifts7",
             "correlation_n134_b9_cs16_hop50_taps3_bins2_from-0.1_to0.2_shifts5_blocks2_"
             "delays100_grid",
             "correlation_n1009_b9_bins2_blocks2_best",
             "correlation_n341_b9_cs8_bins4_from-0.01_to0.01_shifts9_best",
             "correlation_n1024_b2_taps3_bins2_from-0.01_to0.01_shifts3_blocks2_best",
             "correlation_n1023_b999_bins2_from-0.0048828125_to0.00537109375_shifts21",
         }) {
        const problem what = problem::from_string(name);
        cases.push_back({ what, make_recipe(what) });
    }
    return cases;
}

} // namespace gpufft
} // namespace gr
