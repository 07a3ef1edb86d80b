// SPDX-License-Identifier: GPL-3.0-or-later
//
// The list behind the tests of the row-column algorithm.

#include "host_row_column_cases.h"
#include "planner/planner.h"

namespace gr {
namespace gpufft {

std::vector<recipe_case> host_row_column_cases()
{
    std::vector<recipe_case> cases;
    for (const char* name :
         { "c2c_forward_n17x8_b99",
           "c2c_inverse_n8x17_b99",
           "c2c_forward_n3x17x5_b99",
           "c2c_forward_n17x1x8_b99",
           "c2c_inverse_n1x17_b99_window",
           "c2c_forward_n40x70_b99", // several tiles both ways
           "c2c_forward_n2x1100_b99",
           "c2c_forward_n17x8_b99_cs16_hop70_window_shiftin_shiftout_scale0.5",
           "c2c_inverse_n8x17_b99_cs8_hop300_shiftin",
           "c2c_forward_n8x17_b99_real_window_decibel_shiftout",
           "c2c_forward_n17x8_b99_real_power_avg3",
           "c2c_forward_n17x8_b99_cf16_window_outs16",
           "r2c_n17x8_b99",
           "r2c_n8x17_b99",
           "r2c_n3x5x7_b99",
           "r2c_n1x8_b99",
           "r2c_n8x1_b99",
           "r2c_n40x70_b99", // several tiles of columns
           "r2c_n6x5x8_b99_hop300_power",
           "c2r_n6x5x8_b99_cs16_hop100_shiftout",
           "c2c_inverse_n4x3x17_b99_hop50_cs8_shiftin_outf16",
           "r2c_n4x6_b99_hop20",
           "r2c_n3x5_b99_hop20",
           "r2c_n4x6_b99_hop30_window_shiftin_scale0.5",
           "r2c_n3x5_b99_s16_power_avg2",
           "r2c_n4x6_b99_s8_decibel_scale3",
           "c2r_n17x8_b99",
           "c2r_n8x17_b99",
           "c2r_n3x5x7_b99",
           "c2r_n8x1_b99",
           "c2r_n4x6_b99_cs16_hop20_shiftout_scale0.5",
           "c2r_n3x5_b99_cs8_window",
           "r2c_n4x6_b99_f16_outf16",
           "dct1_n5x6_b99",
           "dct2_n5x6_b99",
           "dct3_n5x6_b99",
           "dct4_n5x6_b99",
           "dst1_n5x6_b99",
           "dst2_n5x6_b99",
           "dst3_n5x6_b99",
           "dst4_n5x6_b99",
           "dct1_n4x3x2_b99",
           "dct2_n4x3x2_b99_ortho_window_scale0.5",
           "dst3_n4x3x2_b99_ortho_s16_hop7",
           "dct4_n1x5_b99_hop3",
           "dct3_n5x1_b99_s8_window",
           "c2c_forward_n17x8_b99_f64_window_shiftout",
           "r2c_n5x6_b99_f64",
           "r2c_n6x5_b99_f64_window",
           "c2r_n6x5_b99_f64_scale0.5",
           "dct2_n5x6_b99_f64_window",
           "dst3_n4x3x2_b99_f64" }) {
        const problem what =
            problem::from_string(name + std::string("_algorithm=row-column"));
        cases.push_back({ what, make_recipe(what) });
    }
    // lines in place, which the planner takes beyond 64 KiB
    for (const char* name :
         { "c2c_forward_n6x60_b9", "c2c_inverse_n6x60_b9_hop400_scale0.5" })
        cases.push_back(
            { problem::from_string(name + std::string("_algorithm=row-column")),
              recipe::from_text("row-column 360 1 0 0 [6x60] "
                                "{columns 6 1 0 0 6x64:6/64/1/18/0} "
                                "{in-place 60 1 0 0 60x1:6.10/10/1/1/0}") });
    return cases;
}

} // namespace gpufft
} // namespace gr
