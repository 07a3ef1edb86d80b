// SPDX-License-Identifier: GPL-3.0-or-later
//
// Transforms that go through simulated cards in slabs, against the reference in double
// precision. A limit of memory makes short frames larger than the card.

#include "device_test.h"
#include "engine/slab_plan.h"
#include "faulty_calls.h"
#include "planner/slabs/slab_program.h"
#include "reference_dft.h"
#include "simulated_device.h"
#include "simulated_plan.h"
#include <cstring>

namespace gr {
namespace gpufft {

namespace {

engine_makers simulated_makers()
{
    return { make_simulated_plan, make_simulated_device, [](int) {
                return std::string("simulated");
            } };
}

plan::uptr make_plan(const problem& what, std::size_t memory, int cards = 1)
{
    plan_options options;
    options.engine = engine_kind::cuda;
    for (int card = 0; card < cards; ++card)
        options.devices.push_back(card);
    options.device_memory = memory;
    return make_slab_plan(what, options, simulated_makers());
}

std::size_t row_bytes(const problem& what, std::size_t frames)
{
    return frames * what.row_items() * what.output_item_bytes();
}

std::vector<std::uint8_t>
run_apart(plan& with, const std::vector<std::uint8_t>& input, std::size_t frames)
{
    std::vector<std::uint8_t> output(row_bytes(with.what(), frames), 0xff);
    EXPECT_EQ(with.execute(input.data(), output.data(), frames), frames);
    return output;
}

std::vector<std::uint8_t> run_in_place(plan& with, const std::vector<std::uint8_t>& input)
{
    std::vector<std::uint8_t> memory = input;
    memory.resize(std::max(input.size(), row_bytes(with.what(), 1)));
    EXPECT_EQ(with.execute(memory.data(), memory.data(), 1), 1);
    memory.resize(row_bytes(with.what(), 1));
    return memory;
}

class SlabPlans : public DeviceTest
{
protected:
    // Each card has memory for slabs of a frame's size (or its row's, if that is larger)
    // divided by `slabs`, or for the smallest slabs that the problem allows.
    static void expect_right(const std::string& text, std::size_t slabs)
    {
        const problem what = problem::from_string(text);
        const std::size_t frame_bytes =
            std::max(what.frame_samples() * what.input_item_bytes(), row_bytes(what, 1));
        std::size_t memory = 16 * frame_bytes / slabs;
        while (memory <= 16 * frame_bytes && !slab_obstacle(what, memory).empty())
            memory += memory / 4 + 1;
        ASSERT_LE(memory, 16 * frame_bytes) << "one slab has all";
        for (const int cards : { 1, 2, 3 }) {
            SCOPED_TRACE(text + " in " + std::to_string(slabs) + " slabs on " +
                         std::to_string(cards));
            expect_right_by(*make_plan(what, memory, cards));
        }
    }

