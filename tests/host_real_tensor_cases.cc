// SPDX-License-Identifier: GPL-3.0-or-later
//
// Last axes of even and odd length, two and three axes, axes of one and two points, both
// precisions, and every format and option of frames.

#include "host_real_tensor_cases.h"
#include "planner/planner.h"

#include <string>

namespace gr {
namespace gpufft {

namespace {

constexpr const char* OF_BOTH_KINDS[] = {
    "_n28x32_b9999",         "_n4x6_b9999",     "_n15x9_b9999",   "_n8x8x8_b9999",
    "_n3x5x7_b9999",         "_n1x2_b9999",     "_n2x1_b9999",    "_n1x1_b9",
    "_n7x1x10_b1",           "_n64x64_b1",      "_n6x2_b1",       "_n5x4x3x6_b1",
    "_n5x12_b1_f64",         "_n9x15_b999_f64", "_n4x6x9_b1_f64", "_n12x14_b1_window",
    "_n5x7_b9999_window",    "_n5x7_b9_alone",  "_n11x13_b9999",  "_n6x10_b9_scale0.5",
    "_n5x9_b9_alone_hop101",
};

constexpr const char* OF_ONE_KIND[] = {
    "r2c_n6x8_b9_s16",         "r2c_n5x9_b9_s8_window",
    "r2c_n6x8_b9_f16_window",  "r2c_n6x8_b9_hop61",
    "r2c_n5x9_b9_hop44",       "r2c_n6x8_b9_power",
    "r2c_n5x9_b9_decibel",     "c2r_n6x8_b9_cs16",
    "c2r_n5x9_b9_cf16_window", "c2r_n6x8_b9_hop31",
    "c2r_n5x9_b9_hop24",       "c2r_n6x8_b9_outs16",
    "c2r_n5x9_b9_outf16",      "c2r_n6x8_b9_outf16_scale0.5",
};

// First and last passes along either axis, several rounds of a pass, idle threads, bins
// in the order of memory with and without padding.
struct real_tensor_choice {
    const char *problem, *inside;
};

constexpr real_tensor_choice BY_HAND[] = {
    { "r2c_n8x16_b9", "tensor 64 1 0 0 [8x8] 8*8x1:8b.8a/8/2/0/2" },
    { "r2c_n8x16_b9", "tensor 64 1 0 0 [8x8] 8*8x1:4a.8b.2a/16/3/0/2" },
    { "r2c_n8x16_b9", "tensor 64 1 0 0 [8x8] 8*8x1:1b.8a.4b.2b/5/1/0/2" },
    { "r2c_n9x5_b9", "tensor 45 1 0 0 [9x5] 9*5x1:3a.5b.3a/9/4/0/2" },
    { "r2c_n4x6x10_b9", "tensor 120 1 0 0 [4x6x5] 4*6*5x1:5c.4a.6b/24/2/0/2" },
    { "c2r_n8x16_b9", "tensor 64 1 0 0 [8x8] 8*8x1:8b.8a/8/2/0/0" },
    { "c2r_n8x16_b9", "tensor 64 1 0 0 [8x8] 8*8x1:1b.8a.4b.2b.1a/64/1/0/0" },
    { "c2r_n9x5_b9", "tensor 45 1 0 0 [9x5] 9*5x1:5b.3a.3a/9/4/0/0" },
    { "c2r_n4x6x10_b9", "tensor 120 1 0 0 [4x6x5] 4*6*5x1:4a.6b.5c/24/2/0/0" },
};

} // namespace

std::vector<recipe_case> host_real_tensor_cases()
{
    std::vector<recipe_case> cases;
    const auto add = [&](const std::string& name) {
        const problem what = problem::from_string(name + "_algorithm=real-tensor");
        cases.push_back({ what, make_recipe(what) });
    };
    for (const std::string kind : { "r2c", "c2r" })
        for (const char* rest : OF_BOTH_KINDS)
            add(kind + rest);
    for (const char* name : OF_ONE_KIND)
        add(name);
    for (const real_tensor_choice& each : BY_HAND)
        cases.push_back({ problem::from_string(each.problem),
                          recipe::from_text(std::string("real-tensor:") + each.inside) });
    return cases;
}

} // namespace gpufft
} // namespace gr
