// SPDX-License-Identifier: GPL-3.0-or-later
//
// How arrays that lie in parts on several cards are transformed: where their parts begin,
// what the cards send to one another, what they copy, and bins split along the second
// axis.

#include "card_plans.h"
#include "reference_dft.h"
#include <cmath>
#include <cstring>
#include <numeric>
#include <set>

namespace gr {
namespace gpufft {

typedef DeviceTest CardPrograms;

TEST_F(CardPrograms, TheFirstAxisIsSplitAsByArraySplit)
{
    typedef std::vector<std::size_t> sizes;
    const auto parts_of = [](const char* text, int cards) {
        const auto plan = make_plan(problem::from_string(text), 1 << 30, cards);
        return std::make_pair(plan->input_parts(), plan->output_parts());
    };
    EXPECT_EQ(parts_of("c2c_forward_n8x6_b1", 2),
              std::make_pair(sizes{ 24, 24 }, sizes{ 24, 24 }));
    EXPECT_EQ(parts_of("r2c_n8x6_b1", 3),
              std::make_pair(sizes{ 18, 18, 12 }, sizes{ 12, 12, 8 }));
    EXPECT_EQ(parts_of("c2c_forward_n10_b1", 4),
              std::make_pair(sizes{ 3, 3, 2, 2 }, sizes{ 3, 3, 2, 2 }));
    EXPECT_EQ(parts_of("r2c_n10_b1", 4),
              std::make_pair(sizes{ 3, 3, 2, 2 }, sizes{ 2, 2, 1, 1 }));
    EXPECT_EQ(parts_of("c2r_n10_b1", 2), std::make_pair(sizes{ 3, 3 }, sizes{ 5, 5 }));
}


// Several axes are exchanged twice, one axis three times, and nothing else is.
TEST_F(CardPrograms, CardsExchangeNoMoreThanTheyMust)
{
    for (const std::size_t cards : { 2, 4 }) {
        const auto exchanged = [&](const char* text) {
            return exchanged_bytes(
                make_card_program(problem::from_string(text), 1 << 30, cards));
        };
        const std::size_t share = 8 * 65536 * (cards - 1) / cards;
        EXPECT_EQ(exchanged("c2c_forward_n256x256_b1"), 2 * share);
        EXPECT_EQ(exchanged("c2c_forward_n64x32x32_b1"), 2 * share);
        EXPECT_EQ(exchanged("c2c_forward_n8192x8_b1"), 2 * share);
        EXPECT_EQ(exchanged("c2c_forward_n65536_b1"), 3 * share);
    }
}


// Whole rows, and the columns that a card has, need no copies within the card.
TEST_F(CardPrograms, TransformsReadWhatLiesOnTheirCard)
{
    for (const char* text : { "c2c_forward_n256x256_b1", "r2c_n8192x64_b1" }) {
        const slab_program program =
            make_card_program(problem::from_string(text), 1 << 30, 2);
        for (const sweep& now : program.sweeps)
            for (const slab& each : now.slabs) {
                EXPECT_TRUE(each.uploads.empty());
                EXPECT_TRUE(each.steps.front().source.has_value());
            }
    }
    const slab_program real =
        make_card_program(problem::from_string("c2r_n256x256_b1"), 1 << 30, 2);
    for (const slab& each : real.sweeps.back().slabs) {
        EXPECT_TRUE(each.downloads.empty());
        EXPECT_TRUE(each.steps.back().target.has_value());
    }
}


// What was replaced by transforms in place is neither planned nor compiled.
TEST_F(CardPrograms, HaveTheTransformsThatTheyUse)
{
    for (const char* text : { "c2c_forward_n256x256_b1",
                              "c2c_inverse_n67x40_b1",
                              "c2c_forward_n65536_b1",
                              "r2c_n8192x64_b1",
                              "c2r_n60x50_b1",
                              "dct2_n64x48_b1" }) {
        const problem what = problem::from_string(text);
        const slab_program program = make_card_program(what, 1 << 30, 2);
        std::vector<bool> used(program.transforms.size());
        for (const sweep& now : program.sweeps)
            for (const slab& each : now.slabs)
                for (const slab_step& step : each.steps)
                    if (step.what == slab_step::kind::transform)
                        used.at(step.transform) = true;
        EXPECT_EQ(std::count(used.begin(), used.end(), false), 0) << text;

        std::set<std::string> different;
        for (const problem& each : program.transforms)
            different.insert(each.to_string());
        const auto plan = make_plan(what, 1 << 30, 2);
        EXPECT_EQ(simulation::live().plans, 0) << text;
        arrays at(*plan);
        at.input.fill(random_samples(what, plan->input_samples(1)));
        plan->execute(at.input.inputs(), at.output.addresses());
        EXPECT_EQ(simulation::live().plans, int(2 * different.size())) << text;
    }
}

// With room for whole frames the first sweep copies from card to card only; else each
// card keeps its share alone.
TEST_F(CardPrograms, WhatStaysOnACardIsStoredThere)
{
    for (const char* text : { "c2c_forward_n256x256_b1",
                              "c2c_forward_n65536_b1",
                              "r2c_n8192x64_b1",
                              "c2r_n60x50_b1" }) {
        const problem what = problem::from_string(text);
        const slab_program whole = make_card_program(what, 1 << 30, 2);
        for (const slab& each : whole.sweeps.front().slabs) {
            EXPECT_EQ(each.result, slab::KEPT) << text;
            for (const slab_copy& copy : each.downloads)
                EXPECT_NE(copy.card, each.card) << text;
        }
        const slab_program parts = make_card_program(what, 3 * frame_bytes(what), 2);
        EXPECT_LT(parts.kept_bytes.front(), 0.6 * double(whole.kept_bytes.front()));
    }
}

namespace {

// Frames of [first axis, second axis, rest items] as parts of the second axis, one after
// the other.
bytes split_along_second(const bytes& frames,
                         const std::vector<std::size_t>& parts,
                         std::size_t first,
                         std::size_t item,
                         std::size_t count)
{
    const std::size_t frame = std::accumulate(parts.begin(), parts.end(), std::size_t(0));
    bytes made;
    for (std::size_t i = 0; i < count; ++i) {
        std::size_t begin = 0;
        for (const std::size_t part : parts) {
            const std::size_t width = part / first * item;
            for (std::size_t row = 0; row < first; ++row) {
                const auto from =
                    frames.begin() + (i * frame + row * frame / first) * item + begin;
                made.insert(made.end(), from, from + width);
            }
            begin += width;
        }
    }
    return made;
}

template <class T>
double difference_of(const bytes& actual, const bytes& expected)
{
    EXPECT_EQ(actual.size(), expected.size());
    double error = 0, power = 0;
    for (std::size_t at = 0; at < expected.size(); at += sizeof(T)) {
        T a, b;
        std::memcpy(&a, &actual[at], sizeof(T));
        std::memcpy(&b, &expected[at], sizeof(T));
        error += double(a - b) * double(a - b);
        power += double(b) * double(b);
    }
    return std::sqrt(error / power);
}

// With the bins split along the second axis, beside the same in natural order.
void expect_transposed(const std::string& text, int cards, std::size_t slabs)
{
    const problem what = problem::from_string(text);
    SCOPED_TRACE(text + " on " + std::to_string(cards));
    const std::size_t frames = what.batch, first = what.axes().front();
    const auto natural = make_plan(what, memory_for(what, slabs, cards), cards);
    const auto plan = make_plan(what, memory_for(what, slabs, cards, true), cards, true);
    const bool is_forward =
        what.kind == transform_kind::r2c ||
        (what.kind == transform_kind::c2c && what.dir == direction::forward);
    arrays by_natural(*natural, frames), at(*plan, frames);
    const bytes input = random_samples(what, plan->input_samples(frames));
    by_natural.input.fill(input);
    at.input.fill(
        is_forward
            ? input
            : split_along_second(
                  input, plan->input_parts(), first, what.input_item_bytes(), frames));
    natural->execute(by_natural.input.inputs(), by_natural.output.addresses(), frames);
    plan->execute(at.input.inputs(), at.output.addresses(), frames);
    bytes expected = by_natural.output.read();
    if (is_forward)
        expected = split_along_second(
            expected, plan->output_parts(), first, what.output_item_bytes(), frames);
    const double difference = what.is_double()
                                  ? difference_of<double>(at.output.read(), expected)
                                  : difference_of<float>(at.output.read(), expected);
    EXPECT_LT(difference, error_bound(what, 3.0)) << plan->describe();
}

} // namespace

TEST_F(CardPrograms, BinsSplitAlongTheSecondAxis)
{
    for (const char* text : { "c2c_forward_n64x48_b2",
                              "c2c_inverse_n64x48_b1",
                              "c2c_inverse_n9x11x5_b2_f64",
                              "c2c_forward_n8x6x10_b1",
                              "c2c_forward_n67x40_b1",
                              "c2c_inverse_n67x40_b1",
                              "r2c_n30x40_b1",
                              "c2r_n30x40_b2",
                              "r2c_n8x7x9_b1_f64",
                              "c2r_n8x7x9_b1_f64" })
        for (const int cards : { 2, 3, 4 })
            for (const std::size_t slabs : { 1, 5, 24 })
                expect_transposed(text, cards, slabs);
}

TEST_F(CardPrograms, BinsSplitAlongTheSecondAxisTakeOneExchange)
{
    for (const char* text : { "c2c_forward_n256x256_b1",
                              "c2c_inverse_n64x32x32_b1",
                              "c2c_forward_n8192x8_b1" }) {
        const slab_program program =
            make_card_program(problem::from_string(text), 1 << 30, 2, true);
        EXPECT_EQ(exchanged_bytes(program), 8 * 65536 / 2) << text;
        const bool is_forward = std::string(text).find("forward") != std::string::npos;
        const sweep& at_bins =
            is_forward ? program.sweeps.back() : program.sweeps.front();
        for (const slab& each : at_bins.slabs) // no copies at the bins
            EXPECT_TRUE(is_forward ? each.downloads.empty() : each.uploads.empty());
    }
    const auto plan = make_plan(problem::from_string("r2c_n9x8_b1"), 1 << 30, 2, true);
    EXPECT_EQ(plan->input_parts(), (std::vector<std::size_t>{ 40, 32 }));
    EXPECT_EQ(plan->output_parts(), (std::vector<std::size_t>{ 27, 18 })); // of 9 x 5
    plan_options options;
    options.devices = { 0, 1 };
    options.transposed = true;
    for (const char* text : { "c2c_forward_n64_b1", "dct2_n64x64_b1" })
        expect_error<std::invalid_argument>(
            [&] { plan::make(problem::from_string(text), options); },
            { "transposed is for complex and real FFTs of two and more axes", text });
}

} // namespace gpufft
} // namespace gr
