// SPDX-License-Identifier: GPL-3.0-or-later
//
// The list behind the tests of transforms of several axes.

#include "host_tensor_cases.h"
#include "planner/axes/tensor_cluster.h"
#include "planner/planner.h"

namespace gr {
namespace gpufft {

namespace {

// As the planner has them on an H200.
constexpr const char* PLANNED[] = {
    "c2c_forward_n1x1_b1",
    "c2c_forward_n1x60_b1",
    "c2c_inverse_n60x1_b9999",
    "c2c_forward_n2x3_b9999",
    "c2c_inverse_n5x5_b999999", // in tiles
    "c2c_forward_n3x6x7_b999999_hop100_cs16",
    "c2c_forward_n9x6_b1_real",
    "c2c_forward_n8x8_b9999",
    "c2c_inverse_n16x16_b9999",
    "c2c_forward_n32x32_b9999",
    "c2c_forward_n15x77_b1_window_shiftin_shiftout_scale0.5",
    "c2c_inverse_n7x9_b1_window_shiftin_shiftout",
    "c2c_forward_n12x10_b1_cs16_window_power_shiftout",
    "c2c_forward_n4x6x5_b1_cs8_decibel",
    "c2c_forward_n10x12_b1_real_power_avg2",
    "c2c_forward_n10x12_b1_hop50",
    "c2c_forward_n8x8x8_b9999",
    "c2c_inverse_n3x4x5x2_b1",
    "c2c_forward_n64x64_b1",
    "c2c_forward_n16x16x16_b9999",
    "c2c_forward_n128x128_b9999",
    "c2c_forward_n256x256_b1",
    "c2c_inverse_n8x4096_b1_window",
    "c2c_forward_n4096x8_b1",
    "c2c_forward_n32x32x32_b1_shiftin_shiftout",
    "c2c_forward_n40x50x60_b1",
};

// Cut as on cards with less memory, so that small frames take several steps.
constexpr const char* CHOSEN[] = {
    "tensor 64 1 0 0 [8x8] 2*8x1:8b.2a/8/1/0/0 4x4:4a/4/1/0/0",
    "tensor 64 1 0 0 [8x8] 8x1:2a.4a/4/1/0/0 8x8:4a.2a/16/1/0/0",
    "tensor 480 1 0 0 [8x10x6] 2*6x1:6b.2a/2/1/0/0 4*5x3:4a.5b/15/1/0/0 2x6:2a/6/1/0/0",
    "tensor 1024 1 0 0 [128x8] 2*8x1:2a.8b/2/1/0/0 4x4:2a.2a/8/1/0/0 16x8:4a.4a/32/1/0/0",
    "tensor 4096 1 0 0 [16x16x16] 4*16x1:4a.4b.4b/16/1/0/0 16*4x4:16a.4b/32/1/0/0",
    "tensor 1024 1 0 0 [32x32] 32*32x1:4a.32b.8a/32/1/0/16",
    "tensor 1024 1 0 0 [32x32] 32*32x1:8a.8b.4b.4a/64/1/0/48",
    "tensor 512 1 0 0 [8x8x8] 8*8*8x1:4a.8c.8b.2a/64/1/0/48",
    "tensor 1536 1 0 0 [6x16x16] 16*16x1:16a.16b.1a/16/1/0/0 6x64:6a/64/1/0/0",
    "tensor 25 1 0 0 [5x5] 5*5x1:5a.5b/1/3/0/256",
    "tensor 30 1 0 0 [3x2x5] 3*2*5x1:3a.5c.2b/4/3/0/288",
    "tensor 270 1 0 0 [6x45] 6*45x1:15b.3b.6a/18/2/0/256",
};

// In a cluster, in every way to exchange and to read ahead.
struct cluster_case {
    const char* problem;
    int cluster, threads;
};

constexpr cluster_case IN_CLUSTERS[] = {
    { "c2c_forward_n16x16_b1", 2, 16 },
    { "c2c_inverse_n12x10_b1_window_shiftin_shiftout_scale0.5", 2, 20 },
    { "c2c_forward_n30x28_b1_cs16_power_hop900", 4, 40 }, // blocks with fewer rows
    { "c2c_inverse_n64x64_b1_window", 4, 64 },
    { "c2c_forward_n8x8x8_b1", 2, 32 },
    { "c2c_forward_n8x6x20_b1_shiftout", 4, 30 },
    { "c2c_inverse_n4x6x5x8_b1", 2, 60 },
    { "c2c_forward_n1x32x1x64_b1_decibel", 8, 32 },
    { "c2c_forward_n16x16x16_b1_f64", 4, 128 },
};

void add_tensor_clusters(std::vector<recipe_case>& cases)
{
    for (const cluster_case& each : IN_CLUSTERS) {
        problem what = problem::from_string(each.problem);
        what.algorithm = "tensor";
        for (int way = 0; way < 8; ++way) {
            cluster_fields like;
            like.cluster = each.cluster;
            like.two_areas = way % 4 > 0;
            like.prefetched = way % 4 >= 2;
            like.by_messages = way < 4;
            like.persistent = true;
            if (like.prefetched && what.shift_input)
                continue;
            recipe how =
                tensor_cluster_recipe(
                    like, what.axes(), each.threads, device_traits(), what.is_double())
                    .value();
            how.shapes[0].copied_by_card = way % 4 == 3;
            cases.push_back({ what, how });
        }
    }
}

} // namespace

std::vector<recipe_case> host_tensor_cases()
{
    std::vector<recipe_case> cases;
    for (const char* text : PLANNED) {
        problem what = problem::from_string(text);
        what.algorithm = "tensor";
        cases.push_back({ what, make_recipe(what) });
    }
    for (const char* text : CHOSEN) {
        problem what;
        what.algorithm = "tensor";
        const recipe how = recipe::from_text(text);
        what.lengths = how.lengths;
        what.n = how.n;
        for (direction dir : { direction::forward, direction::inverse }) {
            what.dir = dir;
            what.window = what.shift_input = what.shift_output =
                dir == direction::inverse;
            cases.push_back({ what, how });
        }
    }
    add_tensor_clusters(cases);
    return cases;
}

} // namespace gpufft
} // namespace gr
