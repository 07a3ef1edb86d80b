// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the planner chooses, without wisdom, for calls that do not fill the card, and its
// estimates for them against times measured on an H200.

#include "planner/convolution/convolution_cost.h"
#include "planner/cost.h"
#include "planner/number_theory.h"
#include "planner/planner.h"
#include "small_call_times.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <sstream>

using namespace gr::gpufft;

namespace {

problem call_of(std::size_t n, std::size_t batch)
{
    problem what;
    what.n = n;
    what.batch = batch;
    return what;
}

struct measured {
    double time, estimate;
    std::string text;
};

// By problem.
std::map<std::string, std::vector<measured>> all_measured()
{
    std::map<std::string, std::vector<measured>> all;
    std::istringstream text(SMALL_CALL_TIMES);
    problem what;
    double time;
    std::string recipe_text;
    while (text >> what.n >> what.batch >> time >> std::ws &&
           std::getline(text, recipe_text)) {
        const recipe how = recipe::from_text(recipe_text);
        const double estimate =
            find_algorithm(how.algorithm).cost(what, how, device_traits());
        all[what.to_string()].push_back({ time, estimate, recipe_text });
    }
    return all;
}

bool takes_less_time(const measured& a, const measured& b) { return a.time < b.time; }
bool is_liked_better(const measured& a, const measured& b)
{
    return a.estimate < b.estimate;
}

} // namespace

TEST(SmallCalls, AreThoseThatDoNotFillTheCard)
{
    EXPECT_TRUE(is_small_call(call_of(1024, 1023)));
    EXPECT_FALSE(is_small_call(call_of(1024, 1024)));
    EXPECT_TRUE(is_small_call(call_of(1009, 1039)));
    EXPECT_FALSE(is_small_call(call_of(1009, 1040)));
    EXPECT_TRUE(is_small_call(call_of(4096, 1023))); // long vectors have fewer blocks
    EXPECT_FALSE(is_small_call(call_of(4096, 1024)));
    EXPECT_FALSE(is_small_call(problem::from_string("c2c_forward_n1024_b1_power")));
    launch_work some;
    EXPECT_EQ(launch_cost(1.25, some, call_of(1024, 4096), device_traits()), 1.25);
}

TEST(SmallCalls, TheBestEstimateIsNearTheFastestMeasured)
{
    constexpr double MOST_LOSS = 1.15;
    const auto all = all_measured();
    EXPECT_GE(all.size(), 12u);
    for (const auto& [name, recipes] : all) {
        const measured& fastest =
            *std::min_element(recipes.begin(), recipes.end(), takes_less_time);
        const measured& liked =
            *std::min_element(recipes.begin(), recipes.end(), is_liked_better);
        std::printf("    %s: %.1f us of %.1f us: %s\n",
                    name.c_str(),
                    fastest.time,
                    liked.time,
                    liked.text.c_str());
        EXPECT_LE(liked.time, MOST_LOSS * fastest.time) << name << ' ' << liked.text;
    }
}

// Of pairs whose times differ clearly.
TEST(SmallCalls, EstimatesOrderPairsAsMeasured)
{
    constexpr double CLEARLY = 1.2, LEAST_SHARE = 0.9;
    int pairs = 0, ordered = 0;
    for (const auto& [name, recipes] : all_measured())
        for (const measured& a : recipes)
            for (const measured& b : recipes)
                if (a.time * CLEARLY < b.time) {
                    ++pairs;
                    ordered += is_liked_better(a, b);
                }
    EXPECT_GT(pairs, 300);
    EXPECT_GE(ordered, LEAST_SHARE * pairs) << pairs;
}

// Over a copy of the data, which an H200 makes at 2.6e11 points a second.
TEST(SmallCalls, EstimatesAreTimes)
{
    constexpr double POINTS_PER_MICROSECOND = 2.6e5, MOST_OFF = 0.12;
    double squares = 0;
    int count = 0;
    for (const auto& [name, recipes] : all_measured()) {
        const problem what = problem::from_string(name);
        const double points = double(what.n) * double(what.batch);
        for (const measured& each : recipes) {
            const double estimate = each.estimate * points / POINTS_PER_MICROSECOND;
            squares += std::pow(estimate / each.time - 1, 2);
            ++count;
        }
    }
    EXPECT_LE(std::sqrt(squares / count), MOST_OFF);
}

