// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every kind in one pass and in several, with its rows read and stored by the butterflies
// or through shared memory, and every format and option of rows.

#include "host_real_mirrored_cases.h"
#include "kinds.h"

#include <string>

namespace gr {
namespace gpufft {

namespace {

constexpr int STAGED_LOAD = 1, STAGED_STORE = 2, BY_CARD = 32, IS_DOUBLE = 64,
              MIRRORED = 128;

// Shapes as in a recipe's text, without their ends: one pass, two, three; more than a
// warp; pairs in several rounds; lengths that are no power of two.
const char* const SHAPES[] = { "4x1:4/1/4/0/",        "32x1:32/1/4/0/",
                               "32x1:4.2.4/4/8/0/",   "64x1:8.8/4/4/0/",
                               "64x1:4.4.4/2/3/0/",   "128x1:16.8/8/4/0/",
                               "512x1:8.8.8/32/2/0/", "480x1:8.6.10/6/4/0/" };

int points_of(const std::string& shape) { return std::stoi(shape); }

recipe recipe_of(const std::string& shape, int ends)
{
    return recipe::from_text("real:stockham " + std::to_string(points_of(shape)) +
                             " 1 0 0 " + shape + std::to_string(ends + MIRRORED));
}

// The length of a kind's row for so many points.
int length_of(const std::string& kind, int points)
{
    return kind == "dct1" ? points + 1 : kind == "dst1" ? points - 1 : 2 * points;
}

} // namespace

std::vector<recipe_case> host_real_mirrored_cases()
{
    std::vector<recipe_case> cases;
    const auto add = [&](const std::string& kind,
                         const std::string& shape,
                         int ends,
                         const std::string& options = "") {
        const std::string n = std::to_string(length_of(kind, points_of(shape)));
        cases.push_back({ problem::from_string(kind + "_n" + n + "_b9999" + options),
                          recipe_of(shape, ends) });
    };
    int turn = 0; // each of the four ways of its ends in turn
    for (const std::string& kind : real_kinds())
        for (const char* shape : SHAPES)
            add(kind, shape, (turn % 8 + turn / 8) % 4), ++turn;
    for (const char* kind : { "r2c", "c2r", "dct1", "dct2", "dct3", "dct4", "dst1" })
        for (const char* shape : { "64x1:8.8/4/4/0/", "512x1:8.8.8/32/1/0/" })
            add(kind, shape, BY_CARD + STAGED_STORE);
    add("dct2", "64x1:4.4.4/2/3/0/", BY_CARD + STAGED_STORE, "_hop132");
    add("r2c", "64x1:8.8/4/4/0/", BY_CARD + STAGED_STORE, "_hop13_window_shiftin");
    add("dst2", "480x1:8.6.10/6/4/0/", BY_CARD + STAGED_STORE, "_s16_ortho");
    add("dct4", "64x1:8.8/4/4/0/", BY_CARD + STAGED_STORE + IS_DOUBLE, "_f64");
    constexpr int BOTH = STAGED_LOAD + STAGED_STORE;
    for (const char* options : { "_window_shiftin_scale0.5",
                                 "_s16_hop7_window",
                                 "_s8_hop70_power",
                                 "_decibel",
                                 "_f16" })
        add("r2c", "32x1:32/1/4/0/", BOTH, options);
    for (const char* options : { "_cs16_hop9_shiftout_scale0.25", "_window", "_cs8" })
        add("c2r", "64x1:8.8/4/4/0/", BOTH, options);
    for (const char* kind : { "dct2", "dct3", "dct4", "dst2", "dst3", "dst4" }) {
        add(kind,
            "64x1:8.8/4/4/0/",
            BOTH,
            std::string(kind)[3] == '4' ? "_window" : "_ortho_window");
        add(kind, "32x1:32/1/4/0/", BOTH, "_s16_hop75_scale2");
    }
    for (const char* kind : { "r2c", "c2r", "dct2", "dct3", "dct4" }) {
        add(kind, "32x1:4.2.4/4/8/0/", BOTH + IS_DOUBLE, "_f64");
        add(kind, "64x1:8.8/4/4/0/", IS_DOUBLE, "_f64");
    }
    return cases;
}

} // namespace gpufft
} // namespace gr
