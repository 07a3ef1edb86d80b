// SPDX-License-Identifier: GPL-3.0-or-later
//
// Recipes are kept as text (wisdom): what is read back must make the same program, for
// every algorithm and every candidate of many problems.

#include "planner/planner.h"

#include <gtest/gtest.h>

using namespace gr::gpufft;

namespace {

// The tables of these take seconds for longer vectors: a candidate or two show it.
bool has_long_tables(const problem& what)
{
    return what.n > 5000 && (what.algorithm.compare(0, 9, "bluestein") == 0 ||
                             what.algorithm.compare(0, 6, "ladder") == 0);
}

void expect_equal(const kernel_instance& a, const kernel_instance& b)
{
    EXPECT_EQ(a.header, b.header);
    EXPECT_EQ(a.expression(), b.expression());
    EXPECT_EQ(a.block_threads, b.block_threads);
    EXPECT_EQ(a.frames_per_block, b.frames_per_block);
    EXPECT_EQ(a.blocks_per_frame, b.blocks_per_frame);
    EXPECT_EQ(a.cluster, b.cluster);
    EXPECT_EQ(a.persistent, b.persistent);
    EXPECT_EQ(a.shared_bytes, b.shared_bytes);
}

void expect_equal(const program& a, const program& b)
{
    ASSERT_EQ(a.steps.size(), b.steps.size());
    for (std::size_t i = 0; i < a.steps.size(); ++i) {
        const launch_step &x = a.steps[i], &y = b.steps[i];
        expect_equal(x.kernel, y.kernel);
        EXPECT_EQ(x.from, y.from);
        EXPECT_EQ(x.to, y.to);
        EXPECT_EQ(x.twiddles, y.twiddles);
        EXPECT_EQ(x.more_twiddles, y.more_twiddles);
        EXPECT_EQ(x.chirp, y.chirp);
        EXPECT_EQ(x.spectrum, y.spectrum);
        EXPECT_EQ(x.order, y.order);
        EXPECT_EQ(x.lines, y.lines);
        EXPECT_EQ(x.lines_together, y.lines_together);
        EXPECT_EQ(x.is_scaled, y.is_scaled);
        EXPECT_EQ(x.group_frames, y.group_frames);
        EXPECT_EQ(x.row_points, y.row_points);
    }
    ASSERT_EQ(a.tables.size(), b.tables.size());
    for (std::size_t i = 0; i < a.tables.size(); ++i) {
        EXPECT_TRUE(a.tables[i].points == b.tables[i].points);
        EXPECT_TRUE(a.tables[i].indices == b.tables[i].indices);
    }
    for (int i = 0; i < SCRATCH_PLACES; ++i)
        EXPECT_EQ(a.scratch_points[i], b.scratch_points[i]);
    EXPECT_EQ(a.frames_at_once, b.frames_at_once);
}

std::size_t most_candidates(const problem& what)
{
    if (!has_long_tables(what))
        return 1000; // all
    return what.n > 100000 ? 1 : 2;
}

void expect_survives(const problem& what)
{
    const device_traits card;
    if (!planning_obstacle(what, card).empty())
        return;
    for (const recipe& how : recipe_candidates(what, card, most_candidates(what))) {
        const std::string text = how.to_text();
        SCOPED_TRACE(what.to_string() + " by " + text);
        const recipe read = recipe::from_text(text);
        EXPECT_EQ(read.to_text(), text);
        EXPECT_EQ(read.to_string(), how.to_string());
        expect_equal(build_program(what, read), build_program(what, how));
        if (testing::Test::HasFailure())
            return; // one text is enough to look at
    }
}

class PlanText : public testing::TestWithParam<std::string>
{
};

} // namespace

TEST_P(PlanText, EveryCandidateMakesTheSameProgram)
{
    for (std::size_t n :
         { 1,      2,       3,       8,       17,      79,     139,     158,
           839,    1000,    1009,    1024,    2039,    2048,   2187,    4093,
           4096,   8186,    8191,    8192,    9973,    10000,  10007,   13001,
           15625,  16411,   1 << 14, 17000,   1 << 15, 48000,  1 << 16, 65537,
           100000, 1 << 18, 1 << 20, 1000000, 1048573, 1 << 24 })
        for (const char* rest : { "_b1", "_b1000000", "_b1_cs16_window_power_avg3" }) {
            const problem what = problem::from_string(
                "c2c_forward_n" + std::to_string(n) + rest + "_algorithm=" + GetParam());
            if (has_long_tables(what) && (n > 1048573 || rest != std::string("_b1")))
                continue;
            expect_survives(what);
            if (HasFailure())
                return;
        }
}

INSTANTIATE_TEST_SUITE_P(Algorithms,
                         PlanText,
                         testing::ValuesIn(algorithm_names()),
                         [](const auto& info) {
                             std::string name = info.param;
                             for (char& c : name)
                                 c = c == '-' ? '_' : c;
                             return name;
                         });
