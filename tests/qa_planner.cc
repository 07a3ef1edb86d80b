// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the planner chooses, without running a transform: which lengths it has, that every
// recipe is one that the kernels can run, and the properties that make it fast.

#include "engine/wisdom_file.h"
#include "planner/exchange.h"
#include "planner/kernel_instance.h"
#include "planner/planner.h"
#include "planner/stockham/stockham.h"
#include "planner/wisdom.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <stdexcept>

using namespace gr::gpufft;

namespace {

problem of_length(std::size_t n)
{
    problem what;
    what.n = n;
    return what;
}

// In calls that fill the card.
stockham_shape shape_of(std::size_t n)
{
    problem what = of_length(n);
    what.batch = std::size_t(1) << 22;
    what.algorithm = "stockham";
    return make_recipe(what).shape();
}

} // namespace

TEST(Planner, KnowsItsLengths)
{
    for (std::size_t n : { 1, 2, 13, 61, 1000, 7808, 8190, 8192, 10000, 16384 })
        EXPECT_TRUE(is_stockham_size(n)) << n;
    for (std::size_t n : { 0, 67, 1009, 8191, 8193, 8308, 32768 })
        EXPECT_FALSE(is_stockham_size(n)) << n;
}

TEST(Planner, RefusalNamesAlgorithmAndLength)
{
    problem what = of_length(1009);
    what.algorithm = "stockham";
    try {
        make_recipe(what);
        FAIL() << "accepted";
    } catch (const std::invalid_argument& error) {
        EXPECT_NE(std::string(error.what()).find("1009"), std::string::npos);
        EXPECT_NE(std::string(error.what()).find("stockham"), std::string::npos);
    }
}

TEST(Planner, DamagedTextOfARecipeIsRefused)
{
    for (const char* text : { "",
                              "stockham",
                              "stockham 8 1 0 0 8x1:4.4/4/32/0/0",
                              "stockham 8 1 0 0 8x1:4.2/4/32/0/0x" })
        EXPECT_THROW(recipe::from_text(text), std::invalid_argument) << text;
}

TEST(Planner, EveryRecipeCanRun)
{
    for (std::size_t n = 1; n <= 8192; ++n) {
        if (!is_stockham_size(n))
            continue;
        problem small = of_length(n);
        small.algorithm = "stockham";
        for (const stockham_shape& shape : { shape_of(n), make_recipe(small).shape() }) {
            const int product = std::accumulate(
                shape.radices.begin(), shape.radices.end(), 1, std::multiplies<int>());
            ASSERT_EQ(product, int(n));
            ASSERT_EQ(shape.paddings.size() + 1, shape.radices.size()) << n;
            ASSERT_GE(shape.threads, 1) << n;
            ASSERT_LE(shape.block_threads(), 1024) << n;
            ASSERT_LE(shape.points(), most_points(shape.radices)) << n;
            // 99 KiB a block are there from compute capability 8.6 on
            ASSERT_LE(shape.shared_bytes(), 99u * 1024) << n;
            ASSERT_LE(conflict_ratio(shape), 2.0) << n;
        }
    }
}

TEST(Planner, PowersOfTwoHaveNoBankConflicts)
{
    for (std::size_t n = 128; n <= 8192; n *= 2)
        EXPECT_EQ(conflict_ratio(shape_of(n)), 1.0) << n;
}

TEST(Planner, FewPassesWhereRegistersAllow)
{
    EXPECT_EQ(shape_of(7).radices.size(), 1u);
    EXPECT_EQ(shape_of(13).radices.size(), 1u);
    EXPECT_LE(shape_of(256).radices.size(), 3u);
    EXPECT_LE(shape_of(4096).radices.size(), 4u);
    EXPECT_LE(shape_of(8192).radices.size(), 4u);
}

TEST(Planner, ShortVectorsShareABlock)
{
    EXPECT_GE(shape_of(8).transforms, 16);
    EXPECT_GE(shape_of(100).transforms, 2);
    EXPECT_EQ(shape_of(8192).transforms, 1);
}

