// SPDX-License-Identifier: GPL-3.0-or-later
//
// Transforms of arrays that lie in parts on several simulated cards, against the
// reference in double precision.

#include "card_plans.h"
#include "faulty_calls.h"
#include "reference_dft.h"

namespace gr {
namespace gpufft {

namespace {

class CardArrays : public DeviceTest
{
protected:
    static void expect_right(const std::string& text, int cards, std::size_t slabs)
    {
        const problem what = problem::from_string(text);
        const std::size_t frames = what.batch;
        const auto plan = make_plan(what, memory_for(what, slabs, cards), cards);
        const bytes input = random_samples(what, plan->input_samples(frames));
        const std::vector<spectrum> expected = reference_rows(what, input, {}, frames);
        arrays at(*plan, frames);
        at.input.fill(input);
        EXPECT_EQ(plan->execute(at.input.inputs(), at.output.addresses(), frames),
                  frames);
        SCOPED_TRACE(text + " on " + std::to_string(cards) + ": " + plan->describe());
        EXPECT_LT(relative_error(what, at.output.read().data(), expected),
                  error_bound(what, 2.0));
        EXPECT_EQ(at.input.read(), input) << "the input has changed";
        if (plan->input_parts() != plan->output_parts() ||
            what.input_item_bytes() != what.output_item_bytes())
            return;
        plan->execute(at.input.inputs(), at.input.addresses(), frames);
        EXPECT_EQ(at.input.read(), at.output.read()) << "in place";
    }

