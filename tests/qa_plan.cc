// SPDX-License-Identifier: GPL-3.0-or-later
//
// What all plans share: the choice of the engine, the checks of arguments, the count of
// frames and rows.

#include "engine/engines.h"
#include "planner/planner.h"

#include <complex>
#include <functional>
#include <gnuradio/gpufft/plan.h>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

using namespace gr::gpufft;

namespace {

problem named(const std::string& name) { return problem::from_string(name); }

plan_options on(engine_kind engine)
{
    plan_options options;
    options.engine = engine;
    return options;
}

// A plan that computes nothing and counts what it is asked for.
class counting_plan : public plan
{
public:
    explicit counting_plan(const problem& what) : plan(what, engine_kind::host) {}
    std::string describe() const override { return "counting"; }

    std::size_t executed = 0, windows = 0, resets = 0;

private:
    void do_execute(const void*, void*, std::size_t frames) override
    {
        executed += frames;
    }
    void do_set_window(const std::vector<float>&) override { ++windows; }
    void do_reset_average() override { ++resets; }
};

// The message of the std::invalid_argument that `call` throws.
std::string refusal(const std::function<void()>& call)
{
    try {
        call();
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "accepted";
}

} // namespace

TEST(Plan, SpansSamples)
{
    counting_plan plain(named("c2c_forward_n8_b1"));
    EXPECT_EQ(plain.input_samples(0), 0u);
    EXPECT_EQ(plain.input_samples(1), 8u);
    EXPECT_EQ(plain.input_samples(3), 24u);
    counting_plan overlapped(named("c2c_forward_n8_b1_hop3"));
    EXPECT_EQ(overlapped.input_samples(3), 14u);
    overlapped.set_hop(20);
    EXPECT_EQ(overlapped.input_samples(3), 48u);
}

TEST(Plan, CountsRowsAcrossCalls)
{
    counting_plan averaged(named("c2c_forward_n4_b1_power_avg5"));
    std::vector<std::complex<float>> in(4 * 11);
    std::vector<float> out(4 * 3);
    EXPECT_EQ(averaged.output_rows(4), 0u);
    EXPECT_EQ(averaged.execute(in.data(), nullptr, 4), 0u); // no row, no output
    EXPECT_EQ(averaged.frames_to_next_row(), 1u);
    EXPECT_EQ(averaged.output_rows(11), 3u);
    EXPECT_EQ(averaged.execute(in.data(), out.data(), 11), 3u);
    EXPECT_EQ(averaged.frames_to_next_row(), 5u);
    EXPECT_EQ(averaged.execute(in.data(), out.data(), 2), 0u);
    averaged.reset_average();
    EXPECT_EQ(averaged.frames_to_next_row(), 5u);
    EXPECT_EQ(averaged.executed, 17u);
    EXPECT_EQ(averaged.resets, 1u);
}

TEST(Plan, NewAverageStartsANewMean)
{
    counting_plan averaged(named("c2c_forward_n4_b1_power_avg5"));
    std::vector<std::complex<float>> in(16);
    averaged.execute(in.data(), nullptr, 3);
    averaged.set_average(2);
    EXPECT_EQ(averaged.frames_to_next_row(), 2u);
    EXPECT_EQ(averaged.resets, 1u);
    EXPECT_EQ(averaged.what().average, 2u);
}

TEST(Plan, NoFramesDoNothing)
{
    counting_plan plain(named("c2c_forward_n4_b1"));
    EXPECT_EQ(plain.execute(nullptr, nullptr, 0), 0u);
    EXPECT_EQ(plain.executed, 0u);
}

TEST(Plan, RefusesBadPointers)
{
    counting_plan plain(named("c2c_forward_n4_b1"));
    std::vector<std::complex<float>> x(12);
    EXPECT_EQ(refusal([&] { plain.execute(nullptr, x.data(), 1); }),
              "input is a null pointer");
    EXPECT_EQ(refusal([&] { plain.execute(x.data(), nullptr, 1); }),
              "output is a null pointer, but 1 rows are to be written");
    const auto overlaps = [&](std::complex<float>* from, std::complex<float>* to) {
        return refusal([&] {
                   plain.execute(from, to, 2);
               }).find("output overlaps input; they must be apart, or the same") == 0;
    };
    EXPECT_TRUE(overlaps(x.data(), x.data() + 7));
    EXPECT_TRUE(overlaps(x.data() + 3, x.data()));
    EXPECT_TRUE(overlaps(x.data(), x.data() + 1));
    EXPECT_EQ(plain.execute(x.data(), x.data() + 4, 1), 1u);
    EXPECT_EQ(plain.executed, 1u);
}

TEST(Plan, InPlaceWhereRowsLieOnTheirFrames)
{
    std::vector<std::complex<float>> x(64);
    const auto accepts = [&](const char* name, std::size_t frames) {
        counting_plan plain(named(name));
        return refusal([&] { plain.execute(x.data(), x.data(), frames); }) == "accepted";
    };
    EXPECT_TRUE(accepts("c2c_forward_n4_b1", 1));
    EXPECT_TRUE(accepts("c2c_forward_n4_b1", 3));
    EXPECT_FALSE(accepts("c2c_forward_n4_b1_hop2", 3)); // frames share samples
    EXPECT_TRUE(accepts("c2c_forward_n4_b1_hop5_odist5", 3));
    EXPECT_FALSE(accepts("c2c_forward_n4_b1_hop5", 3)); // rows move up
    EXPECT_TRUE(accepts("c2c_forward_n4_b1_cs16", 1));
    EXPECT_FALSE(accepts("c2c_forward_n4_b1_cs16", 2));
    EXPECT_TRUE(accepts("r2c_n4_b1_hop6", 3)); // padded, as FFTW does it
    EXPECT_FALSE(accepts("r2c_n4_b1", 3));
}

TEST(Plan, RefusesSizesPast64Bits)
{
    counting_plan plain(named("c2c_forward_n1024_b1"));
    std::complex<float> x, y;
    const std::size_t most = std::numeric_limits<std::size_t>::max();
    EXPECT_NE(refusal([&] { plain.execute(&x, &y, most / 1024); }).find("frames is"),
              std::string::npos);
    EXPECT_NE(refusal([&] { plain.input_samples(most); }).find("frames is"),
              std::string::npos);
    // Short hops: the rows are longer than the input.
    counting_plan dense(named("c2c_forward_n1024_b1_cs8_hop1"));
    EXPECT_NE(refusal([&] { dense.execute(&x, &y, most / 1024); }).find("frames is"),
              std::string::npos);
}

TEST(Plan, SettersNameValueAndRange)
{
    counting_plan power(named("c2c_forward_n4_b1_power_avg2_window"));
    EXPECT_EQ(refusal([&] { power.set_hop(0); }), "hop is 0, but must be >= 1");
    EXPECT_EQ(refusal([&] { power.set_average(0); }), "average is 0, but must be >= 1");
    EXPECT_EQ(refusal([&] { power.set_smoothing(0); }),
              "smoothing is 0, but must be > 0 and <= 1");
    EXPECT_EQ(refusal([&] { power.set_smoothing(1.5); }),
              "smoothing is 1.5, but must be > 0 and <= 1");
    EXPECT_NE(refusal([&] { power.set_smoothing(NAN); }), "accepted");
    EXPECT_EQ(refusal([&] { power.set_scale(INFINITY); }),
              "scale is inf, but must be a finite number");
    EXPECT_EQ(refusal([&] { power.set_scale(1e39); }),
              "scale is 1e+39, but must be a finite number in single precision");
    EXPECT_EQ(refusal([&] {
                  power.set_window({ 1, 2, 3 });
              }),
              "window has 3 taps, but must have 4");
    EXPECT_EQ(refusal([&] { power.set_threads(-1); }),
              "threads is -1, but must be 0 (one for each core) ... 1024");
    EXPECT_EQ(power.what().to_string(), "c2c_forward_n4_b1_window_power_avg2");
    EXPECT_EQ(power.resets, 0u);

    counting_plan some(named("c2c_forward_n4_b1_running_bins2"));
    EXPECT_EQ(refusal([&] { some.set_map({ 1 }); }),
              "map has 1 bins, but c2c_forward_n4_b1_running_bins2 picks 2");
    EXPECT_EQ(refusal([&] {
                  some.set_map({ 1, 4 });
              }),
              "bin 4 in the map, but it must be 0 ... 3");
    EXPECT_NE(refusal([&] {
                  some.set_map({ -1, 1 });
              }).find("bin -1"),
              std::string::npos);
    EXPECT_NE(refusal([&] { power.set_map({}); }).find("picks 0"), std::string::npos);
    EXPECT_EQ(some.map(), (std::vector<int>{ 0, 1 }));

    counting_plan complex(named("c2c_forward_n4_b1"));
    EXPECT_NE(refusal([&] { complex.set_average(2); }), "accepted");
    EXPECT_NE(refusal([&] { complex.set_smoothing(0.5); }), "accepted");
    EXPECT_NE(refusal([&] {
                  complex.set_window({ 1, 2, 3, 4 });
              }).find("no window"),
              std::string::npos);
}

TEST(Plan, SettersChangeTheProblem)
{
    counting_plan power(named("c2c_forward_n4_b1_power_avg2_window"));
    power.set_hop(3);
    power.set_scale(-2.5);
    power.set_smoothing(0.25);
    power.set_window({ 1, 2, 3, 4 });
    EXPECT_EQ(power.what().to_string(),
              "c2c_forward_n4_b1_hop3_window_power_avg2_smooth0.25_scale-2.5");
    EXPECT_EQ(power.windows, 1u);
    EXPECT_EQ(power.resets, 0u);
}

TEST(Plan, TakesOverAllValuesAtOnce)
{
    counting_plan power(named("c2c_forward_n4_b1_power_avg2"));
    row_values next = power.what();
    next.hop = 3;
    next.smoothing = 0.25;
    next.scale = 2;
    power.set(next);
    EXPECT_EQ(power.resets, 0u); // the mean goes on
    next.average = 5;
    next.hold = hold_kind::max;
    power.set(next);
    EXPECT_EQ(power.resets, 1u);
    next.scale = 3;
    power.set(next); // a held row has another scale
    EXPECT_EQ(power.resets, 2u);
    const std::string name =
        "c2c_forward_n4_b1_hop3_power_avg5_smooth0.25_holdmax_scale3";
    EXPECT_EQ(power.what().to_string(), name);

    next.hop = 1;
    next.average = 0;
    EXPECT_EQ(refusal([&] { power.set(next); }), "average is 0, but must be >= 1");
    next.average = 5;
    next.density.columns = next.density.levels = 4;
    EXPECT_NE(refusal([&] { power.set(next); }).find("make another plan"),
              std::string::npos);
    EXPECT_EQ(power.what().to_string(), name);
    EXPECT_EQ(power.resets, 2u);
}

TEST(Plan, EnqueueIsForDevices)
{
    auto plain = plan::make(named("c2c_forward_n4_b1"), on(engine_kind::cpu));
    std::complex<float> x[4], y[4];
    EXPECT_THROW(plain->enqueue(x, y, 1, nullptr), std::logic_error);
}

TEST(PlanMake, SaysWhyACardCannotTakeALargeTransform)
{
    const std::string reason = refusal(
        [&] { plan::make(named("c2c_forward_n2147483647_b1"), on(engine_kind::cuda)); });
    EXPECT_NE(reason.find("at most 2^30 points as a whole; in slabs: a length has no two "
                          "factors"),
              std::string::npos)
        << reason;
    plan_options queues = on(engine_kind::cuda);
    queues.enqueues = true;
    const std::string whole =
        refusal([&] { plan::make(named("c2c_forward_n2147483648_b1"), queues); });
    EXPECT_NE(whole.find("at most 2^30 points as a whole"), std::string::npos) << whole;
    plan_options several = on(engine_kind::cuda);
    several.devices = { 0, 1 };
    EXPECT_NE(refusal([&] {
                  plan::make(named("c2c_forward_n64_b1_window"), several);
              }).find("without window"),
              std::string::npos);
}

TEST(PlanMake, RefusesBadProblemsAndOptions)
{
    problem what;
    what.n = 0;
    for (engine_kind engine :
         { engine_kind::automatic, engine_kind::cuda, engine_kind::cpu })
        EXPECT_EQ(refusal([&] { plan::make(what, on(engine)); }),
                  "FFT size is 0, but must be 1 ... 2^34");
    what.n = 4;
    plan_options options = on(engine_kind::cpu);
    options.devices = { 0, 1, 0 };
    EXPECT_EQ(refusal([&] { plan::make(what, options); }),
              "device 0 comes twice in the list");
    options.devices = { 0, 1024 };
    EXPECT_EQ(refusal([&] { plan::make(what, options); }),
              "device is 1024, but must be 0 ... 1023");
    options.devices.clear();
    options.threads = 2000;
    EXPECT_EQ(refusal([&] { plan::make(what, options); }),
              "threads is 2000, but must be 0 (one for each core) ... 1024");
    EXPECT_EQ(refusal([&] { plan::make(what, on(engine_kind::host)); }),
              "engine is host, but plans are made on auto, cuda or cpu");
}

TEST(PlanMake, CudaRefusesWhatTheAlgorithmCannotDo)
{
    const std::string why = refusal([] {
        plan::make(named("c2c_forward_n1009_b1_algorithm=stockham"),
                   on(engine_kind::cuda));
    });
    EXPECT_NE(why.find("1009"), std::string::npos) << why;
}

TEST(PlanMake, CpuWhenAskedFor)
{
    auto made = plan::make(named("c2c_forward_n8_b1"), on(engine_kind::cpu));
    EXPECT_EQ(made->engine(), engine_kind::cpu);
    EXPECT_EQ(made->engine_reason(), "cpu: asked for");
}

TEST(PlanMake, AutoSaysWhyNotCuda)
{
    auto made = plan::make(named("c2c_forward_n8209_b1"));
    EXPECT_EQ(made->engine(), engine_kind::cpu);
    EXPECT_EQ(made->engine_reason(),
              query_cuda().usable
                  ? "auto: cpu, the GPU kernels do not have length 8209 yet (they have "
                    "products of 2, 3, 5, 7, 11 and 13 up to 8192)"
                  : "auto: cpu, " + query_cuda().reason);
}

TEST(PlanMake, AutoWithoutAGpuTakesTheCpu)
{
    if (query_cuda().usable)
        GTEST_SKIP() << "this machine has a GPU";
    auto made = plan::make(named("c2c_forward_n8_b1"));
    EXPECT_EQ(made->engine(), engine_kind::cpu);
    EXPECT_FALSE(query_cuda().reason.empty());
    EXPECT_THROW(plan::make(named("c2c_forward_n8_b1"), on(engine_kind::cuda)),
                 cuda_error);
}

TEST(PlanMake, AutoOfACardThatIsNotThereTakesTheCpu)
{
    plan_options there;
    there.device = 99;
    auto made = plan::make(named("c2c_forward_n8_b1"), there);
    EXPECT_EQ(made->engine(), engine_kind::cpu);
    EXPECT_EQ(made->engine_reason(), "auto: cpu, " + missing_card(99));
    const std::size_t cards = query_cuda().devices.size();
    const std::string others = cards == 0 ? query_cuda().reason
                               : cards == 1
                                   ? "the only one is device 0"
                                   : "there are " + std::to_string(cards) +
                                         ", devices 0 ... " + std::to_string(cards - 1);
    EXPECT_EQ(missing_card(99), "there is no device 99: " + others);
    EXPECT_EQ(missing_card(0), cards == 0 ? query_cuda().reason : "");
    there.engine = engine_kind::cpu;
    EXPECT_EQ(plan::make(named("c2c_forward_n8_b1"), there)->engine_reason(),
              "cpu: asked for");
}

TEST(PlanMake, EnginesForUsersAreNamed)
{
    try {
        engine_from_string("gpu");
        FAIL() << "taken";
    } catch (const std::invalid_argument& error) {
        EXPECT_STREQ(error.what(), "engine \"gpu\" is none of auto, cuda, cpu");
    }
    EXPECT_EQ(engine_from_string("host"), engine_kind::host);
}

TEST(PlanMakeGpu, AutoTakesTheGpu)
{
    if (!query_cuda().usable)
        GTEST_SKIP() << query_cuda().reason;
    auto made = plan::make(named("c2c_forward_n8_b1"));
    EXPECT_EQ(made->engine(), engine_kind::cuda);
    EXPECT_EQ(made->engine_reason(), "auto: cuda, " + query_cuda().devices.at(0).name);
}
