// SPDX-License-Identifier: GPL-3.0-or-later
//
// A kernel that does not end, on a real card. What the driver does from then on is final
// for the process, so that each run is one of its own; the kernel ends with it at the
// latest.

#include "device_test.h"
#include "passing_plan.h"
#include "stages.h"
#include "stream/live_plan.h"
#include "test_blocks.h"
#include <chrono>
#include <cstdio>
#include <cstdlib>

#ifdef GPUFFT_HAVE_CUDA
#include "engine/cuda/device.h"

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t N = 64;
constexpr std::size_t ITEMS = 20000;

constexpr double TIMEOUT = 0.5; // seconds

// Spins until the number is not 0.
const char* const SPIN = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry spin(.param .u64 flag)
{
    .reg .pred %p;
    .reg .u32 %now;
    .reg .u64 %at;
    ld.param.u64 %at, [flag];
    cvta.to.global.u64 %at, %at;
again:
    ld.volatile.global.u32 %now, [%at];
    setp.eq.u32 %p, %now, 0;
    @%p bra again;
    ret;
}
)";

struct spinner {
    explicit spinner(int device) : context(device_context::get(device))
    {
        const device_context::scope scope(context);
        CUmodule module = nullptr;
        GPUFFT_CUDA(cuModuleLoadData(&module, SPIN));
        GPUFFT_CUDA(cuModuleGetFunction(&kernel, module, "spin"));
        void* memory = nullptr;
        GPUFFT_CUDA(cuMemAllocHost(&memory, sizeof(unsigned)));
        flag = static_cast<volatile unsigned*>(memory);
        *flag = 0;
    }
    void start(void* stream) const
    {
        const device_context::scope scope(context);
        const volatile unsigned* at = flag;
        void* parameters[] = { &at };
        GPUFFT_CUDA(cuLaunchKernel(kernel,
                                   1,
                                   1,
                                   1,
                                   1,
                                   1,
                                   1,
                                   0,
                                   static_cast<CUstream>(stream),
                                   parameters,
                                   nullptr));
    }
    const device_context& context;
    CUfunction kernel = nullptr;
    volatile unsigned* flag = nullptr;
};

spinner* s_spinner = nullptr; // lives as long as the process

// The plan of a card that hangs after some calls.
class stuck_plan : public plan_with_trouble
{
public:
    using plan_with_trouble::plan_with_trouble;

protected:
    void make_trouble(void*&, void* stream) override { s_spinner->start(stream); }
};

} // namespace

// on_error; whether the kernel ends while the stream goes on, or never.
class CardHangsGpu : public DeviceTest,
                     public testing::WithParamInterface<std::tuple<const char*, bool>>
{
protected:
    void SetUp() override
    {
        if (!test_devices::are_cards())
            GTEST_SKIP() << "needs a card: GPUFFT_TEST_ENGINE=cuda";
    }
    bool goes_on() const { return std::string(std::get<0>(GetParam())) == "cpu"; }
    bool ends_late() const { return std::get<1>(GetParam()); }

    // source -> FFT -> inverse FFT -> sink, and how long that took after the first items.
    void run_into_it()
    {
        live_plan::s_make = make_troubled<stuck_plan>;
        s_spinner = new spinner(0);
        random_source random(1);
        const stream_data data = random_floats(random, ITEMS, 2 * N);
        const auto source = std::make_shared<gated_source>(data, ITEMS / 2);
        const auto sink = std::make_shared<recording_sink>(N * sizeof(gr_complex));
        std::string errors;
        {
            const auto flowgraph = make_top_block("card_hangs");
            const stage_options how = { { 0 }, std::get<0>(GetParam()), TIMEOUT };
            const std::vector<stage> stages = { make_fft({ N }, how),
                                                make_fft({ N, false, false }, how) };
            const stream_data expected =
                connect_chain(flowgraph, source, data, stages, { 500 }, sink);
            flowgraph->start();
            while (goes_on() && sink->count() < ITEMS / 2)
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            if (ends_late())
                *s_spinner->flag = 1;
            source->open();
            EXPECT_TRUE(ends(flowgraph));
            EXPECT_EQ(difference(expected, sink->received(), !goes_on()), "");
            for (const stage& each : stages)
                errors += each.ours[0]->error();
            EXPECT_EQ(stages[0].ours[0]->engine(), goes_on() ? "cpu" : "cuda");
        }
        EXPECT_EQ(errors.empty(), goes_on());
        std::fprintf(stderr, "errors: %s\n", errors.c_str());
        std::exit(HasFailure() ? 1 : 0); // as programs end that know of no trouble
    }
};

TEST_P(CardHangsGpu, IsSurvived)
{
    if (!goes_on() && ends_late())
        GTEST_SKIP() << "nothing goes on";
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    EXPECT_EXIT(run_into_it(),
                testing::ExitedWithCode(0),
                goes_on() ? "errors: \n" : "hangs: it has not finished .* within 0.5 s");
    tally("hung cards");
}

INSTANTIATE_TEST_SUITE_P(OnError,
                         CardHangsGpu,
                         testing::Combine(testing::Values("stop", "cpu"),
                                          testing::Bool()),
                         [](const auto& info) {
                             return std::string(std::get<0>(info.param)) +
                                    (std::get<1>(info.param) ? "_late" : "_never");
                         });

} // namespace gpufft
} // namespace gr

#endif
