// SPDX-License-Identifier: GPL-3.0-or-later
//
// The list behind the tests of filters.

#include "host_filter_cases.h"
#include "planner/planner.h"

#include <stdexcept>

namespace gr {
namespace gpufft {

namespace {

// Decimations that fold all of the last axis, a part of it, and leave some to picking;
// the last part of a block of several is not there, and not all workers have a butterfly.
// At last a bank whose parts fit no block.
struct given_case {
    const char *problem, *recipe;
};

constexpr given_case FOLDING[] = {
    { "filter_n2_b3000_hop2_ctaps", "overlap-save 2 1 0 0 64x1:4.16/4/4/0/0" },
    { "filter_n33_b3000_hop3_ctaps", "overlap-save 33 1 0 0 192x1:8.4.6/48/1/0/0" },
    { "filter_n5_b3000_hop5_scale0.5", "overlap-save 5 1 0 0 80x1:4.4.5/20/2/0/0" },
    { "filter_n64_b3000_real_hop8", "overlap-save 64 1 0 0 256x1:4.8.8/32/2/0/0" },
    { "filter_n77_b3000_hop10_ctaps", "overlap-save 77 1 0 0 640x1:8.8.10/64/1/0/0" },
    { "filter_n101_b3000_real_hop10", "overlap-save 101 1 0 0 640x1:4.8.20/45/2/0/0" },
    { "filter_n65_b3000_hop12_ctaps", "overlap-save 65 1 0 0 256x1:8.4.8/32/1/0/0" },
    { "filter_n100_b3000_hop33", "overlap-save 100 1 0 0 352x1:4.8.11/32/1/0/0" },
    { "filter_n600_b3000_hop10_ctaps",
      "overlap-save 600 1 0 0 16x8:4.4/32/1/0/0 160x1:4.4.10/40/1/0/0" },
    { "filter_n700_b3000_real_hop12",
      "overlap-save 700 1 0 0 32x8:8.4/32/1/0/0 96x1:4.4.6/16/1/0/0" },
    { "filter_n600_b3000_hop20_running_ctaps_bins3",
      "channels 600 1 0 0 16x8:4.4/32/1/0/0 160x8:16.10/80/1/0/4 128x1:16.8/8/1/0/0" },
};

recipe first_with_levels(const problem& what, const device_traits& card, bool levels)
{
    for (const recipe& how : recipe_candidates(what, card, 99))
        if ((how.shapes.size() > 1) == levels)
            return how;
    throw std::logic_error(what.to_string() + " has no such recipe");
}

} // namespace

std::vector<recipe_case> host_filter_cases()
{
    device_traits small; // short parts
    small.shared_bytes = 16 << 10;
    std::vector<recipe_case> cases;
    for (const char* name : { "filter_n1_b100000_ctaps",
                              "filter_n2_b100000_real",
                              "filter_n33_b100000",
                              "filter_n33_b100000_hop33_ctaps",
                              "filter_n100_b100000_hop7_scale0.5",
                              "filter_n65_b100000_real_hop5",
                              "filter_n501_b3000_ctaps",
                              "filter_n33_b100000_cs16_outs16",
                              "filter_n100_b100000_cs8_hop7_outf16_scale0.5",
                              "filter_n65_b100000_s16_hop5_outs16",
                              "filter_n33_b100000_cs12_hop3",
                              "filter_n65_b50000_s12_hop2_outs16",
                              "filter_n50_b30000_s10_hop4_scale0.5",
                              "filter_n20_b100000_f16_outs8_scale0.3" }) {
        const problem what = problem::from_string(name);
        cases.push_back({ what, first_with_levels(what, small, false) });
    }
    for (const given_case& each : FOLDING)
        cases.push_back(
            { problem::from_string(each.problem), recipe::from_text(each.recipe) });
    for (const char* name : { "filter_n65_b3000_bins2_ctaps",
                              "filter_n200_b3000_hop20_running_ctaps_bins5",
                              "filter_n100_b3000_hop34_running_bins37",
                              "filter_n65_b3000_cs16_outs16_bins2_scale0.1",
                              "filter_n65_b3000_s16_hop4_running_ctaps_bins2",
                              "filter_n33_b3001_real_hop5_running_bins3",
                              "filter_n20_b1_s8_hop3_running",
                              "filter_n61_b3001_s10_hop12_running_bins3",
                              "filter_n66_b3001_s12_hop6_ctaps_outs16_bins2_scale0.1",
                              "filter_n101_b3000_s16_hop10_bins5_outs16_scale0.1",
                              "filter_n100_b3000_cf16_hop34_running_outs8_bins3" }) {
        const problem what = problem::from_string(name);
        cases.push_back({ what, make_recipe(what, small) });
    }
    for (const char* name : { "filter_n700_b9999_ctaps",
                              "filter_n501_b9999_real",
                              "filter_n700_b9999_cs16_outs8_scale0.03",
                              "filter_n600_b9999_s12_hop2",
                              "filter_n600_b9999_hop3" }) {
        const problem what = problem::from_string(name);
        cases.push_back({ what, first_with_levels(what, small, true) });
    }
    return cases;
}

} // namespace gpufft
} // namespace gr
