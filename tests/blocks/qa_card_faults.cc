// SPDX-License-Identifier: GPL-3.0-or-later
//
// What only a real card can do: a kernel that breaks it while a flowgraph runs, and
// memory that it does not have.

#include "device_test.h"
#include "passing_plan.h"
#include "stages.h"
#include "stream/live_plan.h"
#include "test_blocks.h"
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>

#ifdef GPUFFT_HAVE_CUDA
#include "engine/cuda/device.h"
#endif

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t N = 64;
constexpr std::size_t ITEMS = 2000;


// The plan of a card, whose kernels write where there is no memory after some calls.
class wild_plan : public plan_with_trouble
{
public:
    using plan_with_trouble::plan_with_trouble;

protected:
    void make_trouble(void*& dev_output, void*) override
    {
        dev_output = reinterpret_cast<void*>(std::uintptr_t(1) << 20);
    }
};

} // namespace

class CardFaults : public DeviceTest, public testing::WithParamInterface<const char*>
{
protected:
    void SetUp() override
    {
        if (!test_devices::are_cards())
            GTEST_SKIP() << "needs a card: GPUFFT_TEST_ENGINE=cuda";
    }

    std::string on_error() const { return GetParam(); }
    bool goes_on() const { return on_error() == "cpu"; }

    // Of all blocks: one that gets no samples, since the one before stops, has none.
    static std::string errors_of(const std::vector<stage>& stages)
    {
        std::string errors;
        for (const stage& each : stages)
            errors += each.ours[0]->error();
        return errors;
    }

    // source -> FFT -> inverse FFT -> sink: all comes out, or, if the block stops, the
    // beginning. The trouble is made once the blocks are, and is over for a second start.
    // Returns the errors of both.
    std::string run_chain(
        const std::function<void()>& make_trouble = [] {},
        const std::function<void()>& end_trouble = [] {})
    {
        random_source random(1);
        const stream_data data = random_floats(random, ITEMS, 2 * N);
        const auto source = std::make_shared<scripted_source>(data, pace{ 20 });
        const auto sink = std::make_shared<recording_sink>(N * sizeof(gr_complex));
        const auto flowgraph = make_top_block("card_faults");
        const stage_options how = { { 0 }, on_error() };
        const std::vector<stage> stages = { make_fft({ N }, how),
                                            make_fft({ N, false, false }, how) };
        const stream_data expected =
            connect_chain(flowgraph, source, data, stages, { 100 }, sink);
        make_trouble();
        EXPECT_TRUE(runs(flowgraph));
        EXPECT_EQ(difference(expected, sink->received(), !goes_on()), "");
        const std::string errors = errors_of(stages);
        EXPECT_EQ(stages[0].ours[0]->engine(), goes_on() ? "cpu" : "cuda");
        EXPECT_EQ(errors.empty(), goes_on());

        end_trouble();
        EXPECT_TRUE(runs(flowgraph));
        // After a wild kernel NVIDIA's driver 580 gives the process no other context.
        const bool is_back = test_devices::broken_reason(0).empty();
        EXPECT_EQ(difference(expected, sink->received(), !is_back && !goes_on()), "");
        EXPECT_EQ(errors_of(stages).empty(), is_back || goes_on());
        EXPECT_EQ(stages[0].ours[0]->engine(), is_back || !goes_on() ? "cuda" : "cpu");
        return errors;
    }
};

// In a process of its own, whatever becomes of its context.
TEST_P(CardFaults, AKernelBreaksTheCard)
{
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    const auto run_into_it = [this] {
        live_plan::s_make = make_troubled<wild_plan>;
        const std::string errors =
            run_chain([] {}, [] { live_plan::s_make = test_devices::make_plan; });
        std::fprintf(stderr, "errors: %s\n", errors.c_str());
        std::_Exit(HasFailure() ? 1 : 0);
    };
    EXPECT_EXIT(run_into_it(),
                testing::ExitedWithCode(0),
                goes_on() ? "errors: \n" : "CUDA_ERROR_ILLEGAL_ADDRESS");
    tally("broken cards");
}

#ifdef GPUFFT_HAVE_CUDA
TEST_P(CardFaults, TheCardHasNoMemory)
{
    const std::string errors = run_chain(
        [] { memory_buffer::set_most_bytes(0); },
        [] { memory_buffer::set_most_bytes(std::numeric_limits<std::size_t>::max()); });
    EXPECT_EQ(errors.find("out of memory"), goes_on() ? std::string::npos : 0u);
}
#endif

INSTANTIATE_TEST_SUITE_P(OnError,
                         CardFaults,
                         testing::Values("stop", "cpu"),
                         [](const auto& info) { return std::string(info.param); });

} // namespace gpufft
} // namespace gr