    // Apart, staged, and in place.
    static void expect_right_by(plan& with)
    {
        const problem& what = with.what();
        const std::size_t frames = what.batch;
        const std::vector<std::uint8_t> input =
            random_samples(what, with.input_samples(frames));
        const std::vector<spectrum> expected = reference_rows(what, input, {}, frames);
        const double bound = error_bound(what, 2.0);
        EXPECT_LT(relative_error(what, run_apart(with, input, frames).data(), expected),
                  bound)
            << with.describe();

        simulation::refuse_registration(true);
        EXPECT_LT(relative_error(what, run_apart(with, input, frames).data(), expected),
                  bound)
            << "staged";
        simulation::refuse_registration(false);

        std::vector<std::uint8_t> frame = input;
        frame.resize(what.frame_samples() * what.input_item_bytes());
        EXPECT_LT(
            relative_error(what, run_in_place(with, frame).data(), { expected.front() }),
            bound)
            << "in place";
    }
};

} // namespace

TEST_F(SlabPlans, OneAxis)
{
    for (const char* n : { "64", "1024", "4096", "360", "1000", "1369", "2310", "1998" })
        for (const char* way : { "forward", "inverse" })
            for (const std::size_t slabs : { 3, 10, 24 })
                expect_right(std::string("c2c_") + way + "_n" + n + "_b1", slabs);
    expect_right("c2c_forward_n4096_b2_f64_scale0.5", 10);
    expect_right("c2c_forward_n1024_b3_hop1500", 10);
    expect_right("c2c_inverse_n3600_b1_cs16", 10);
    expect_right("c2c_forward_n3600_b1_real", 10);
}

TEST_F(SlabPlans, OneAxisOfReals)
{
    for (const char* n : { "128", "1000", "4096", "2002", "5000", "54" })
        for (const char* kind : { "r2c", "c2r" })
            for (const char* precision : { "", "_f64" })
                for (const std::size_t slabs : { 3, 12 })
                    expect_right(std::string(kind) + "_n" + n + "_b1" + precision, slabs);
    expect_right("r2c_n1000_b3_scale0.25", 4);
    expect_right("c2r_n1000_b3_scale0.25", 4);
}

TEST_F(SlabPlans, SeveralAxes)
{
    for (const char* axes : { "64x64", "30x77", "16x8x32", "7x9x11", "4x6x5x8", "2x300" })
        for (const char* kind : { "c2c_forward", "c2c_inverse", "r2c", "c2r" })
            for (const char* precision : { "", "_f64" })
                expect_right(
                    std::string(kind) + "_n" + axes + "_b2_scale0.125" + precision, 4);
    expect_right("c2c_forward_n64x64_b1_cs16", 8);
    expect_right("dct2_n64x48_b1", 6);
    expect_right("dst3_n20x24x28_b2_f64", 6);
    expect_right("dct3_n64x48_b1_ortho", 6);
}

TEST_F(SlabPlans, ALastAxisLongerThanASlab)
{
    expect_right("c2c_forward_n3x1024_b1", 24);
    expect_right("c2c_inverse_n2x3x900_b2_f64", 24);
    expect_right("r2c_n3x1024_b1", 16);
}

// However long each copy and each transform takes.
TEST_F(SlabPlans, SlabsWaitForTheirBuffers)
{
    simulation::set_speed({ 1e-4, 0, 20 });
    for (const char* text : { "c2c_forward_n4096_b1", "r2c_n60x64_b1", "c2r_n1000_b1" })
        expect_right(text, 12);
    simulation::set_speed({});
}

TEST_F(SlabPlans, SaysWhatItDoes)
{
    const problem what = problem::from_string("c2c_forward_n4096_b1");
    const auto expect_parts =
        [&](std::size_t memory, int cards, const std::vector<const char*>& parts) {
            const std::string text = make_plan(what, memory, cards)->describe();
            for (const char* part : parts)
                EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
        };
    // 32 KiB are kept if they fit half of the cards' memory
    expect_parts(32768,
                 1,
                 { "2 sweeps of 32 slabs up to 2 KiB",
                   "65536 bytes there and 65536 back",
                   "c2c_forward_n64" });
    expect_parts(65536,
                 1,
                 { "32768 bytes there and 32768 back",
                   "keeps 32 KiB on a card between the sweeps" });
    expect_parts(32768,
                 2,
                 { "32768 bytes there and 32768 back",
                   "keeps 16 KiB on a card between the sweeps" });
}

TEST_F(SlabPlans, KeepNothingWithoutRoom)
{
    const problem what = problem::from_string("c2c_forward_n4096_b1");
    const auto plan = make_plan(what, 65536, 2);
    EXPECT_NE(plan->describe().find("keeps 16 KiB"), std::string::npos);
    // three slabs in flight, of 4 KiB and in two buffers, but nothing beside them
    simulation::limit_memory(6 * 4096 + 8192);
    expect_right_by(*plan);
    EXPECT_EQ(plan->describe().find("keeps"), std::string::npos) << plan->describe();

    simulation::limit_memory(0);
    simulation::keep_apart(true); // one card keeps what two cannot exchange
    const auto strangers = make_plan(what, 65536, 2);
    EXPECT_EQ(strangers->describe().find("keeps"), std::string::npos);
    expect_right_by(*strangers);
    EXPECT_NE(make_plan(what, 65536)->describe().find("keeps"), std::string::npos);

    simulation::limit_memory(4096);
    std::vector<std::uint8_t> memory(8 * 4096);
    try {
        make_plan(what, 65536)->execute(memory.data(), memory.data(), 1);
        ADD_FAILURE() << "a slab does not fit";
    } catch (const cuda_error& error) {
        EXPECT_EQ(error.code(), 2);
    }
    simulation::limit_memory(0);
}

TEST_F(SlabPlans, SlabsOverlapAndCardsShareThem)
{
    const problem what = problem::from_string("c2c_forward_n65536_b1");
    const std::size_t bytes = 8 * 65536;
    std::vector<std::uint8_t> input(bytes), output(bytes);
    simulation::control_time(true);
    simulation::set_speed({ 0, 1e-3, 0 }); // slow: looks at the clock take time, too
    const auto seconds = [&](std::size_t memory, int cards) {
        const auto plan = make_plan(what, memory, cards);
        const double begin = simulation::look_at_clock();
        plan->execute(input.data(), output.data(), 1);
        return simulation::look_at_clock() - begin;
    };
    // Of each sweep: there, read and written by the transform, twiddles of the first one,
    // back. What is kept stays on the card.
    const double moved = 1e-3 * double(bytes);
    for (const std::size_t memory : { bytes, 2 * bytes }) {
        const double one = seconds(memory, 1), two = seconds(memory, 2);
        EXPECT_LT(one, 0.75 * 9 * moved) << memory;
        EXPECT_GT(one, 5 * moved) << memory;
        EXPECT_LT(two, 0.7 * one) << memory;
    }
    simulation::control_time(false);
    simulation::set_speed({});
}

TEST_F(SlabPlans, TakeArraysOfTheHostOnly)
{
    const auto plan = make_plan(problem::from_string("c2c_forward_n4096_b1"), 32768);
    alignas(16) static char memory[16 * 4096];
    EXPECT_THROW(plan->enqueue(memory, memory, 1, nullptr), std::logic_error);
}

TEST_F(SlabPlans, RefusesWhatHasNoSlabs)
{
    const auto obstacle = [](const char* text, std::size_t memory) {
        return slab_obstacle(problem::from_string(text), memory);
    };
    EXPECT_NE(obstacle("c2c_forward_n10007_b1", 32768).find("no two factors"),
              std::string::npos);
    EXPECT_NE(obstacle("r2c_n10001_b1", 32768).find("even length, but n is 10001"),
              std::string::npos);
    EXPECT_NE(obstacle("dct2_n4096_b1", 32768).find("DCT"), std::string::npos);
    EXPECT_NE(obstacle("c2c_forward_n4096_b1_window", 32768).find("window"),
              std::string::npos);
    EXPECT_NE(obstacle("zoom_n4096_b1_bins16", 32768).find("zoom"), std::string::npos);
    EXPECT_THROW(make_plan(problem::from_string("c2c_forward_n10007_b1"), 32768),
                 std::invalid_argument);
}

TEST_F(SlabPlans, NothingIsInFlightAfterAFault)
{
    const problem what = problem::from_string("r2c_n64x64_b1");
    const std::vector<std::uint8_t> input = random_samples(what, 4096);
    std::vector<std::uint8_t> output(row_bytes(what, 1));
    expect_end_after_any_fault([&] {
        const std::shared_ptr<plan> plan = make_plan(what, 16 * 4096, 2);
        return [&, plan] { plan->execute(input.data(), output.data(), 1); };
    });
}

} // namespace gpufft
} // namespace gr
