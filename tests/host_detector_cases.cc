// SPDX-License-Identifier: GPL-3.0-or-later
//
// The list behind the tests of detectors.

#include "host_detector_cases.h"
#include "planner/planner.h"

namespace gr {
namespace gpufft {

std::vector<recipe_case> host_detector_cases()
{
    std::vector<recipe_case> cases;
    for (const char* name : { "c2c_forward_n64_b1_power_avg7",
                              "c2c_forward_n64_b1_hop30_decibel_shiftout_avg40",
                              "c2c_forward_n17_b1_power_avg4_smooth0.5",
                              "c2c_forward_n64_b1_power_max_avg7",
                              "c2c_forward_n64_b1_power_min_avg7",
                              "c2c_forward_n64_b1_power_kurtosis_avg7",
                              "c2c_forward_n15_b1_cs16_window_decibel_shiftout_max_avg4",
                              "c2c_forward_n100_b1_hop30_power_min_avg5_scale0.01",
                              "c2c_forward_n17_b1_power_shiftout_max_avg3",
                              "c2c_forward_n17_b1_cs8_power_kurtosis_avg2_smooth0.25",
                              "r2c_n48_b1_power_kurtosis_avg6",
                              "c2c_forward_n64_b1_power_holdmax",
                              "c2c_forward_n64_b1_decibel_shiftout_avg3_holdmin",
                              "c2c_forward_n64_b1_power_max_avg2_smooth0.5",
                              "c2c_forward_n64_b1_power_min_avg3_holdmax",
                              "c2c_forward_n64_b1_power_kurtosis_avg3_holdmax" }) {
        const problem what = problem::from_string(name);
        cases.push_back({ what, make_recipe(what) });
    }
    return cases;
}

} // namespace gpufft
} // namespace gr
