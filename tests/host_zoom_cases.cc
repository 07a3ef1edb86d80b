// SPDX-License-Identifier: GPL-3.0-or-later
//
// The list behind the tests of zooms.

#include "host_zoom_cases.h"
#include "planner/planner.h"

namespace gr {
namespace gpufft {

std::vector<recipe_case> host_zoom_cases()
{
    std::vector<recipe_case> cases;
    for (const char* name : { "zoom_n1_b1",
                              "zoom_n1_b9_bins9_from0.1_to0.3",
                              "zoom_n2_b9999_bins3_from-0.3_to0.1",
                              "zoom_n64_b9999",
                              "zoom_n100_b1_bins20_from0.1_to0.2",
                              "zoom_n31_b9999_bins200_from1000.1_to1000.2",
                              "zoom_n1000_b1_bins77_from0.3_to-0.3",
                              "zoom_n60_b9999_f64_bins30_from0.4_to0.45",
                              "zoom_n64_b9999_hop16_window_bins10_from0.1_to0.2_scale0.5",
                              "zoom_n48_b9_cs16_bins30_from0.4_to0.6_power_avg2",
                              "zoom_n40_b9999_cs8_decibel_bins50_from0.1_to0.3",
                              "zoom_n24_b9_cf16_outf16_bins24_from0.1_scale0.1" }) {
        const problem what = problem::from_string(name);
        cases.push_back({ what, make_recipe(what) });
    }
    device_traits small; // frames with their bins go through global memory
    small.shared_bytes = 16 << 10;
    for (const char* name : { "zoom_n2000_b2_cs16_hop500_window_bins500_from0.1_to0.2",
                              "zoom_n500_b1_bins3000_from0.3_to0.1_f64" }) {
        const problem what = problem::from_string(name);
        cases.push_back({ what, make_recipe(what, small) });
    }
    return cases;
}

} // namespace gpufft
} // namespace gr