TEST(SmallCalls, LongVectorsAreSharedByManyBlocks)
{
    for (std::size_t n : { 8192, 10000, 16384, 32768 }) {
        const recipe how = make_recipe(call_of(n, 1));
        EXPECT_EQ(how.algorithm, "cluster") << n;
        EXPECT_GE(how.cluster(), 8) << n;
        EXPECT_FALSE(how.of<cluster_fields>().by_messages) << n;
    }
    for (std::size_t n : { 131072, 262144, 1000000, 1 << 20 }) {
        const recipe how = make_recipe(call_of(n, 1));
        EXPECT_EQ(how.algorithm, "hierarchical") << n;
        for (const stockham_shape& shape : how.shapes)
            EXPECT_GE(n / shape.elements(), 64u) << n;
    }
    // these two take the same time, as was measured
    const std::string algorithm = make_recipe(call_of(65536, 1)).algorithm;
    EXPECT_TRUE(algorithm == "hierarchical" || algorithm == "cluster") << algorithm;
    EXPECT_EQ(make_recipe(call_of(1024, 1)).algorithm, "stockham");
}

TEST(SmallCalls, ManyVectorsAreABlockEach)
{
    for (std::size_t n : { 1000, 1024, 4096, 16384 }) {
        const recipe how = make_recipe(call_of(n, 100));
        EXPECT_EQ(how.algorithm, n < 16384 ? "stockham" : "in-place");
        EXPECT_EQ(how.shape().transforms, 1) << n;
        EXPECT_EQ(how.shape().blocks, n < 16384 ? 2 : 1) << n; // of two calls
        EXPECT_FALSE(how.shape().copied_by_card) << n;
    }
}

TEST(SmallCalls, ConvolutionsHaveManyThreadsAndAFrameABlock)
{
    for (std::size_t batch : { 1, 3, 17, 100 }) {
        const recipe how = make_recipe(call_of(1009, batch));
        EXPECT_EQ(how.algorithm, "rader") << batch;
        EXPECT_GE(how.shape().threads, 96) << batch;
        EXPECT_EQ(how.shape().transforms, 1) << batch;
        EXPECT_FALSE(how.prefetched()) << batch; // there is no next frame
    }
    const recipe how = make_recipe(call_of(10007, 1));
    EXPECT_EQ(how.algorithm, "bluestein");
    EXPECT_GE(how.shape().threads, 512);
}

TEST(SmallCalls, NoCandidateCostsLessThanItsAlgorithmsBound)
{
    const device_traits card;
    for (std::size_t n = 2; n < 400000; n = next_smooth(n + n / 2, 13))
        for (std::size_t length : { n, n + 1 })
            for (std::size_t batch : { 1, 17, 300 })
                for (const algorithm& each : algorithms()) {
                    const problem what = call_of(length, batch);
                    if (!each.is_default || !is_small_call(what) ||
                        !obstacle_of(each, what, card).empty())
                        continue;
                    const double least = least_cost_of(each, what, card);
                    for (const recipe& how : each.candidates(what, card))
                        EXPECT_GE(each.cost(what, how, card), least)
                            << what.to_string() << ' ' << how.to_text();
                }
}

// The search drops groups of shapes whose bound is too high.
void expect_same_head(int length,
                      const problem& what,
                      const convolution_use& use,
                      const convolution_work& work)
{
    constexpr std::size_t SHORT = 4, LONG = 1000;
    const device_traits card;
    const auto some = convolution_candidates(length, what, use, work, card, SHORT);
    const auto all = convolution_candidates(length, what, use, work, card, LONG);
    const std::string text = what.to_string() + " by " + std::to_string(length);
    ASSERT_EQ(some.size(), std::min(SHORT, all.size())) << text;
    ASSERT_FALSE(some.empty()) << text;
    for (std::size_t i = 0; i < some.size(); ++i) {
        EXPECT_EQ(some[i].radices, all[i].radices) << text;
        EXPECT_EQ(some[i].threads, all[i].threads) << text;
        EXPECT_EQ(some[i].transforms, all[i].transforms) << text;
    }
}

TEST(SmallCalls, AShortListIsTheHeadOfALongOne)
{
    constexpr convolution_work BLUESTEIN = { 2, 0, 20, 0 }, RADER;
    for (std::size_t n : { 37, 211, 1000 })
        for (std::size_t batch : { 1, 100, 1000, 14169, 1000000 }) {
            const problem what = call_of(n, batch);
            convolution_use use;
            use.apart = true;
            use.samples = int(n);
            if (n != 1000)
                expect_same_head(int(n) - 1, what, use, RADER);
            use.linear = true;
            use.most_frames = 8;
            for (std::size_t length : { 2 * n, 2 * n + 16, 2 * n + n / 20 })
                expect_same_head(int(next_smooth(length, 13)), what, use, BLUESTEIN);
        }
}
