// SPDX-License-Identifier: GPL-3.0-or-later
//
// The list behind the tests of filter banks.

#include "host_bank_cases.h"
#include "plan/planner.h"

namespace gr {
namespace gpufft {

std::vector<recipe_case> host_bank_cases()
{
    std::vector<recipe_case> cases;
    for (const char* name :
         { "c2c_forward_n1_b9_hop1_window_taps5",
           "c2c_forward_n2_b9999_hop1_window_taps3_running",
           "c2c_forward_n8_b9999_hop8_window_taps16_running",
           "c2c_forward_n79_b9999_hop79_window_taps16_running",
           "c2c_inverse_n79_b9999_cs16_hop11_window_taps7_running",
           "c2c_forward_n60_b9999_real_hop20_window_taps4_running_scale0.5",
           "c2c_forward_n128_b9999_cs8_hop64_window_taps3_shiftout",
           "c2c_inverse_n45_b1_hop45_window_taps2_shiftout",
           "c2c_forward_n64_b9999_hop48_window_taps4_power_avg3",
           "c2c_forward_n79_b9999_hop79_window_taps4_decibel_avg2",
           "c2c_forward_n107_b9999_hop107_window_taps3_running",
           "c2c_forward_n107_b1_cs16_hop1_window_taps2_running_algorithm=bluestein",
           "c2c_forward_n1024_b9999_hop512_running",
           "c2c_forward_n4096_b9999_hop4096_window_taps2_running_algorithm=hierarchical",
           "c2c_forward_n2018_b99_hop2018_window_taps2_running_algorithm=mixed" }) {
        const problem what = problem::from_string(name);
        cases.push_back({ what, make_recipe(what) });
    }
    return cases;
}

} // namespace gpufft
} // namespace gr
