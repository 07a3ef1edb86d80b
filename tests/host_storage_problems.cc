// SPDX-License-Identifier: GPL-3.0-or-later
//
// The lists behind the host engine's tests of storage.

#include "host_storage_problems.h"

namespace gr {
namespace gpufft {

namespace {

std::vector<problem> problems_from(std::initializer_list<const char*> texts)
{
    std::vector<problem> problems;
    for (const char* text : texts)
        problems.push_back(problem::from_string(text));
    return problems;
}

} // namespace

std::vector<problem> host_storage_problems()
{
    return problems_from({
        "c2c_forward_n1_b1_cf16",
        "c2c_forward_n1_b1_outf16",
        "c2c_forward_n1_b1_outs16",
        "c2c_forward_n1_b1_outs8",
        "c2c_forward_n100_b1_cf16",
        "c2c_inverse_n100_b1_cf16_window_shiftin_power",
        "c2c_forward_n1000_b1_outf16_shiftout_scale0.03",
        "c2c_inverse_n243_b9999_cs8_outs16_scale0.05",
        "c2c_forward_n100_b1_cs16_outs8",
        "c2c_forward_n64_b9999_s16_window",
        "c2c_forward_n79_b9999_s8_power_outf16",
        "c2c_forward_n1000_b9999_cs16_window_power_outf16_avg3",
        "r2c_n100_b9999_s16_window_decibel_outf16_avg2_smooth0.3",
        "c2c_forward_n1_b1_cs12",
        "c2c_forward_n79_b9999_cs12_hop40_window_shiftout",
        "c2c_inverse_n4096_b1_cs12_outs16_scale0.01_algorithm=hierarchical",
        "c2c_forward_n16x12_b1_cs12",
        "c2c_forward_n1000_b9999_cs12_window_power_avg3",
        "r2c_n60_b1_s8_outs16",
        "r2c_n64_b9999_s10_hop40_window",
        "r2c_n60_b9999_s12_shiftin",
        "r2c_n79_b9999_s10_hop84_window_shiftin",
        "r2c_n4096_b1_s10_hop4092_window_power_avg3",
        "r2c_n1009_b99_s12_hop1010_window",
        "dct2_n60_b1_outs8",
        "c2c_forward_n64_b999999_cf16_outs8_scale0.1",
        "c2c_forward_n4096_b1_cf16_outs16_scale0.01_algorithm=hierarchical",
        "c2c_forward_n1000_b1_outf16_scale0.03_algorithm=ladder16",
        "c2c_forward_n79_b9999_outf16_scale0.1_algorithm=rader",
        "c2c_forward_n47_b9999_cf16_outs16_scale0.1_algorithm=bluestein",
        "c2c_forward_n16x12_b1_cf16_outf16_scale0.1",
        "r2c_n1_b1_f16",
        "r2c_n1_b1_s16",
        "r2c_n1_b1_s8",
        "r2c_n64_b1_s8_window_outs16_scale0.05",
        "r2c_n100_b9999_f16_outf16",
        "r2c_n15_b1_s16",
        "c2r_n100_b1_cf16_outs8_scale0.005",
        "dct2_n60_b1_s16_outf16_scale0.1",
        "dst4_n15_b1_outs16_scale0.02",
    });
}

std::vector<problem> host_layout_problems()
{
    return problems_from({
        // fused: side by side where they are written, then also where they are read
        "c2c_forward_n64_b100_ostrides100_odist1",
        "c2c_inverse_n60_b10_hop30_window_shiftin_shiftout_ostrides12_odist1_scale0.5",
        "c2c_forward_n100_b7_f64_ostrides7_odist1",
        "c2c_forward_n48_b9_cs16_outf16_scale0.1_ostrides20_odist2",
        "c2c_forward_n64_b40_hop1_istrides40_ostrides40_odist1",
        // copied
        "c2c_forward_n1000_b3_istrides2",
        "c2c_forward_n100_b5_hop1_istrides5",
        "c2c_forward_n79_b40_hop1_istrides40_ostrides41_odist1",
        "c2c_forward_n300_b3_odist400",
        "c2c_inverse_n15_b3_ostrides3_odist50_cs8_outs8_scale0.05",
        "c2c_forward_n8x12_b2_istrides1x8_odist200",
        "c2c_forward_n16x4_b2_f64_ostrides1x16",
        "c2c_forward_n100_b3_istrides3_window_power_shiftout",
        "r2c_n15_b3_istrides2_odist20",
        "r2c_n100_b40_hop1_istrides40_ostrides40_odist1",
        "c2r_n64_b2_istrides3_ostrides2",
        "dct2_n30_b3_f64_istrides2_hop100_odist31",
        "dct2_n30x20_b3_odist700",
        "r2c_n16x15_b2_f64_istrides20x1",
        "c2c_forward_n300_b3_cs12_istrides3_hop900",
        "c2c_forward_n79_b40_cs12_hop1_istrides40",
        "c2c_forward_n64_b40_cs12_hop1_istrides40_ostrides40_odist1",
    });
}

} // namespace gpufft
} // namespace gr
