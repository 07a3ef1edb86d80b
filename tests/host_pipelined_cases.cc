// SPDX-License-Identifier: GPL-3.0-or-later
//
// The list behind the tests of pipelined transforms.

#include "host_pipelined_cases.h"

namespace gr {
namespace gpufft {

std::vector<recipe_case> host_pipelined_cases()
{
    // as recipe::to_text() writes them
    constexpr int BY_THREADS = 16, BY_CARD = 48, TILES = 256, TILES_BY_CARD = 288;
    struct shape_text {
        const char* problem;
        const char* shape;
        int ends;
    };
    std::vector<recipe_case> cases;
    for (const shape_text& each : {
             shape_text{ "c2c_forward_n96_b1", "96x1:8.12/12/1/1/", BY_CARD },
             shape_text{ "c2c_forward_n96_b1", "96x1:8.12/12/1/1/", BY_THREADS },
             shape_text{ "c2c_inverse_n1000_b1_window_scale0.5",
                         "1000x1:10.10.10/50/1/1/",
                         BY_CARD },
             shape_text{ "c2c_inverse_n1000_b1_window_shiftout",
                         "1000x1:10.10.10/50/1/1/",
                         BY_THREADS },
             shape_text{ "c2c_forward_n1000_b1_hop301", // every second frame aligned
                         "1000x1:10.4.25/50/1/1/",
                         BY_CARD },
             shape_text{ "c2c_forward_n1001_b1", "1001x1:13.11.7/77/1/1/", BY_THREADS },
             shape_text{ "c2c_forward_n1000_b1_shiftin_power", // in no order to copy
                         "1000x1:20.5.10/50/1/1/",
                         BY_CARD },
             shape_text{ "c2c_forward_n1000_b1_cs16_window_decibel_shiftout",
                         "1000x1:20.5.10/50/1/1/",
                         BY_CARD },
             shape_text{ "c2c_forward_n1000_b1_cs8", // not pipelined
                         "1000x1:20.5.10/50/1/1/",
                         BY_CARD },
             shape_text{ "c2c_forward_n243_b1", "243x1:9.3.9/27/7/7/", TILES },
             shape_text{ "c2c_forward_n243_b1", "243x1:9.3.9/27/7/7/", TILES_BY_CARD },
             shape_text{ "c2c_inverse_n15_b1_window_shiftin_shiftout_scale0.5",
                         "15x1:3.5/3/4/0/",
                         TILES },
             shape_text{ "c2c_inverse_n15_b1_window_shiftin_shiftout_scale0.5",
                         "15x1:3.5/3/4/0/",
                         TILES_BY_CARD },
             shape_text{ "c2c_forward_n27_b1_cs16_hop20_power", "27x1:27/1/3/0/", TILES },
             // vectors of the tile that lie apart, but not with items of 3 bytes
             shape_text{ "c2c_forward_n8_b1", "8x1:8/1/3/0/", TILES },
             shape_text{
                 "c2c_forward_n16_b1_window_power_shiftout", "16x1:4.4/4/3/0/", TILES },
             shape_text{
                 "c2c_inverse_n32_b1_cs16_outf16_scale0.1", "32x1:4.8/4/3/0/", TILES },
             shape_text{ "c2c_forward_n64_b1_cs12", "64x1:8.8/8/3/0/", TILES },
             shape_text{ "c2c_forward_n1_b1_cs12", "1x1:1/1/1/0/", TILES },
             shape_text{
                 "c2c_forward_n64_b1_cs8_outs16_scale0.1", "64x1:8.8/8/3/0/", TILES },
             shape_text{ "c2c_forward_n10000_b1", // the twiddles by products
                         "10000x1:25.20.20/500/1/1/",
                         BY_CARD },
         }) {
        problem what = problem::from_string(each.problem);
        what.algorithm = "stockham";
        cases.push_back(
            { what,
              recipe::from_text("stockham " + std::to_string(what.n) + " 1 0 0 " +
                                each.shape + std::to_string(each.ends)) });
    }
    return cases;
}

} // namespace gpufft
} // namespace gr
