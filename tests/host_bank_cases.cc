// SPDX-License-Identifier: GPL-3.0-or-later
//
// The list behind the tests of polyphase banks.

#include "host_bank_cases.h"
#include "planner/cluster/cluster.h"
#include "planner/planner.h"

namespace gr {
namespace gpufft {

namespace {

// Several frames of a tile share samples: one after the other, every second, every
// eighth; a point apart; with more taps than registers hold, and more frames than a
// thread takes.
constexpr std::pair<const char*, const char*> RECIPES[] = {
    { "c2c_forward_n128_b9_hop128_window_taps16_running",
      "stockham 128 1 0 0 128x1:4.4.8/32/8/0/1" },
    { "c2c_inverse_n128_b9_cs16_hop64_window_taps20_running",
      "stockham 128 1 0 0 128x1:4.4.8/32/4/0/3" },
    { "c2c_forward_n80_b9_hop50_window_taps5_running",
      "stockham 80 1 0 0 80x1:8.10/10/12/0/1" },
    { "c2c_forward_n128_b9_hop65_window_taps20_running",
      "stockham 128 1 0 0 128x1:4.4.8/32/8/0/1" },
    { "c2c_inverse_n128_b9_cs8_hop127_window_taps6_running",
      "stockham 128 1 0 0 128x1:4.4.8/32/6/0/1" },
    { "c2c_forward_n79_b9_hop40_window_taps16_running",
      "rader 79 1 0 0 78x1:13.6/6/8/9/0" },
    { "c2c_forward_n79_b9_hop39_window_taps3_running",
      "rader 79 1 0 0 78x1:13.6/6/8/9/0" },
    { "c2c_forward_n128_b99_hop128_window_taps16_running",
      "stockham 128 1 0 0 128x1:16.8/8/32/0/1" },
    { "c2c_forward_n64_b99_hop32_window_taps3_running",
      "stockham 64 1 0 0 64x1:8.8/8/16/0/1" },
    { "c2c_forward_n8_b9_hop8_window_taps33_running",
      "stockham 8 1 0 0 8x1:4.2/4/11/0/1" },
    { "c2c_forward_n100_b9_real_hop100_window_taps3",
      "stockham 100 1 0 0 100x1:5.4.5/25/5/0/257" },
    { "c2c_inverse_n64_b99_hop96_window_taps17_running",
      "stockham 64 1 0 0 64x1:8.8/8/20/0/1" },
    { "c2c_forward_n64_b99_hop32_window_taps3", "stockham 64 1 0 0 64x1:8.8/8/9/0/1" },
    { "c2c_forward_n128_b98_hop128_window_taps16_running",
      "stockham 128 2 0 0 128x1:16.8/8/8/0/1" },
    { "c2c_inverse_n256_b40_cs16_hop128_window_taps16_running",
      "stockham 256 4 0 0 256x1:16.16/16/4/0/1" },
    { "c2c_forward_n80_b70_hop50_window_taps5_running",
      "stockham 80 8 0 0 80x1:8.10/10/4/0/1" },
    { "c2c_forward_n107_b70_hop54_window_taps16_running",
      "bluestein 107 4 0 0 108x1:9.12/6/6/6/0" },
    { "c2c_inverse_n107_b70_hop53_window_taps5",
      "bluestein 107 2 0 0 216x1:12.18/12/8/8/0" },
    { "c2c_forward_n107_b70_hop107_window_taps16_running",
      "bluestein 107 4 0 0 225x1:15.15/15/4/14/0" },
    { "c2c_forward_n128_b19_hop65_window_taps3_shiftout",
      "stockham 128 3 0 0 128x1:4.4.8/32/3/0/257" },
    { "c2c_inverse_n128_b98_hop128_window_taps3_running_bins7",
      "stockham 128 2 0 0 128x1:16.8/8/8/0/1" },
    { "c2c_forward_n100_b9_real_hop100_window_taps3_bins8",
      "stockham 100 1 0 0 100x1:5.4.5/25/5/0/257" },
    { "c2c_forward_n107_b70_hop54_window_taps3_running_bins107",
      "bluestein 107 4 0 0 108x1:9.12/6/6/6/0" },
    { "r2c_n576_b3_s16_hop288_window_taps3_running_outs8_scale0.01",
      "real:hierarchical 288 1 0 0 12x4:3.4/12/1/0/0 24x8:8.3/10/1/0/4" },
    { "r2c_n1536_b3_hop1536_window_taps2_bins700",
      "real:hierarchical 768 1 0 0 16x10:4.4/20/1/0/0 48x10:8.6/40/1/0/4" },
    { "r2c_n257_b3_s8_hop100_window_taps3_running_outs16_scale0.1",
      "real:rader 257 1 0 0 16x8:4.4/32/1/0/0 16x1:4.4/4/1/0/0" },
    { "r2c_n17_b9_s16_hop17_window_taps5_running",
      "real:rader 17 1 0 0 16x1:4.4/4/2/0/0" },
    { "r2c_n83_b5_s16_hop41_window_taps2_running",
      "real:bluestein 83 1 0 0 90x1:3.5.6/10/1/0/0" },
    { "r2c_n272_b3_hop272_window_taps3_running",
      "real:mixed 136 1 0 0 4x16:4/16/1/1/0 36x1:6.6/6/8/1/0" },
    { "r2c_n576_b3_s10_hop288_window_taps3_running_outs8_scale0.01",
      "real:hierarchical 288 1 0 0 12x4:3.4/12/1/0/0 24x8:8.3/10/1/0/4" },
};

// In clusters of two blocks, with every way to exchange.
void add_real_clusters(std::vector<recipe_case>& cases)
{
    const char* const names[] = { "r2c_n512_b5_s16_hop256_window_taps3_running_bins100",
                                  "r2c_n512_b5_hop512_window_taps2_outs16_scale0.1",
                                  "r2c_n512_b5_hop33_window_taps2_running" };
    for (int way = 0; way < 3; ++way) {
        cluster_fields like;
        like.cluster = 2;
        like.two_areas = way > 0;
        like.by_messages = way != 1;
        like.persistent = true;
        const recipe inside = cluster_recipe(like, 16, 16, 32, device_traits(), false);
        cases.push_back({ problem::from_string(names[way]),
                          recipe{ "real", 256, {}, real_fields{ { inside } } } });
    }
}

} // namespace

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
           "c2c_forward_n2018_b99_hop2018_window_taps2_running_algorithm=mixed",
           "c2c_forward_n1_b9_hop1_window_taps5_bins1",
           "c2c_forward_n79_b9999_cf16_hop79_window_taps4_running_outs16_scale0.1",
           "c2c_forward_n100_b9999_s16_hop100_window_taps4_running_bins51",
           "c2c_forward_n79_b9999_cs12_hop79_window_taps5_running",
           "c2c_forward_n128_b9999_cs12_hop128_window_taps4_running_outs16_scale0.1",
           "c2c_forward_n128_b9999_cs16_hop64_window_taps3_running_outs8",
           "c2c_inverse_n107_b99_cs8_hop107_window_taps3_outf16_bins20_scale0.1_"
           "algorithm=bluestein",
           "c2c_forward_n4096_b99_cs16_hop4096_window_taps2_running_outs16_scale0.01_"
           "algorithm=hierarchical",
           "c2c_forward_n2018_b99_hop2018_running_outs16_bins30_scale0.01_algorithm="
           "mixed",
           "c2c_forward_n45_b9999_hop45_window_taps2_running_bins12",
           "c2c_inverse_n79_b9999_cs16_hop40_window_taps3_running_bins5_scale0.5",
           "c2c_inverse_n107_b9_hop107_window_taps3_bins20_algorithm=bluestein",
           "c2c_forward_n1024_b9999_hop512_running_bins1",
           "c2c_inverse_n4096_b99_hop999_running_bins9_algorithm=hierarchical",
           "c2c_forward_n2018_b99_hop2018_running_bins30_algorithm=mixed",
           "c2c_inverse_n20011_b3_hop20011_running_bins30_algorithm=rader",
           "c2c_inverse_n20011_b3_hop20011_running_bins30_algorithm=bluestein",
           "r2c_n1_b9_hop1_window_taps5_running",
           "r2c_n2_b99_s8_hop1_window_taps3_running",
           "r2c_n8_b9999_hop8_window_taps16_running",
           "r2c_n100_b9999_s16_hop60_window_taps4_running_outs16_scale0.1",
           "r2c_n80_b9999_f16_hop33_window_taps5_running_bins12",
           "r2c_n128_b9999_s16_hop128_window_taps9_outs8_scale0.01",
           "r2c_n128_b9999_s16_hop128_running",
           "r2c_n64_b9999_s8_hop48_window_taps4_power_avg3",
           "r2c_n79_b9999_s16_hop79_window_taps4_running",
           "r2c_n45_b9999_hop11_window_taps3_running_bins12",
           "r2c_n107_b99_s8_hop53_window_taps3_running_outs8_scale0.02",
           "r2c_n79_b9999_hop79_window_taps3_decibel",
           "r2c_n8192_b99_s16_hop8192_window_taps2_running_outs8_bins100_scale0.001",
           "r2c_n65536_b3_s16_hop65536_window_taps2_running",
           "r2c_n4036_b9_hop4036_window_taps2_running",
           "r2c_n20011_b3_s16_hop20011_running_bins30",
           "r2c_n128_b9999_s10_hop128_window_taps9_running_outs8_scale0.01",
           "r2c_n100_b9999_s10_hop52_window_taps4_running",
           "r2c_n79_b9999_s10_hop40_window_taps3_running_outs16_scale0.1",
           "r2c_n77_b9999_s12_hop10_window_taps2_bins20",
           "r2c_n96_b9999_s12_hop96_window_taps5_running",
           "r2c_n8192_b99_s10_hop8192_window_taps2_outs8_scale0.001" }) {
        const problem what = problem::from_string(name);
        cases.push_back({ what, make_recipe(what) });
    }
    for (const auto& [name, how] : RECIPES)
        cases.push_back({ problem::from_string(name), recipe::from_text(how) });
    add_real_clusters(cases);
    return cases;
}

} // namespace gpufft
} // namespace gr
