// SPDX-License-Identifier: GPL-3.0-or-later
//
// A fault at every call of a device (of the driver, on cards) in turn. With on_error
// "cpu" the stream goes on as if nothing had happened, with "stop" the flowgraph ends by
// itself and says why. GPUFFT_TEST_FAULTS bounds the calls of a sweep: half of them are
// the first ones, where a stream opens, the others are spread over the rest.

#include "device_test.h"
#include "fault_scenarios.h"
#include "log_counter.h"
#include "test_blocks.h"
#include <algorithm>
#include <cstdio>
#include <map>

namespace gr {
namespace gpufft {

namespace {

typedef test_devices::fault fault;

// What the stages make of the data. It is the same in all runs of a scenario.
const stream_data& expected_of(const fault_scenario& what,
                               const std::vector<stage>& stages,
                               stream_data data)
{
    static std::map<const fault_scenario*, stream_data> known;
    const auto found = known.find(&what);
    if (found != known.end())
        return found->second;
    for (const stage& each : stages)
        data = each.expect(data);
    return known[&what] = data;
}

// A row of stages between source and sink, on a device that fails at one call.
class faulty_run
{
public:
    faulty_run(const fault_scenario& what, const std::string& on_error)
    {
        random_source random(1);
        stream_data data = what.integers ? random_integers(random, 2 * what.samples, 2)
                                         : random_floats(random, what.samples, 2);
        add_random_tags(random, data, 30);
        const auto source = std::make_shared<scripted_source>(data, pace{ 301 });
        source->set_max_output_buffer(what.buffer / data.item_bytes);
        gr::basic_block_sptr last = source;
        d_stages = what.make({ what.devices, on_error });
        d_sink = std::make_shared<recording_sink>(d_stages.back().out_bytes);
        for (const stage& each : d_stages) {
            if (const auto block = std::dynamic_pointer_cast<gr::block>(each.block))
                block->set_max_output_buffer( // so: many chunks
                    std::max<long>(2, what.buffer / each.out_bytes));
            d_flowgraph->connect(last, 0, each.block, 0);
            last = each.block;
            for (const auto& ours : each.ours) {
                d_ours.push_back(ours);
                d_flowgraph->msg_connect(std::dynamic_pointer_cast<gr::block>(ours),
                                         "status",
                                         d_sink,
                                         "status");
            }
        }
        d_flowgraph->connect(last, 0, d_sink, 0);
        d_expected = &expected_of(what, d_stages, data);
    }

    bool run() { return runs(d_flowgraph); }

    std::string difference(bool prefix)
    {
        return gpufft::difference(*d_expected, d_sink->received(), prefix);
    }
    std::size_t reports() { return d_sink->errors(); }
    bool complete() const { return d_sink->count() == d_expected->count(); }

