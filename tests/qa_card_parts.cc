// SPDX-License-Identifier: GPL-3.0-or-later
//
// Transforms of arrays in parts on several real cards, or on one that plays several.

#include "card_arrays.h"
#include "engine/slab_plan.h"
#include "planner/slabs/slab_cards.h"
#include "reference_dft.h"

#include <complex>
#include <cstring>
#include <gnuradio/gpufft/plan.h>
#include <gtest/gtest.h>

using namespace gr::gpufft;

namespace {

problem named(const char* text) { return problem::from_string(text); }

// Few, because each takes kernels of its own, which are compiled first.
const char* const IN_PARTS[] = { "c2c_forward_n65536_b1",
                                 "c2c_inverse_n1024x512_b1",
                                 "c2c_inverse_n8192x40_b1",
                                 "r2c_n100000_b1",
                                 "c2r_n40x50x60_b2_f64" };

// Arrays in parts on these cards, of which one may come several times; in as few slabs as
// cards, and in many.
void expect_right_in_parts(const std::vector<int>& devices, std::size_t slabs)
{
    std::vector<async_device::sptr> cards;
    for (const int each : devices)
        cards.push_back(make_cuda_device(each));
    for (const char* text : IN_PARTS) {
        const problem what = named(text);
        plan_options options;
        options.engine = engine_kind::cuda;
        options.devices = devices;
        options.device_memory = 32 * what.row_items() * what.output_item_bytes() / slabs;
        constexpr int MOST_STEPS = 42; // to 10000 times as much; the plan throws then
        for (int step = 0;
             step < MOST_STEPS &&
             !card_data_obstacle(what, options.device_memory, devices.size()).empty();
             ++step)
            options.device_memory += options.device_memory / 4;
        const plan::uptr plan = make_slab_plan(what, options);
        card_array input(cards, plan->input_parts(), what.input_item_bytes(), what.batch);
        card_array output(
            cards, plan->output_parts(), what.output_item_bytes(), what.batch);
        const std::vector<std::uint8_t> samples =
            random_samples(what, plan->input_samples(what.batch));
        input.fill(samples);
        plan->execute(input.inputs(), output.addresses(), what.batch);
        SCOPED_TRACE(plan->describe());
        EXPECT_LT(relative_error(what,
                                 output.read().data(),
                                 reference_rows(what, samples, {}, what.batch)),
                  error_bound(what, 2 * kernel_error_factor(what)));
        if (what.kind != transform_kind::c2c)
            continue;
        plan->execute(input.inputs(), input.addresses(), what.batch);
        EXPECT_EQ(input.read(), output.read()) << "in place";
    }
}

// To bins split along the second axis, and back.
void expect_round_trip(const std::vector<int>& devices, const char* lengths)
{
    std::vector<async_device::sptr> cards;
    for (const int each : devices)
        cards.push_back(make_cuda_device(each));
    plan_options options;
    options.engine = engine_kind::cuda;
    options.devices = devices;
    options.transposed = true;
    const problem what = named((std::string("c2c_forward_n") + lengths + "_b1").c_str());
    problem back = what;
    back.dir = direction::inverse;
    back.scale = 1 / double(what.n);
    const plan::uptr there = make_slab_plan(what, options);
    const plan::uptr inverse = make_slab_plan(back, options);
    card_array input(cards, there->input_parts(), 8, 1);
    card_array bins(cards, there->output_parts(), 8, 1);
    const std::vector<std::uint8_t> samples = random_samples(what, what.n);
    input.fill(samples);
    there->execute(input.inputs(), bins.addresses());
    inverse->execute(bins.inputs(), input.addresses());
    spectrum expected;
    for (std::size_t i = 0; i < what.n; ++i) {
        std::complex<float> value;
        std::memcpy(&value, &samples[8 * i], 8);
        expected.emplace_back(value.real(), value.imag());
    }
    EXPECT_LT(relative_error(back, input.read().data(), { expected }),
              error_bound(what, 4.0))
        << there->describe();
}

} // namespace

TEST(CardPartsGpu, OneCardSeveralTimes)
{
    if (!query_cuda().usable)
        GTEST_SKIP() << query_cuda().reason;
    expect_right_in_parts({ 0, 0 }, 24);
    expect_round_trip({ 0, 0 }, "64x50x60");
    expect_right_in_parts({ 0, 0, 0 }, 1);
}

TEST(CardPartsGpu, SeveralCards)
{
    std::vector<int> devices;
    for (const cuda_device_info& each : query_cuda().devices)
        devices.push_back(each.index);
    if (devices.size() < 2)
        GTEST_SKIP() << "this takes two cards";
    expect_right_in_parts(devices, 1);
    expect_right_in_parts(devices, 24);
    expect_round_trip(devices, "8192x40");
}
