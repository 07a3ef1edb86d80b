// SPDX-License-Identifier: GPL-3.0-or-later
//
// The list behind the tests of densities.

#include "host_density_cases.h"
#include "planner/planner.h"

namespace gr {
namespace gpufft {

std::vector<recipe_case> host_density_cases()
{
    std::vector<recipe_case> cases;
    for (const char* name :
         { "c2c_forward_n64_b1_power_density10x16_low-40_avg7",
           "c2c_forward_n150_b1_hop40_window_power_shiftout_max_density200x100_low-10_"
           "high25_avg4_scale0.01",
           "c2c_forward_n17_b1_cs16_decibel_min_density7x256_first3_span11_low-20_high20_"
           "avg9",
           "r2c_n48_b1_power_density5x3_low0_high30",
           "c2c_forward_n64_b1_power_shiftout_density16x40_span0_avg3_smooth0.5",
           "c2c_forward_n64_b1_power_density3x40_low-10_high40_avg50_holdmax" }) {
        const problem what = problem::from_string(name);
        cases.push_back({ what, make_recipe(what) });
    }
    return cases;
}

} // namespace gpufft
} // namespace gr