    std::size_t blocks_on_cpu() const
    {
        std::size_t count = 0;
        for (const auto& block : d_ours)
            count += block->engine() == "cpu";
        return count;
    }
    std::vector<std::string> errors() const
    {
        std::vector<std::string> all;
        for (const auto& block : d_ours)
            if (!block->error().empty())
                all.push_back(block->error());
        return all;
    }

private:
    const top_block_sptr d_flowgraph = make_top_block("faulty");
    std::vector<stage> d_stages;
    std::vector<std::shared_ptr<engine_block>> d_ours;
    std::shared_ptr<recording_sink> d_sink;
    const stream_data* d_expected;
};

std::string name_of(fault how)
{
    switch (how) {
    case fault::once:
        return "once";
    case fault::lost:
        return "lost";
    case fault::hangs:
        return "hangs";
    default:
        return "asynchronous";
    }
}

} // namespace

class DeviceFaults : public DeviceTest,
                     public testing::WithParamInterface<std::tuple<int, fault>>
{
protected:
    DeviceFaults() { gr::logging::singleton().set_default_level(spdlog::level::warn); }
    const fault_scenario& what() const
    {
        return fault_scenarios()[std::get<0>(GetParam())];
    }
    bool hangs() const { return std::get<1>(GetParam()) == fault::hangs; }

    void SetUp() override
    {
        if (hangs())
            GPUFFT_ONLY_SIMULATED("cards do not hang when told to, see qa_card_hangs");
        const std::string name = what().name;
        if (name.find("Cards") != std::string::npos && test_devices::count() < 2)
            GTEST_SKIP() << "needs two cards: GPUFFT_TEST_DEVICES=0,1";
    }

    // Runs with a fault at that call, calls check(run). False if the run ended before.
    template <class Check>
    bool strikes(const std::string& on_error, fault how, long call, Check&& check)
    {
        SCOPED_TRACE("fault at call " + std::to_string(call));
        test_devices::reset();
        test_devices::set_speed({ 2e-5, 0, 1 });
        {
            faulty_run run(what(), on_error);
            test_devices::fail(how, call);
            EXPECT_TRUE(run.run()) << "hangs";
            check(run);
        }
        if (hangs()) {
            EXPECT_LE(simulation::hanging(), 1) << "a card takes another one with it";
            simulation::release(); // what it still does must find its memory
        }
        for (const std::string& violation : test_devices::violations())
            ADD_FAILURE() << violation;
        return test_devices::struck();
    }

    // The step from one faulty call to the next in the later half of a bounded sweep.
    long step(const std::string& on_error, long most)
    {
        strikes(on_error, fault::none, 0, [](faulty_run&) {});
        return 1 + 2 * test_devices::calls() / most;
    }

    // Calls check(run) after a run with a fault at call 1, 2, 3, ... until a run ends
    // before the fault. Returns how many struck.
    template <class Check>
    long for_every_call(const std::string& on_error, Check&& check)
    {
        constexpr long TOO_MANY = 3000, FEW = 16;
        long most = std::max(10.0, environment("GPUFFT_TEST_FAULTS", TOO_MANY));
        if (hangs() && !what().hangs_at_many_calls && most < TOO_MANY)
            most = FEW;
        const long far = most < TOO_MANY ? step(on_error, most) : 1;
        long faults = 0;
        for (long call = 1; call < TOO_MANY; call += call < most / 2 ? 1 : far) {
            if (!strikes(on_error, std::get<1>(GetParam()), call, check) ||
                HasFailure()) {
                tally("faults injected", faults);
                std::printf("%ld faults at calls 1 ... %ld\n", faults, call - 1);
                return faults;
            }
            ++faults;
        }
        ADD_FAILURE() << "there is no end of calls";
        return TOO_MANY;
    }
};

TEST_P(DeviceFaults, CpuGoesOn)
{
    std::size_t on_cpu = 0;
    const long calls = for_every_call("cpu", [&](faulty_run& run) {
        EXPECT_EQ(run.difference(false), "");
        EXPECT_EQ(run.errors(), std::vector<std::string>());
        EXPECT_EQ(run.reports(), run.blocks_on_cpu());
        const std::size_t most_on_cpu = what().devices_apart ? 1 : SIZE_MAX;
        EXPECT_LE(run.blocks_on_cpu(), most_on_cpu) << "a card takes another with it";
        on_cpu += run.blocks_on_cpu() > 0;
    });
    EXPECT_GT(calls, 5);
    EXPECT_GT(on_cpu, 5u);
}

TEST_P(DeviceFaults, StopSaysWhy)
{
    std::size_t told = 0; // AcrossCards has a block that goes on, and may be the one hit
    const bool breaks = std::get<1>(GetParam()) != fault::once;
    const std::string code = hangs() ? "within 10 s (device_timeout)"
                             : breaks || !test_devices::are_cards() ? "(719)"
                                                                    : "(304)";
    const long calls = for_every_call("stop", [&](faulty_run& run) {
        EXPECT_EQ(run.difference(true), "");
        for (const std::string& error : run.errors())
            EXPECT_NE(error.find(code), std::string::npos) << error;
        const std::size_t reports = run.reports();
        EXPECT_EQ(run.errors().size() + run.blocks_on_cpu(), reports);
        EXPECT_TRUE(run.complete() || !run.errors().empty());
        told += reports > 0;
    });
    EXPECT_GT(calls, 5);
    EXPECT_GT(long(told), calls / 20);
}

// When a flowgraph has stopped, nothing of its blocks is left on a card that failed.
TEST_P(DeviceFaults, TheNextStartUsesTheCardAgain)
{
    if (hangs())
        GTEST_SKIP() << "the process does not use a card again that hangs";
    int struck = 0;
    for (const std::string on_error : { "stop", "cpu" })
        for (const long call : { 1, 7, 20, 45, 80 })
            strikes(on_error, std::get<1>(GetParam()), call, [&](faulty_run& run) {
                struck += test_devices::struck();
                test_devices::fail(fault::none, 0);
                EXPECT_TRUE(run.run()) << "hangs";
                EXPECT_EQ(run.difference(false), "");
                EXPECT_EQ(run.errors(), std::vector<std::string>());
                EXPECT_EQ(run.blocks_on_cpu(), 0u);
            });
    EXPECT_GT(struck, 2);
}

TEST_P(DeviceFaults, IsLoggedOnce)
{
    std::size_t on_cpu = 0;
    for (long call = 5; call < 30 && on_cpu == 0; call++) { // some faults do not matter
        test_devices::reset();
        test_devices::set_speed({ 2e-5, 0, 1 });
        const log_counter lines("going on with the cpu engine");
        faulty_run run(what(), "cpu");
        test_devices::fail(std::get<1>(GetParam()), call);
        EXPECT_TRUE(run.run());
        on_cpu = run.blocks_on_cpu();
        EXPECT_EQ(lines.lines(), static_cast<int>(on_cpu));
    }
    EXPECT_GE(on_cpu, 1u);
}

INSTANTIATE_TEST_SUITE_P(
    EveryCall,
    DeviceFaults,
    testing::Combine(
        testing::Range(0, static_cast<int>(fault_scenarios().size())),
        testing::Values(fault::once, fault::lost, fault::asynchronous, fault::hangs)),
    [](const auto& info) {
        return std::string(fault_scenarios()[std::get<0>(info.param)].name) + "_" +
               name_of(std::get<1>(info.param));
    });

} // namespace gpufft
} // namespace gr