// The other algorithms write every frame's powers before they are averaged.
TEST(Planner, PowersAreSummedInTheKernelWhereTheyFitABlock)
{
    for (std::size_t n : { 1, 8, 60, 1000, 2187, 4096, 6000, 8000, 8190, 8192 })
        for (const char* format : { "", "_cs16", "_cs8" })
            for (const char* average : { "", "_avg100" })
                EXPECT_EQ(
                    make_recipe(problem::from_string("c2c_forward_n" + std::to_string(n) +
                                                     "_b1" + format + "_power" + average))
                        .algorithm,
                    "stockham")
                    << n << format << average;
}

TEST(Planner, ConvolutionsShareTheirKernelsBothWays)
{
    for (const char* text : { "c2c_inverse_n1009_b100_algorithm=rader",
                              "c2c_inverse_n839_b100_window_shiftin_algorithm=bluestein",
                              "c2c_inverse_n65537_b1_algorithm=bluestein" }) {
        const problem inverse = problem::from_string(text);
        problem forward = inverse;
        forward.dir = direction::forward;
        const recipe how = make_recipe(forward);
        const program there = build_program(forward, how);
        const program back = build_program(inverse, how);
        ASSERT_EQ(there.steps.size(), back.steps.size());
        for (std::size_t i = 0; i < there.steps.size(); ++i)
            EXPECT_EQ(there.steps[i].kernel.expression(),
                      back.steps[i].kernel.expression())
                << text;
    }
}

TEST(Planner, CandidatesComeBestFirstAndDiffer)
{
    const std::vector<stockham_shape> shapes =
        stockham_candidates(1200, device_traits(), 10);
    ASSERT_EQ(shapes.size(), 10u);
    EXPECT_EQ(shapes.front().radices, shape_of(1200).radices);
    for (std::size_t i = 1; i < shapes.size(); ++i)
        EXPECT_TRUE(shapes[i].radices != shapes[0].radices ||
                    shapes[i].threads != shapes[0].threads);
}

TEST(Planner, RecipeReadsAsText)
{
    recipe how;
    how.algorithm = "stockham";
    how.n = 4096;
    how.shapes.resize(1);
    how.shapes[0].n = 4096;
    how.shapes[0].radices = { 16, 16, 16 };
    EXPECT_EQ(how.to_string(), "stockham(4096: 16·16·16)");
}

TEST(Wisdom, ShippedRecipesBuild)
{
    EXPECT_GT(shipped_wisdom().size(), 20u);
    for (const char* card : { "NVIDIA H100 80GB HBM3", "NVIDIA H200" })
        for (std::size_t n : { 1009, 16384, 65536, 1 << 20 })
            for (std::size_t batch : { std::size_t(1), (std::size_t(1) << 27) / n }) {
                problem what = of_length(n);
                what.batch = batch;
                const std::optional<recipe> how = shipped_wisdom().find(card, what);
                ASSERT_TRUE(how) << card << ' ' << n;
                EXPECT_EQ(how->n, n);
                EXPECT_FALSE(build_program(what, *how).steps.empty());
            }
    for (const char* name : { "filter_n100001_b134217728_ctaps",
                              "filter_n100001_b13421772_hop10_ctaps",
                              "filter_n1000001_b134217728_ctaps" }) {
        const problem what = problem::from_string(name);
        const std::optional<recipe> how = shipped_wisdom().find("NVIDIA H200", what);
        ASSERT_TRUE(how) << name;
        EXPECT_FALSE(build_program(what, *how).steps.empty());
    }
}

TEST(Wisdom, RelativesTakeOverWhatWasMeasured)
{
    problem what = of_length(1 << 20);
    what.batch = 128;
    EXPECT_EQ(measured_relative("NVIDIA H100 80GB HBM3"), "NVIDIA H100 80GB HBM3");
    EXPECT_EQ(measured_relative("NVIDIA H100 PCIe"), "NVIDIA H100 80GB HBM3");
    EXPECT_EQ(measured_relative("NVIDIA GH200 480GB"), "NVIDIA H200");
    EXPECT_EQ(measured_relative("NVIDIA A100-SXM4-80GB"), "NVIDIA A100-SXM4-80GB");
    EXPECT_TRUE(shipped_wisdom().find(measured_relative("NVIDIA H100 PCIe"), what));
    EXPECT_FALSE(shipped_wisdom().find("NVIDIA A100-SXM4-80GB", what));
}

