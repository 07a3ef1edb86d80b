// SPDX-License-Identifier: GPL-3.0-or-later
//
// After an error that breaks the card's context: who is told what, what still reaches the
// driver, and when the card is used again. On a driver that fails when told to.

#ifdef GPUFFT_HAVE_CUDA

#include "engine/async_device.h"
#include "engine/cuda/device.h"
#include "engine/cuda/kernel.h"
#include "engine/cuda/nvrtc.h"
#include "engine/engines.h"
#include "fake_driver.h"
#include "planner/planner.h"
#include <cstdlib>
#include <filesystem>
#include <gnuradio/gpufft/engine.h>
#include <gnuradio/gpufft/plan.h>
#include <gtest/gtest.h>
#include <thread>

using namespace gr::gpufft;

namespace {

const char* const BROKE = "the CUDA context of device 0 broke earlier: ";

// What() of the cuda_error that it throws; "" if it does not.
template <class Call>
std::string error_of(Call&& call)
{
    try {
        call();
    } catch (const cuda_error& error) {
        return error.what();
    }
    return "";
}

bool begins_with(const std::string& text, const std::string& begin)
{
    return text.compare(0, begin.size(), begin) == 0;
}

bool has(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

class BrokenContext : public testing::Test
{
protected:
    BrokenContext() { fake_driver::reset(); }
    void TearDown() override
    {
        for (const std::string& violation : fake_driver::violations())
            ADD_FAILURE() << "violation: " << violation;
        fake_driver::reset();
        context(); // takes a new one if the test has broken it
        EXPECT_EQ(fake_driver::handles(), 0);
    }

    static const device_context& context() { return device_context::get(0); }

    // A call that meets an error of the card.
    static void meet(CUresult error, const device_context& in = context())
    {
        fake_driver::break_context(error);
        const device_context::scope scope(in);
        GPUFFT_CUDA(cuCtxSynchronize());
    }

    static plan_options on(engine_kind engine)
    {
        plan_options options;
        options.engine = engine;
        return options;
    }
};

class BrokenPlans : public BrokenContext
{
protected:
    void SetUp() override
    {
        if (!find_nvrtc().reason.empty())
            GTEST_SKIP() << find_nvrtc().reason;
    }

    static plan::uptr make(engine_kind engine, std::size_t n = 8)
    {
        problem what;
        what.n = n;
        return plan::make(what, on(engine));
    }

    static void execute(plan& of)
    {
        std::vector<std::complex<float>> data(of.what().n);
        of.execute(data.data(), data.data(), 1);
    }
};

} // namespace

TEST_F(BrokenContext, TheOnlyCardIsDeviceZero)
{
    EXPECT_EQ(missing_card(0), "");
    EXPECT_EQ(missing_card(99), "there is no device 99: the only one is device 0");
    EXPECT_THROW(device_context::get(99), std::invalid_argument);
}

TEST_F(BrokenContext, TheFirstErrorIsTheOneWhoMetItsOwn)
{
    const stream_uptr stream = make_stream(context());
    const std::string first = error_of([] { meet(CUDA_ERROR_MISALIGNED_ADDRESS); });
    EXPECT_TRUE(begins_with(first,
                            "cuCtxSynchronize() failed: CUDA_ERROR_MISALIGNED_ADDRESS "
                            "(716), an error [qa_broken_context.cc:"))
        << first;
    const long calls = fake_driver::calls();
    const device_context& same = *stream.get_deleter().owner.context();
    const std::string later = error_of([&] { make_event(same); });
    EXPECT_TRUE(begins_with(later, BROKE + first + ", in thread ")) << later;
    EXPECT_EQ(later, error_of([] { device_context::get(0); }));
    EXPECT_EQ(later, broken_reason(0));
    EXPECT_EQ(fake_driver::calls(), calls); // none of them reached the driver
}

// A scope that was there before: the driver itself answers then.
TEST_F(BrokenContext, CallsUnderWayAreToldToo)
{
    const device_context::scope scope(context());
    std::string first;
    std::thread([&] { first = error_of([] { meet(CUDA_ERROR_ASSERT); }); }).join();
    EXPECT_NE(first, "");
    EXPECT_EQ(error_of([] { GPUFFT_CUDA(cuCtxSynchronize()); }), broken_reason(0));
    EXPECT_TRUE(has(broken_reason(0), first));
}

TEST_F(BrokenContext, TheThreadIsNamed)
{
    const stream_uptr stream = make_stream(context());
    std::thread([] {
        pthread_setname_np(pthread_self(), "fft_vcc_fwd7");
        EXPECT_THROW(meet(CUDA_ERROR_LAUNCH_FAILED), cuda_error);
    }).join();
    EXPECT_TRUE(has(broken_reason(0), ", in thread fft_vcc_fwd7; ")) << broken_reason(0);
}

TEST_F(BrokenContext, OtherErrorsPass)
{
    const stream_uptr stream = make_stream(context());
    for (const CUresult error : { CUDA_ERROR_OUT_OF_MEMORY,
                                  CUDA_ERROR_INVALID_VALUE,
                                  CUDA_ERROR_NOT_READY,
                                  CUDA_ERROR_UNKNOWN }) {
        EXPECT_THROW(meet(error), cuda_error);
        fake_driver::break_context(CUDA_SUCCESS);
        EXPECT_EQ(broken_reason(0), "");
        EXPECT_NO_THROW(make_event(context()));
    }
}

TEST_F(BrokenContext, OnceNothingIsLeftTheCardIsUsedAgain)
{
    for (const CUresult error : { CUDA_ERROR_ECC_UNCORRECTABLE,
                                  CUDA_ERROR_NVLINK_UNCORRECTABLE,
                                  CUDA_ERROR_ILLEGAL_ADDRESS,
                                  CUDA_ERROR_LAUNCH_TIMEOUT,
                                  CUDA_ERROR_ASSERT,
                                  CUDA_ERROR_HARDWARE_STACK_ERROR,
                                  CUDA_ERROR_ILLEGAL_INSTRUCTION,
                                  CUDA_ERROR_MISALIGNED_ADDRESS,
                                  CUDA_ERROR_INVALID_ADDRESS_SPACE,
                                  CUDA_ERROR_INVALID_PC,
                                  CUDA_ERROR_LAUNCH_FAILED }) {
        const int contexts = fake_driver::contexts();
        auto stream = std::make_unique<stream_uptr>(make_stream(context()));
        auto event = std::make_unique<event_uptr>(make_event(context()));
        memory_buffer memory(context(), memory_kind::device);
        memory.reserve(100);
        const async_device::sptr card = make_cuda_device(0);
        char samples[64];
        auto registration = card->register_host(samples, sizeof(samples));
        auto ring = card->allocate_ring(1000);
        EXPECT_THROW(meet(error), cuda_error);
        EXPECT_THROW(context(), cuda_error);
        stream.reset();
        EXPECT_THROW(context(), cuda_error);
        event.reset();
        EXPECT_THROW(context(), cuda_error);
        memory.release();
        EXPECT_THROW(context(), cuda_error);
        registration.reset();
        EXPECT_THROW(context(), cuda_error);
        ring.reset();
        EXPECT_NO_THROW(make_stream(context())) << error;
        EXPECT_EQ(fake_driver::contexts(), contexts + 1);
        EXPECT_EQ(broken_reason(0), "");
        EXPECT_NO_THROW(card->make_queue()); // of a card from before
    }
}

// The driver keeps the context then, and it stays broken.
TEST_F(BrokenContext, OtherLibrariesMayHoldTheContext)
{
    context();
    fake_driver::retain_for_others(true);
    EXPECT_THROW(meet(CUDA_ERROR_ILLEGAL_ADDRESS), cuda_error);
    for (int i = 0; i < 3; ++i) {
        const std::string why = error_of([] { context(); });
        EXPECT_TRUE(begins_with(why, BROKE)) << why;
        EXPECT_TRUE(has(why, "its next context fails, too")) << why;
    }
    fake_driver::retain_for_others(false);
    EXPECT_NO_THROW(make_stream(context()));
}

TEST_F(BrokenContext, ACardThatHangsIsLeftAlone)
{
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    const auto hang = [] {
        stream_uptr stream = make_stream(context());
        const device_context& same = context();
        auto memory = std::make_unique<memory_buffer>(same, memory_kind::pinned);
        memory->reserve(100);
        const long calls = fake_driver::calls();
        same.mark_broken(0, "no answer in 10 s", device_context::damage::hangs);
        memory.reset();
        stream.reset();
        const std::string why = error_of([] { context(); });
        const bool fine = has(why, "no answer in 10 s") &&
                          has(why, "does not use the device any more") &&
                          fake_driver::calls() == calls &&
                          begins_with(error_of([&] { make_event(same); }), BROKE);
        std::_Exit(fine ? 0 : 1);
    };
    EXPECT_EXIT(hang(), testing::ExitedWithCode(0), "");
}

// Threads use and break the card, and take it again, all at once: nothing of an old
// context reaches the driver (a violation), and in the end the card is used again.
TEST_F(BrokenContext, ManyThreads)
{
    std::atomic<int> renewed{ 0 };
    const auto work = [&](int number) {
        for (int i = 0; i < 500; ++i) {
            try {
                const stream_uptr stream = make_stream(context());
                ++renewed;
                const device_context& same = *stream.get_deleter().owner.context();
                memory_buffer memory(same, memory_kind::device);
                memory.reserve(1 + i);
                if (i % 20 == number)
                    meet(CUDA_ERROR_ILLEGAL_ADDRESS, same);
            } catch (const cuda_error&) {
            }
        }
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i)
        threads.emplace_back(work, i);
    for (std::thread& each : threads)
        each.join();
    EXPECT_GT(renewed, 0);
    EXPECT_NO_THROW(make_stream(context()));
}

TEST_F(BrokenPlans, StrangersAreToldAndAutoGoesToTheCpu)
{
    plan::uptr guilty = make(engine_kind::cuda), stranger = make(engine_kind::cuda, 16);
    fake_driver::break_at_next_launch(CUDA_ERROR_MISALIGNED_ADDRESS);
    const std::string first = error_of([&] { execute(*guilty); });
    EXPECT_TRUE(has(first, "(716)")) << first;
    EXPECT_FALSE(has(first, "earlier")) << first;
    for (plan* each : { &*guilty, &*stranger }) {
        const std::string why = error_of([&] { execute(*each); });
        EXPECT_TRUE(begins_with(why, BROKE + first)) << why;
    }
    EXPECT_EQ(error_of([] { make(engine_kind::cuda); }), broken_reason(0));

    const plan::uptr by_itself = make(engine_kind::automatic);
    EXPECT_EQ(by_itself->engine(), engine_kind::cpu);
    EXPECT_EQ(by_itself->engine_reason(), "auto: cpu, " + broken_reason(0));
    EXPECT_NO_THROW(execute(*by_itself));

    guilty.reset();
    EXPECT_EQ(make(engine_kind::automatic)->engine(), engine_kind::cpu);
    stranger.reset();
    const plan::uptr again = make(engine_kind::automatic);
    EXPECT_EQ(again->engine(), engine_kind::cuda);
    EXPECT_NO_THROW(execute(*again));
}

// A kernel whose file is whole, but which the driver does not load.
TEST_F(BrokenPlans, RefusedKernelsAreCompiledAnew)
{
    problem what;
    what.n = 8;
    device_traits card;
    const kernel_instance kernel =
        build_program(what, make_recipe(what, card)).steps.front().kernel;
    const kernel_cache cache(cache_directory() + "/kernels");
    const std::string key = kernel_key(kernel, 90);
    for (const std::string& call :
         std::vector<std::string>{ "cuModuleLoadData", "cuModuleGetFunction" }) {
        cache.store(key, { "no_kernel", "no code" });
        fake_driver::fail_once(call, CUDA_ERROR_INVALID_IMAGE);
        EXPECT_NO_THROW(execute(*make(engine_kind::cuda))) << call;
        EXPECT_NE(cache.load(key)->code, "no code") << call;
    }
    fake_driver::fail_once("cuModuleLoadData", CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_THROW(make(engine_kind::cuda), cuda_error);
}

// In a process of its own, since a driver that works is kept.
TEST_F(BrokenContext, ADriverThatDoesNotStartIsTriedAgain)
{
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    const auto start_late = [] {
        fake_driver::refuse_to_start(CUDA_ERROR_SYSTEM_NOT_READY);
        const cuda_status& first = query_cuda();
        const bool refused =
            !first.usable && has(first.reason, "does not start") &&
            plan::make(problem(), on(engine_kind::automatic))->engine() ==
                engine_kind::cpu;
        fake_driver::refuse_to_start(CUDA_SUCCESS);
        const auto begin = std::chrono::steady_clock::now();
        while (query_cuda().driver.empty() &&
               std::chrono::steady_clock::now() - begin < std::chrono::seconds(100))
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        const bool found = query_cuda().devices.size() == 1 &&
                           query_cuda().usable == find_nvrtc().reason.empty();
        const bool kept = has(first.reason, "does not start"); // it is still there
        std::_Exit(refused && found && kept ? 0 : 1);
    };
    EXPECT_EXIT(start_late(), testing::ExitedWithCode(0), "");
}

#endif // GPUFFT_HAVE_CUDA
