// SPDX-License-Identifier: GPL-3.0-or-later
//
// The list behind the tests of expressions.

#include "host_expressions_cases.h"
#include "planner/planner.h"

namespace gr {
namespace gpufft {

std::vector<recipe_case> host_expressions_cases()
{
    std::vector<recipe_case> cases;
    for (const char* name : {
             "c2c_forward_n8_b999_load=x*gain",
             "c2c_inverse_n100_b9_cs16_shiftin_load=conj(x)+2j_store=x/(2+abs(x))",
             "c2c_forward_n128_b9999_real_store=exp(x/50)*expj(phase)",
             "c2c_forward_n60_b9_cs12_power_load=x if real(x)>level else "
             "level_store=clip(arg(x),-level,level)",
             "c2c_forward_n1009_b9_window_shiftout_scale0.5_load=-x_store=x-gain",
             "c2c_forward_n101_b9_load=abs(x)*x_store=real(x)+1j*imag(x)/"
             "2_algorithm=bluestein",
             "c2c_forward_n360_b9_cf16_load=x*x_store=x*gain_algorithm=hierarchical",
             "c2c_forward_n134_b9_load=x*gain+offset_algorithm=mixed",
             "c2c_forward_n256_b9_store=round(real(x))_algorithm=ladder2",
             "c2c_forward_n16_b99_hop16_window_taps4_load=tanh(norm(x))",
             "zoom_n50_b9_bins33_from0.1_to0.2_load=min(abs(x),level)*x",
             "c2c_forward_n64_b9_power_store=sqrt(norm(x))+log(1+abs(x))*log2(3)+"
             "log10(10)+sin(gain)+cos(gain)+tan(gain)+floor(2.5)+atan2(1,2)+max(gain,"
             "2)+2**0.5-pi",
             "correlation_n60_b9_bins2_from-0.1_to0.1_shifts3_grid_load=x*gain",
             "correlation_n64_b9_bins2_shifts2_delays50_blocks2_product=x*h/"
             "(level+abs(x*h))",
         }) {
        const problem what = problem::from_string(name);
        cases.push_back({ what, make_recipe(what) });
    }
    return cases;
}

} // namespace gpufft
} // namespace gr
