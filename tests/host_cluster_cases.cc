// SPDX-License-Identifier: GPL-3.0-or-later
//
// The list behind the tests of cluster transforms.

#include "host_cluster_cases.h"
#include "planner/cluster/cluster.h"

namespace gr {
namespace gpufft {

namespace {

struct geometry {
    const char* problem;
    int first_length, second_length, cluster, threads;
};

constexpr geometry GEOMETRIES[] = {
    { "c2c_forward_n1024_b1", 32, 32, 4, 32 },
    { "c2c_inverse_n1024_b1_window_shiftin_shiftout", 64, 16, 2, 64 },
    { "c2c_forward_n1000_b1", 25, 40, 2, 32 },             // 25 rows: 13 and 12
    { "c2c_forward_n1000_b1_hop300", 10, 100, 8, 24 },     // 13 columns, the last block 9
    { "c2c_forward_n64_b1_power_shiftout", 8, 8, 16, 16 }, // half of the blocks are idle
    { "c2c_forward_n1001_b1_cs16_window_decibel", 77, 13, 2, 32 },
    { "c2c_inverse_n4096_b1_scale0.5", 512, 8, 4, 64 }, // three passes, then one
    { "c2c_forward_n4096_b1", 8, 512, 8, 64 },          // one pass, then three
    { "c2c_forward_n625_b1_real_power", 25, 25, 5, 25 },
};

} // namespace

std::vector<recipe_case> host_cluster_cases()
{
    std::vector<recipe_case> cases;
    for (const geometry& each : GEOMETRIES) {
        problem what = problem::from_string(each.problem);
        what.algorithm = "cluster";
        for (int way = 0; way < 8; ++way) {
            cluster_fields like;
            like.cluster = each.cluster;
            like.two_areas = way % 4 > 0;
            like.prefetched = way % 4 >= 2;
            like.by_messages = way < 4;
            like.persistent = true;
            recipe how = cluster_recipe(like,
                                        each.first_length,
                                        each.second_length,
                                        each.threads,
                                        device_traits());
            how.shapes[0].copied_by_card = way % 4 == 3;
            cases.push_back({ what, how });
        }
    }
    return cases;
}

} // namespace gpufft
} // namespace gr
