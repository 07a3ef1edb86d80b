// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every length has a recipe: what the planner finds for short and long, smooth and prime
// lengths, on cards with much shared memory and with little.

#include "planner/number_theory.h"
#include "planner/planner.h"

#include <gtest/gtest.h>

using namespace gr::gpufft;

namespace {

constexpr std::size_t ELEMENTS = std::size_t(1) << 27;

problem of_length(std::size_t n, std::size_t batch = 0)
{
    problem what;
    what.n = n;
    what.batch = batch > 0 ? batch : std::max<std::size_t>(1, ELEMENTS / n);
    return what;
}

// Compute capability 7.5 and 8.6, and the default, an H200.
std::vector<device_traits> cards()
{
    device_traits turing, ampere;
    turing.architecture = 75;
    turing.multiprocessors = 40;
    turing.shared_bytes = 64 << 10;
    turing.l2_bytes = 4 << 20;
    ampere.architecture = 86;
    ampere.multiprocessors = 84;
    ampere.shared_bytes = 99 << 10;
    ampere.l2_bytes = 6 << 20;
    return { turing, ampere, device_traits() };
}

// Lengths of signals, primes, and powers of two to the longest.
std::vector<std::size_t> long_lengths()
{
    std::vector<std::size_t> lengths = { 4099,    4800,    5005,    7000,     8186,
                                         8191,    10000,   10007,   15360,    16411,
                                         17000,   20011,   20224,   48000,    44100,
                                         64576,   65537,   96000,   100000,   524287,
                                         1000000, 1048573, 5000000, 16777213, 79 << 20 };
    for (int k = 13; k <= 30; ++k)
        lengths.push_back(std::size_t(1) << k);
    return lengths;
}

void expect_complete(const problem& what, const device_traits& card)
{
    const std::vector<recipe> found = recipe_candidates(what, card);
    ASSERT_FALSE(found.empty()) << what.to_string();
    for (const recipe& how : found) {
        EXPECT_EQ(how.n, what.n);
        EXPECT_FALSE(how.shapes.empty()) << how.to_text();
    }
}

} // namespace

TEST(PlanLengths, EveryShortLengthHasRecipes)
{
    for (std::size_t n = 1; n <= 4096; n += n < 128 ? 1 : 61)
        expect_complete(of_length(n), device_traits());
}

TEST(PlanLengths, LongLengthsHaveRecipesOnEveryCard)
{
    for (const device_traits& card : cards())
        for (std::size_t n : long_lengths())
            for (std::size_t batch : { 1, 0 })
                if (batch == 0 || card.architecture == 90)
                    expect_complete(of_length(n, batch), card);
}

TEST(PlanLengths, NoneIsRefusedUpToTheLongest)
{
    for (const device_traits& card : cards())
        for (std::size_t n = 1; n <= MAX_FFT_SIZE / 2; n += 1 + n / 8)
            EXPECT_EQ(planning_obstacle(of_length(n), card), "") << n;
}

// Those that are named are asked even where they would not be chosen.
TEST(PlanLengths, AnAlgorithmWithoutAnObstacleHasCandidatesOfAtLeastItsLeastCost)
{
    const device_traits card;
    for (std::size_t n = 1; n < 3000000; n = n < 100 ? n + 1 : next_smooth(n + n / 3, 13))
        for (std::size_t length : { n, n + 2 })
            for (const algorithm& each : algorithms()) {
                const problem what = of_length(length);
                if (!each.is_default || !obstacle_of(each, what, card).empty())
                    continue;
                const std::vector<recipe> found = each.candidates(what, card);
                EXPECT_FALSE(found.empty()) << each.name << " " << length;
                const double least =
                    each.least_cost_of ? each.least_cost_of(what, card) : each.least_cost;
                for (const recipe& how : found)
                    EXPECT_GE(each.cost(what, how, card), least) << how.to_text();
            }
}

TEST(PlanLengths, PowersHaveShapesInABlockWhereThereIsNoObstacle)
{
    const algorithm& stockham = find_algorithm("stockham");
    std::size_t refused = 0;
    for (std::size_t n = 1; n <= 16384; n = next_smooth(n + 1 + n / 64, 13)) {
        problem what = of_length(n);
        what.output = output_kind::power;
        if (stockham.obstacle(what, device_traits()).empty())
            EXPECT_FALSE(stockham.candidates(what, device_traits()).empty()) << n;
        else
            ++refused;
    }
    EXPECT_GT(refused, 0u); // 15625
}

TEST(PlanLengths, ARecipeIsNotSearchedForWhatCannotBe)
{
    for (const char* text : { "c2c_forward_n64_b1_algorithm=cluster",
                              "c2c_forward_n1009_b1_algorithm=stockham",
                              "c2c_forward_n1024_b1_algorithm=mixed",
                              "c2c_forward_n1024_b1_algorithm=rader" })
        EXPECT_THROW(make_recipe(problem::from_string(text)), std::invalid_argument)
            << text;
}
