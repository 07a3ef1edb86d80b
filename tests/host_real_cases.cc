// SPDX-License-Identifier: GPL-3.0-or-later
//
// The list behind the tests of real transforms.

#include "host_real_cases.h"
#include "kinds.h"
#include "planner/cluster/cluster.h"
#include "planner/planner.h"

namespace gr {
namespace gpufft {

namespace {

// The planner's choice.
void add(std::vector<recipe_case>& cases, const std::string& name)
{
    const problem what = problem::from_string(name);
    cases.push_back({ what, make_recipe(what) });
}

// Rows that move as tiles, and rows that do not, where both are candidates.
void add_both_ways(std::vector<recipe_case>& cases, const std::string& name)
{
    const problem what = problem::from_string(name);
    const std::vector<recipe> found = recipe_candidates(what, device_traits());
    for (bool tiled : { false, true }) {
        const auto how = std::find_if(found.begin(), found.end(), [&](const recipe& way) {
            return way.is_real() && way.inside().algorithm == "stockham" &&
                   way.shape().tiled == tiled;
        });
        if (how != found.end())
            cases.push_back({ what, *how });
    }
}

// By a complex transform that would fit a block.
void add_around(std::vector<recipe_case>& cases,
                const std::string& name,
                std::size_t points,
                const std::string& algorithm)
{
    problem core;
    core.n = points;
    core.algorithm = algorithm;
    const recipe inside = make_recipe(core);
    const recipe how = { "real", points, {}, real_fields{ { inside } } };
    cases.push_back({ problem::from_string(name), how });
}

// In a cluster of two blocks: real rows at both ends of its kernel, in every way to
// exchange and to read ahead.
void add_in_cluster(std::vector<recipe_case>& cases,
                    const std::string& name,
                    int first_length,
                    int second_length,
                    int blocks = 2)
{
    const problem what = problem::from_string(name);
    const bool is_read_ahead = name.rfind("r2c", 0) == 0;
    for (int way = 0; way < (is_read_ahead ? 5 : 3); ++way) {
        cluster_fields like;
        like.cluster = blocks;
        like.two_areas = way > 0;
        like.prefetched = way >= 3;
        like.by_messages = way != 1;
        like.persistent = true;
        recipe inside = cluster_recipe(
            like, first_length, second_length, 32, device_traits(), what.is_double());
        inside.shapes[0].copied_by_card = way == 4;
        cases.push_back(
            { what, recipe{ "real", inside.n, {}, real_fields{ { inside } } } });
    }
}

void add_clusters(std::vector<recipe_case>& cases)
{
    for (const char* kind : { "r2c", "c2r", "dct2", "dct3", "dct4", "dst2", "dst4" })
        add_in_cluster(cases, kind + std::string("_n512_b1"), 16, 16);
    for (const char* name : { "dct1_n257_b1",
                              "dst1_n255_b1_f64",
                              "c2r_n512_b1_f64",
                              "dct3_n512_b1_ortho_hop600_window",
                              "dct2_n512_b1_f64" })
        add_in_cluster(cases, name, 16, 16);
    // four passes of 2, rows and columns that not all blocks have
    add_in_cluster(cases, "r2c_n1000_b1_s16_hop999_window", 20, 25, 3);
    add_in_cluster(cases, "dst3_n1200_b1_ortho", 30, 20, 4);
    add_in_cluster(cases, "dct4_n1200_b1", 20, 30, 4);
    add_in_cluster(cases, "r2c_n512_b1_hop301_shiftin_power", 16, 16);
    add_in_cluster(cases, "r2c_n512_b1_s8", 16, 16);
    add_in_cluster(cases, "c2r_n512_b1_shiftout_hop400", 16, 16);
}

// Prime lengths, two rows a vector, by Rader's algorithm in a block: pairs of bins half
// of axis 0 apart or not, one frame of a tile and several, the next tile ahead.
void add_primes(std::vector<recipe_case>& cases)
{
    const auto add_named = [&](const std::string& name, const char* how) {
        cases.push_back({ problem::from_string(name), recipe::from_text(how) });
    };
    for (const std::string kind :
         { "r2c", "c2r", "dct2", "dct3", "dct4", "dst2", "dst3", "dst4" }) {
        add_named(kind + "_n17_b3", "real:rader 17 1 0 0 16x1:4.4/4/2/0/0");
        add_named(kind + "_n31_b3", "real:rader 31 1 0 0 30x1:5.6/3/1/0/0");
        add_named(kind + "_n31_b3_scale0.5", "real:rader 31 1 2 0 30x1:6.5/5/1/0/0");
        add_named(kind + "_n17_b3_f64", "real:rader 17 1 0 0 16x1:4.4/4/2/0/64");
    }
    for (const char* name : { "r2c_n17_b3_window_shiftin",
                              "r2c_n17_b3_s16_hop13",
                              "r2c_n17_b3_s8_window",
                              "r2c_n17_b3_f16_scale0.5",
                              "r2c_n17_b3_hop20",
                              "r2c_n17_b3_outf16",
                              "r2c_n17_b3_power",
                              "c2r_n17_b3_window_shiftout",
                              "c2r_n17_b3_cs16",
                              "c2r_n17_b3_cf16_hop12",
                              "c2r_n17_b3_outs16",
                              "dct2_n17_b3_ortho_window",
                              "dct2_n17_b3_hop18",
                              "dct3_n17_b3_ortho_s16",
                              "dct4_n17_b3_window",
                              "dct4_n17_b3_outf16",
                              "dst2_n17_b3_ortho",
                              "dst3_n17_b3_ortho_hop16",
                              "dst4_n17_b3_s8" })
        add_named(name, "real:rader 17 1 0 0 16x1:4.4/4/2/0/0");
    add_named("r2c_n31_b3_s16", "real:rader 31 1 2 0 30x1:6.5/5/1/0/0");
    add_named("c2r_n31_b3_f64", "real:rader 31 1 2 0 30x1:6.5/5/1/0/64");
    // frames of a multiple of 32 bytes, which stand apart
    for (const std::string name :
         { "r2c_n31_b9", "c2r_n31_b9", "c2r_n31_b9_cf16_window" }) {
        add_named(name, "real:rader 31 1 0 0 30x1:6.5/5/3/0/0");
        add_named(name + "_scale2", "real:rader 31 1 2 0 30x1:6.5/5/2/0/0");
    }
    add_named("r2c_n31_b9_f64", "real:rader 31 1 2 0 30x1:6.5/5/3/0/64");
    // the whole convolution
    for (const std::string kind : { "r2c", "c2r", "dct2", "dct4" }) {
        add_named(kind + "_n23_b3", "real:bluestein 23 1 2 0 48x1:6.8/6/1/0/0");
        add_named(kind + "_n23_b3_f64", "real:bluestein 23 1 0 0 48x1:6.8/6/2/0/64");
        add_named(kind + "_n46_b3", "real:bluestein 23 1 0 0 48x1:4.3.4/6/2/0/0");
    }
}

// A column pass before Rader's algorithm in one block: even lengths, and odd ones with
// two rows a vector; one frame of a tile and several, the next tile ahead.
void add_columns(std::vector<recipe_case>& cases)
{
    const auto add_named = [&](const std::string& name, const char* how) {
        cases.push_back({ problem::from_string(name), recipe::from_text(how) });
    };
    for (const std::string kind :
         { "r2c", "c2r", "dct2", "dct3", "dct4", "dst2", "dst3", "dst4" }) {
        add_named(kind + "_n68_b9", "real:mixed 34 1 0 0 16x2:4.4/4/4/0/0");
        add_named(kind + "_n68_b9_scale0.5", "real:mixed 34 1 2 0 16x2:4.4/4/2/0/0");
        add_named(kind + "_n51_b9", "real:mixed 51 1 0 0 16x3:4.4/4/6/0/0");
        add_named(kind + "_n51_b9_f64", "real:mixed 51 1 2 0 16x3:4.4/4/3/0/64");
        add_named(kind + "_n51_b3_alone", "real:mixed 51 1 0 0 16x3:4.4/4/3/0/0");
    }
    add_named("dct1_n35_b9", "real:mixed 34 1 0 0 16x2:4.4/4/4/0/0");
    add_named("dst1_n33_b9_f64", "real:mixed 34 1 2 0 16x2:4.4/4/4/0/64");
    for (const char* name : { "r2c_n68_b9_window_shiftin_s16_hop60",
                              "r2c_n68_b9_outf16",
                              "r2c_n68_b9_power",
                              "c2r_n68_b9_window_shiftout",
                              "c2r_n68_b9_cs16_hop40",
                              "dct2_n68_b9_ortho_window",
                              "dct3_n68_b9_ortho_s16",
                              "dst3_n68_b9_ortho_hop66" })
        add_named(name, "real:mixed 34 1 0 0 16x2:4.4/4/4/0/0");
    // partners in other columns of three, and columns longer than a radix
    add_named("c2r_n186_b9", "real:mixed 93 1 0 0 30x3:5.6/6/3/0/0");
    for (const char* name : { "r2c_n561_b3", "c2r_n561_b3", "r2c_n1122_b3" })
        add_named(name, "real:mixed 561 1 0 0 16x33:4.4/4/33/0/0");
}

// Frames of odd length, each transformed alone, by every way of two at once.
void add_alone(std::vector<recipe_case>& cases)
{
    for (const std::string kind : { "r2c", "c2r", "dct2", "dct3", "dct4" }) {
        const auto add_by = [&](const char* length, const char* how) {
            cases.push_back({ problem::from_string(kind + length + std::string("_alone")),
                              recipe::from_text(how) });
        };
        add(cases, kind + "_n15_b9999_alone");
        add_by("_n17_b9", "real:rader 17 1 0 0 16x1:4.4/4/2/0/0");
        add_by("_n31_b9", "real:rader 31 1 0 0 30x1:5.6/3/1/0/0");
        add_by("_n31_b9", "real:rader 31 1 2 0 30x1:6.5/5/3/0/0");
        add_by("_n83_b9", "real:bluestein 83 1 0 0 90x1:3.5.6/10/1/0/0");
        add_by("_n257_b3", "real:rader 257 1 0 0 16x8:4.4/32/1/0/0 16x1:4.4/4/1/0/0");
        add_around(cases, kind + "_n225_b3_alone", 225, "hierarchical");
    }
    add(cases, "r2c_n15_b9999_s16_hop7_window_alone");
    add(cases, "dst3_n9_b9999_ortho_alone");
    add(cases, "c2r_n15_b9999_f64_alone");
}

// Levels with tiles of columns and their partners: first and last radices odd and even,
// odd numbers of butterflies, tiles with columns to spare, three levels.
void add_mirrored(std::vector<recipe_case>& cases, const std::string& kind)
{
    const auto add_levels = [&](int points, const std::string& levels) {
        const int n = kind == "dct1"   ? points + 1
                      : kind == "dst1" ? points - 1
                                       : 2 * points;
        recipe how = recipe::from_text("real:hierarchical " + std::to_string(points) +
                                       " 1 0 0 " + levels);
        for (bool is_double : { false, true }) {
            for (stockham_shape& shape : how.set<real_fields>().inside[0].shapes)
                shape.is_double = is_double;
            cases.push_back({ problem::from_string(kind + "_n" + std::to_string(n) +
                                                   (is_double ? "_b3_f64" : "_b3")),
                              how });
        }
    };
    add_levels(288, "12x4:3.4/12/1/0/0 24x8:8.3/10/1/0/4");
    add_levels(324, "18x4:2.9/16/1/0/0 18x4:9.2/16/1/0/4");
    // ... that share columns, in rows that begin anywhere in a sector
    add_levels(768, "16x10:4.4/20/1/0/0 48x10:8.6/40/1/0/4");
    add_levels(640, "8x8:4.2/8/1/0/0 8x4:2.4/4/1/0/0 10x4:5.2/4/1/0/4");
}

} // namespace

std::vector<recipe_case> host_real_cases()
{
    std::vector<recipe_case> cases;
    add_primes(cases);
    // convolutions of two levels, and columns before a convolution
    for (const char* kind : { "r2c", "c2r", "dct2", "dct3", "dct4" }) {
        const auto of_levels = [&](const char* length, const char* how) {
            cases.push_back({ problem::from_string(kind + std::string(length)),
                              recipe::from_text(how) });
        };
        of_levels("_n257_b3", "real:rader 257 1 0 0 16x8:4.4/32/1/0/0 16x1:4.4/4/1/0/0");
        of_levels("_n83_b3", "real:bluestein 83 1 0 0 90x1:3.5.6/10/1/0/0");
        of_levels("_n2018_b2",
                  "real:bluestein 1009 1 0 0 16x8:16/8/1/1/0 140x1:4.5.7/20/1/1/0");
        of_levels("_n272_b3", "real:mixed 136 1 0 0 4x16:4/16/1/1/0 36x1:6.6/6/8/1/0");
    }
    for (const std::string& kind : real_kinds()) {
        for (int n : { 1, 2, 3, 4, 5, 6, 8, 15, 17, 30, 34, 100 })
            if (n > 1 || kind != "dct1")
                add_both_ways(cases, kind + "_n" + std::to_string(n) + "_b9999");
        add(cases, kind + "_n512_b1");
        const bool is_dct1 = kind == "dct1", is_dst1 = kind == "dst1";
        const int n = is_dct1 ? 65 : is_dst1 ? 63 : 128;
        add_around(cases, kind + "_n" + std::to_string(n) + "_b3", 64, "hierarchical");
        add_mirrored(cases, kind);
    }
    add_around(cases, "r2c_n450_b3_scale0.5", 225, "hierarchical");
    for (const char* name : { "r2c_n20_b9999_window_shiftin_scale0.5",
                              "r2c_n15_b9999_s16_hop7_window_shiftin",
                              "r2c_n40_b9999_s8_hop13_power",
                              "r2c_n24_b9999_window_decibel",
                              "r2c_n16_b9999_power_avg3",
                              "c2r_n12_b9999_cs16_hop9_shiftout_scale0.25",
                              "c2r_n9_b9999_cs8_shiftout",
                              "c2r_n20_b9999_window",
                              "c2r_n7_b9999_window_f64",
                              "dct1_n9_b9999_ortho",
                              "dct2_n8_b9999_ortho_s16",
                              "dct2_n7_b9999_ortho_window",
                              "dct3_n12_b9999_ortho_hop5",
                              "dct3_n5_b9999_ortho",
                              "dst1_n7_b9999_window_s8",
                              "dst2_n12_b9999_ortho_window",
                              "dst2_n5_b9999_ortho_hop6",
                              "dst3_n8_b9999_ortho_window",
                              "dst3_n9_b9999_ortho",
                              "dct4_n8_b9999_window_scale2",
                              "dst4_n7_b9999_s16_hop20",
                              "r2c_n30_b9999_f64_window_shiftin_scale0.5",
                              "r2c_n31_b9999_f64",
                              "c2r_n100_b9999_f64_shiftout",
                              "c2r_n34_b9999_f64",
                              "dct1_n9_b9999_f64_ortho",
                              "dct2_n64_b9999_f64",
                              "dct2_n15_b9999_f64_ortho",
                              "dct3_n20_b9999_f64",
                              "dct4_n16_b9999_f64_hop20",
                              "dst1_n16_b9999_f64",
                              "dst2_n34_b9999_f64",
                              "dst3_n7_b9999_f64_ortho",
                              "dst4_n5_b9999_f64" })
        add_both_ways(cases, name);
    add_clusters(cases);
    add_alone(cases);
    add_columns(cases);
    return cases;
}

} // namespace gpufft
} // namespace gr