TEST(Wisdom, ACardWithoutAnyIsToldOnce)
{
    const auto told = [](const std::string& card) {
        testing::internal::CaptureStderr();
        tell_if_unmeasured(card);
        return testing::internal::GetCapturedStderr();
    };
    EXPECT_EQ(told("NVIDIA H200"), "");
    EXPECT_EQ(told("NVIDIA H100 PCIe"), ""); // takes its relative's
    EXPECT_NE(told("NVIDIA A100-SXM4-80GB").find("gpufft tune --board"),
              std::string::npos);
    EXPECT_EQ(told("NVIDIA A100-SXM4-80GB"), "");
}

TEST(Wisdom, SurvivesAsText)
{
    wisdom some;
    problem what = of_length(1000);
    some.add("a card", what, make_recipe(what));
    wisdom read;
    read.read(some.write());
    EXPECT_EQ(read.write(), some.write());
    EXPECT_TRUE(read.find("a card", what));
    EXPECT_FALSE(read.find("another card", what));
    what.n = 1001;
    EXPECT_FALSE(read.find("a card", what));
}

TEST(Wisdom, PickedBinsHaveThatOfAll)
{
    const problem all = problem::from_string("c2c_forward_n96_b9999_window_taps4");
    problem some = all;
    some.bins = 5;
    wisdom measured;
    measured.add("a card", all, make_recipe(all));
    EXPECT_TRUE(measured.find("a card", some));
    some.taps = 5;
    EXPECT_FALSE(measured.find("a card", some));
}

TEST(Wisdom, NearBatchesStandIn)
{
    wisdom some;
    problem what = of_length(1000);
    const std::vector<recipe> recipes = recipe_candidates(what, device_traits(), 2);
    what.batch = 1;
    some.add("a card", what, recipes[0]);
    what.batch = 1 << 20;
    some.add("a card", what, recipes[1]);
    for (const auto& [batch, expected] :
         { std::pair(1, 0), std::pair(3, 0), std::pair(600, 1), std::pair(10000, 1) }) {
        what.batch = batch;
        const std::optional<recipe> how = some.find("a card", what);
        ASSERT_TRUE(how) << batch;
        EXPECT_EQ(how->to_text(), recipes[expected].to_text()) << batch;
    }
    for (std::size_t batch : { 4, 100, 250 }) { // the planner knows better
        what.batch = batch;
        EXPECT_FALSE(some.find("a card", what)) << batch;
    }
}

TEST(Wisdom, DamagedTextChangesNothing)
{
    wisdom some;
    const std::string head = "gpufft wisdom 1\n";
    for (const std::string& text :
         { std::string(""),
           std::string("gpufft wisdom 2\n"),
           head + "a card | n8 full\n",
           head + "a card | n8 full | stockham 8 1\n",
           head + "a card | n8 full | stockham 8 1 0 0 8x1:4.4/4/32/0/0\n" })
        EXPECT_THROW(some.read(text), std::invalid_argument) << text;
    EXPECT_EQ(some.size(), 0u);
}

TEST(Exchange, ConflictsAreCounted)
{
    // 16 threads write radix-16 outputs 16 elements apart: one bank pair, 16 cycles
    stockham_shape shape;
    shape.n = 256;
    shape.radices = { 16, 16 };
    shape.threads = 16;
    shape.paddings = { padding() };
    shape.stride = 256;
    EXPECT_EQ(conflict_ratio(shape), (16 + 1) / 2.0);
    choose_paddings(shape);
    EXPECT_EQ(conflict_ratio(shape), 1.0);
}

TEST(Twiddles, AreExactBeforeTheyAreRounded)
{
    stockham_shape shape;
    shape.n = 30;
    shape.radices = { 2, 3, 5 };
    const std::vector<std::complex<long double>> twiddles = stockham_twiddles(shape);
    ASSERT_EQ(twiddles.size(), 2u * 2 + 4u * 6); // (radix - 1) span of passes 1 and 2
    // pass 2: span 6, row 30; input k = 3 of butterfly j = 5
    const std::complex<long double> exact = std::polar(1.0L, -2 * M_PIl * 15 / 30);
    EXPECT_LT(std::abs(twiddles[4 + 2 * 6 + 5] - exact), 1e-18L);
}