    static void expect_right_everywhere(const std::string& text)
    {
        for (const int cards : { 2, 3, 4 })
            for (const std::size_t slabs : { 1, 5, 24 })
                expect_right(text, cards, slabs);
    }
};

} // namespace

TEST_F(CardArrays, OneAxis)
{
    for (const char* n : { "64", "4096", "360", "1369", "2310" })
        for (const char* way : { "forward", "inverse" })
            expect_right_everywhere(std::string("c2c_") + way + "_n" + n + "_b1");
    expect_right_everywhere("c2c_forward_n4096_b2_f64_scale0.5");
    expect_right_everywhere("c2c_inverse_n3600_b1_cs16");
}

TEST_F(CardArrays, OneAxisOfReals)
{
    for (const char* text :
         { "r2c_n1000_b2", "r2c_n5000_b1_f64", "c2r_n1000_b2", "c2r_n54_b1_f64" })
        expect_right_everywhere(text);
}

TEST_F(CardArrays, SeveralAxes)
{
    for (const char* axes : { "64x64", "30x77", "5x300", "16x8x32", "7x9x11", "4x6x5x8" })
        for (const char* kind : { "c2c_forward", "c2c_inverse", "r2c", "c2r" })
            expect_right_everywhere(std::string(kind) + "_n" + axes + "_b2_scale0.125");
    // columns of lengths for which several kernels turn them to rows
    for (const char* text :
         { "c2c_forward_n67x40_b2", "c2c_inverse_n67x41_b1_f64", "r2c_n1009x6_b1" })
        expect_right_everywhere(text);
    expect_right_everywhere("c2c_forward_n64x48_b1_f64");
    expect_right_everywhere("r2c_n30x40_b1_f64");
    expect_right_everywhere("c2r_n30x40_b1_f64");
    expect_right_everywhere("c2c_forward_n64x64_b1_cs16");
    expect_right_everywhere("dct2_n64x48_b1");
    expect_right_everywhere("dst3_n20x24x28_b2_f64");
}

TEST_F(CardArrays, WaitForTheirStreams)
{
    const problem what = problem::from_string("c2c_forward_n64x64_b1");
    const auto plan = make_plan(what, 1 << 30, 2);
    const bytes samples = random_samples(what, 4096);
    arrays at(*plan), late(*plan);
    late.input.fill(samples);
    plan->execute(late.input.inputs(), late.output.addresses()); // makes its plans
    const bytes expected = late.output.read();
    simulation::set_speed({ 0.02, 0, 0 });
    void* const legacy = reinterpret_cast<void*>(1); // CU_STREAM_LEGACY
    std::vector<std::unique_ptr<async_device::queue>> streams;
    for (std::size_t i = 0; i < 2; ++i) {
        async_device& device = *at.devices[i];
        streams.push_back(device.borrow_queue(legacy));
        device.copy(*streams[i],
                    at.input.addresses()[i],
                    late.input.addresses()[i],
                    8 * plan->input_parts()[i]);
    }
    plan->execute(at.input.inputs(), at.output.addresses(), 1, { legacy, legacy });
    simulation::set_speed({});
    EXPECT_EQ(at.output.read(), expected);
}

TEST_F(CardArrays, ErrorsNameTheParts)
{
    const problem what = problem::from_string("c2c_forward_n9x8_b1");
    const auto plan = make_plan(what, 1 << 30, 2);
    arrays at(*plan, 2);
    std::vector<const void*> inputs = at.input.inputs();
    std::vector<void*> outputs = at.output.addresses();
    const auto call = [&] { plan->execute(inputs, outputs); };
    inputs.pop_back();
    expect_error<std::invalid_argument>(
        call,
        { "inputs has 1 parts, but must have 2: 40 items of a frame on device 0, 32 on "
          "device 1" });
    inputs.push_back(nullptr);
    expect_error<std::invalid_argument>(
        call,
        { "part 1 of inputs is a null pointer", "32 items of a frame on device 1" });
    inputs = at.input.inputs();
    outputs[0] = static_cast<char*>(outputs[0]) + 4;
    expect_error<std::invalid_argument>(
        call, { "part 0 of outputs is at an address 4 bytes beyond a multiple of 8" });
    outputs = at.output.addresses();
    expect_error<std::invalid_argument>(
        [&] { plan->execute(inputs, outputs, 1, { nullptr }); },
        { "streams has 1 elements, but must have none or 2" });
    std::swap(inputs[0], inputs[1]);
    expect_error<std::invalid_argument>(
        call, { "part 0 of inputs is on device 1: must be on device 0" });
    inputs = at.input.inputs();
    bytes host(8 * 40);
    outputs[0] = host.data();
    expect_error<std::invalid_argument>(
        call, { "part 0 of outputs is not on a device: must be on device 0" });
    outputs[0] = static_cast<char*>(outputs[1]) + 8 * 31;
    expect_error<std::invalid_argument>(
        call, { "parts 0 and 1 of outputs overlap, but must be apart" });
    outputs = at.output.addresses();
    outputs[1] = static_cast<char*>(at.input.addresses()[1]) + 8;
    expect_error<std::invalid_argument>([&] { plan->execute(inputs, outputs, 2); },
                                        { "part 1 of outputs overlaps that of inputs" });

    const auto one = make_plan(what, 1 << 30, 1);
    expect_error<std::logic_error>([&] { one->execute(inputs, outputs); },
                                   { "plan_options::devices", "on one" });
    expect_error<std::logic_error>([&] { one->input_parts(); }, { "on one" });
    const auto refused = [&](const char* text, int cards, std::size_t memory) {
        return card_data_obstacle(problem::from_string(text), memory, cards);
    };
    EXPECT_NE(refused("c2c_forward_n3x1024_b1", 4, 1 << 30)
                  .find("an axis that is split has 3 rows"),
              std::string::npos);
    EXPECT_NE(refused("c2c_forward_n3x1024_b1", 2, 10000).find("longer than a slab"),
              std::string::npos);
    EXPECT_NE(refused("c2c_forward_n64_b1_window", 2, 1 << 30).find("window"),
              std::string::npos);
    const auto few = make_plan(problem::from_string("c2c_forward_n3x8_b1"), 1 << 30, 4);
    arrays none(*few);
    expect_error<std::invalid_argument>(
        [&] { few->execute(none.input.inputs(), none.output.addresses()); },
        { "c2c_forward_n3x8_b1 on 4 cards", "axis that is split has 3 rows" });
}

// Then the driver copies, by way of the host.
TEST_F(CardArrays, CardsThatDoNotReachEachOthersMemory)
{
    simulation::keep_apart(true);
    for (const char* text :
         { "c2c_forward_n4096_b1", "c2c_inverse_n67x40_b2", "c2r_n30x40_b1_f64" })
        expect_right_everywhere(text);
    simulation::keep_apart(false);
}

TEST_F(CardArrays, SaysWhatItDoesAndHolds)
{
    const problem what = problem::from_string("c2c_forward_n64x64_b1");
    const auto plan = make_plan(what, 1 << 30, 2);
    EXPECT_EQ(plan->describe().find("on the cards"), std::string::npos);
    EXPECT_EQ(plan->scratch_bytes(), 0u);
    arrays at(*plan);
    at.input.fill(random_samples(what, 4096));
    plan->execute(at.input.inputs(), at.output.addresses());
    const std::string text = plan->describe();
    EXPECT_NE(text.find("arrays on the cards in 2 sweeps of 4 slabs"), std::string::npos)
        << text;
    EXPECT_NE(text.find("32768 bytes from card to card"), std::string::npos) << text;
    EXPECT_GE(plan->scratch_bytes(), 8u * 4096);
}

TEST_F(CardArrays, WorkAgainAfterTooLittleMemory)
{
    const problem what = problem::from_string("c2c_forward_n64x64_b1");
    const auto plan = make_plan(what, 1 << 30, 2);
    const bytes samples = random_samples(what, 4096);
    arrays at(*plan);
    at.input.fill(samples);
    simulation::limit_memory(8 * 4096 + 8192); // its arrays, and not all slabs
    expect_error<cuda_error>(
        [&] { plan->execute(at.input.inputs(), at.output.addresses()); },
        { "out of memory" });
    simulation::limit_memory(0);
    plan->execute(at.input.inputs(), at.output.addresses());
    EXPECT_LT(relative_error(
                  what, at.output.read().data(), reference_rows(what, samples, {}, 1)),
              error_bound(what, 2.0));
}

// Each card keeps its share alone where it has no room for a whole frame.
TEST_F(CardArrays, KeepTheirSharesWithoutRoomForFrames)
{
    const problem what = problem::from_string("c2c_forward_n64x64_b1");
    const bytes samples = random_samples(what, 4096);
    const auto held_with = [&](std::size_t memory) {
        const auto plan = make_plan(what, 1 << 30, 2);
        arrays at(*plan);
        at.input.fill(samples);
        simulation::limit_memory(memory);
        for (int call = 0; call < 2; ++call)
            plan->execute(at.input.inputs(), at.output.addresses());
        simulation::limit_memory(0);
        EXPECT_LT(relative_error(what,
                                 at.output.read().data(),
                                 reference_rows(what, samples, {}, 1)),
                  error_bound(what, 2.0));
        return plan->scratch_bytes();
    };
    const std::size_t frame = 8 * 4096, whole = held_with(0);
    const std::size_t each = frame + whole / 2; // its arrays, and what the plan holds
    EXPECT_EQ(held_with(each), whole);
    EXPECT_EQ(held_with(each - 1), whole - frame); // of two cards half a frame each
}

// The exchanges overlap with the levels: with slabs it takes less time than without.
TEST_F(CardArrays, ExchangesOverlapWithTheLevels)
{
    const problem what = problem::from_string("c2c_forward_n256x256_b1");
    simulation::control_time(true);
    simulation::set_speed({ 0, 1e-3, 0 }); // slow: looks at the clock take time, too
    const auto seconds = [&](std::size_t slabs, int cards) {
        const auto plan = make_plan(what, memory_for(what, slabs, cards), cards);
        arrays at(*plan);
        const double begin = simulation::look_at_clock();
        plan->execute(at.input.inputs(), at.output.addresses());
        return simulation::look_at_clock() - begin;
    };
    EXPECT_LT(seconds(16, 2), 0.85 * seconds(2, 2));
    EXPECT_LT(seconds(32, 4), 0.7 * seconds(16, 2));
    simulation::control_time(false);
    simulation::set_speed({});
}

// However long each copy and each transform takes, none overwrites what another slab
// still needs.
TEST_F(CardArrays, SlabsWaitForTheirBuffers)
{
    simulation::set_speed({ 1e-4, 0, 20 });
    for (const char* text : { "c2c_forward_n64x48_b1", "c2c_inverse_n3600_b1" })
        for (const int cards : { 2, 3 })
            expect_right(text, cards, 24);
    simulation::set_speed({});
}

TEST_F(CardArrays, NothingIsInFlightAfterAFault)
{
    const problem what = problem::from_string("r2c_n64x64_b1");
    expect_end_after_any_fault([&] {
        const std::shared_ptr<plan> plan = make_plan(what, memory_for(what, 12, 2), 2);
        const auto at = std::make_shared<arrays>(*plan);
        at->input.fill(random_samples(what, 4096));
        return [=] { plan->execute(at->input.inputs(), at->output.addresses()); };
    });
}

} // namespace gpufft
} // namespace gr
