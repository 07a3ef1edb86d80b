// SPDX-License-Identifier: GPL-3.0-or-later
//
// What setters change reaches the plans in force, and those on the CPU that replace them.

#include "device_test.h"
#include "engine/break_even.h"
#include "engine/engines.h"
#include "stream/live_plan.h"

namespace gr {
namespace gpufft {

namespace {

// A plan that computes nothing. On a card it fails while s_fails is true.
class recording_plan : public plan
{
public:
    recording_plan(const problem& what, engine_kind engine) : plan(what, engine) {}
    std::string describe() const override { return "recording"; }
    const std::vector<rotation>& rotations() const { return d_rotations; }
    float first_tap() const { return d_first_tap; }

    static bool s_fails;
    static int s_resets;

protected:
    void do_execute(const void*, void*, std::size_t) override {}
    void do_set_window(const std::vector<float>& taps) override
    {
        fail();
        d_first_tap = taps.front();
    }
    void do_reset_average() override
    {
        fail();
        ++s_resets;
    }

private:
    void fail() const
    {
        if (s_fails && engine() == engine_kind::cuda)
            throw cuda_error(0, "simulated");
    }

    float d_first_tap = 0;
};

bool recording_plan::s_fails = false;
int recording_plan::s_resets = 0;

class LiveValues : public DeviceTest
{
protected:
    LiveValues()
    {
        gr::logging::singleton().set_default_level(spdlog::level::off);
        recording_plan::s_fails = false;
        live_plan::s_make = [](const problem& what, const plan_options& options) {
            return std::make_unique<recording_plan>(what, options.engine);
        };
        settings.what = problem::from_string("c2c_forward_n64_b1_window_power");
        settings.window.assign(64, 1.0f);
    }

    std::unique_ptr<live_plan> begin()
    {
        plan_options options;
        options.engine = engine_kind::cuda;
        auto tested = std::make_unique<live_plan>(settings,
                                                  options,
                                                  std::vector<int>{ 0 },
                                                  true,
                                                  10,
                                                  std::make_shared<gr::logger>("test"));
        tested->begin_run();
        tested->begin_stream();
        return tested;
    }

    static const plan::rotation& rotation_of(const live_plan& tested)
    {
        return dynamic_cast<const recording_plan&>(tested.on(0)).rotations().at(0);
    }

    plan_settings settings;
};

} // namespace

TEST_F(LiveValues, ReachThePlan)
{
    const auto tested = begin();
    const auto expect_taken_over = [&](const char* what) {
        tested->configure(settings);
        EXPECT_EQ(tested->current().what().to_string(), settings.what.to_string())
            << what;
    };
    settings.what.scale = 2;
    expect_taken_over("scale");
    settings.what.average = 5;
    expect_taken_over("average");
    settings.what.smoothing = 0.5;
    expect_taken_over("smoothing");
    settings.what.smoothing = 1;
    settings.what.hold = hold_kind::max;
    expect_taken_over("hold");
    settings.what.hop = 32;
    expect_taken_over("hop");
    settings.what.detector = detector_kind::max;
    expect_taken_over("detector");
    settings.what.shift_output = true;
    expect_taken_over("shift_output");
    tested->end_run();
}

TEST_F(LiveValues, AnotherLayoutReachesANewPlan)
{
    settings.what = problem::from_string("c2c_forward_n64_b1_window");
    const auto tested = begin();
    const auto expect_taken_over = [&](const char* what) {
        tested->configure(settings);
        EXPECT_EQ(tested->current().what().to_string(), settings.what.to_string())
            << what;
    };
    settings.what.stored = number_format::s16;
    expect_taken_over("stored");
    settings.what.input_strides = { 2 };
    expect_taken_over("input_strides");
    settings.what.output_strides = { 3 };
    expect_taken_over("output_strides");
    settings.what.output_distance = 300;
    expect_taken_over("output_distance");
    tested->end_run();
}

// A window that is set again while the plan that was made with another one still waits.
TEST_F(LiveValues, OvertakeANewPlanThatWaits)
{
    settings.what = problem::from_string("c2c_forward_n64_b1_window");
    const auto tested = begin();
    settings.what.stored = number_format::s16;
    settings.window.assign(64, 2.0f);
    tested->configure(settings);
    settings.window.assign(64, 1.0f); // as in the plan that is in force
    tested->configure(settings);
    const plan& now = tested->current();
    EXPECT_EQ(now.what().to_string(), settings.what.to_string());
    EXPECT_EQ(dynamic_cast<const recording_plan&>(now).first_tap(), 1.0f);
    tested->end_run();
}

TEST_F(LiveValues, ReachTheCpuWhereACardFailsToTakeThemOver)
{
    const auto tested = begin();
    settings.what.scale = 3;
    settings.window.assign(64, 0.5f);
    tested->configure(settings);
    recording_plan::s_fails = true;
    EXPECT_EQ(tested->current().what().scale, 3);
    EXPECT_FALSE(tested->is_on_cuda());
    tested->end_run();
}

TEST_F(LiveValues, APlanThatWaitsMovesToTheCpuToo)
{
    const auto tested = begin();
    settings.what.shift_output = true;
    tested->configure(settings);
    tested->fall_back("simulated");
    EXPECT_TRUE(tested->current().what().shift_output);
    EXPECT_FALSE(tested->is_on_cuda());
    tested->end_run();
}

TEST_F(LiveValues, AResetReachesTheCpuWhereACardFails)
{
    const auto tested = begin();
    tested->request_reset();
    recording_plan::s_fails = true;
    recording_plan::s_resets = 0;
    tested->current();
    EXPECT_FALSE(tested->is_on_cuda());
    EXPECT_EQ(recording_plan::s_resets, 1);
    tested->end_run();
}

TEST_F(LiveValues, RetunedFiltersKeepTheirPhase)
{
    settings.what = problem::from_string("filter_n1_b1_running");
    settings.window.assign(settings.what.window_numbers(), 1.0f);
    settings.steps = { 10 };
    const auto tested = begin();
    EXPECT_EQ(rotation_of(*tested), (plan::rotation{ 10, 0 }));
    settings.steps = { 25 };
    tested->configure(settings);
    tested->current(100);
    const plan::rotation turned{ 25, std::uint64_t(10 * 100) - 25 * 100 };
    EXPECT_EQ(rotation_of(*tested), turned);
    tested->fall_back("simulated");
    EXPECT_FALSE(tested->is_on_cuda());
    EXPECT_EQ(rotation_of(*tested), turned); // a call that it repeats needs them at once
    tested->begin_stream();                  // another run has the configured phase
    EXPECT_EQ(rotation_of(*tested), (plan::rotation{ 25, 0 }));
    tested->end_run();
}

TEST_F(LiveValues, OneOfSeveralCardsThatIsNotThereMeansCpu)
{
    live_plan::s_card_name = [](int device) { return device < 2 ? "Card" : ""; };
    const live_plan tested(
        settings, {}, { 0, 99 }, false, 10, std::make_shared<gr::logger>("test"));
    live_plan::s_card_name = cuda_card_name;
    EXPECT_EQ(tested.engine(), "cpu");
    EXPECT_EQ(tested.engine_reason(), "auto: cpu, " + missing_card(99));
}

} // namespace gpufft
} // namespace gr
