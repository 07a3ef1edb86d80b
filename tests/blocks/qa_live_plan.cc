// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a block's plan does where the system has no more memory or threads, and that
// nobody waits while it falls back to the CPU.

#include "device_test.h"
#include "passing_plan.h"
#include "stages.h"
#include "stream/live_plan.h"
#include "test_blocks.h"
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <future>
#include <new>
#include <pthread.h>
#include <thread>
#include <utility>

namespace {

thread_local bool s_next_fails = false; // of the allocations

} // namespace

// Not inlined, or the compiler takes malloc() and free() for a mistake.
[[gnu::noinline]] void* operator new(std::size_t bytes)
{
    void* memory = s_next_fails ? nullptr : std::malloc(bytes > 0 ? bytes : 1);
    s_next_fails = false;
    if (memory == nullptr)
        throw std::bad_alloc();
    return memory;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept
{
    std::free(memory);
}

namespace gr {
namespace gpufft {

namespace {

// As long as it lives no thread can be started: none has room for its stack.
class no_more_threads
{
public:
    no_more_threads()
    {
        pthread_attr_t huge;
        pthread_getattr_default_np(&d_before);
        pthread_attr_init(&huge);
        pthread_attr_setstacksize(&huge, std::size_t(1) << 50);
        pthread_setattr_default_np(&huge);
        pthread_attr_destroy(&huge);
    }
    ~no_more_threads()
    {
        pthread_setattr_default_np(&d_before);
        pthread_attr_destroy(&d_before);
    }
    no_more_threads(const no_more_threads&) = delete;
    no_more_threads& operator=(const no_more_threads&) = delete;

private:
    pthread_attr_t d_before;
};

plan_settings spectrum_settings()
{
    plan_settings settings;
    settings.what.n = 64;
    settings.what.output = output_kind::power;
    return settings;
}

} // namespace

class LivePlan : public DeviceTest
{
protected:
    LivePlan() { gr::logging::singleton().set_default_level(spdlog::level::off); }

    live_plan make(engine_kind engine, bool cpu_on_error)
    {
        plan_options options;
        options.engine = engine;
        return live_plan(spectrum_settings(),
                         options,
                         { 0 },
                         cpu_on_error,
                         10,
                         std::make_shared<gr::logger>("live_plan"));
    }
};

TEST_F(LivePlan, NobodyWaitsWhileItFallsBack)
{
    GPUFFT_ONLY_SIMULATED("a plan whose making is held up");
    std::promise<void> begins, may_end;
    std::atomic<bool> is_first{ true };
    live_plan::s_make = [&](const problem& what, const plan_options& options) {
        if (options.engine == engine_kind::cpu && is_first.exchange(false)) {
            begins.set_value();
            may_end.get_future().wait();
        }
        return test_devices::make_plan(what, options);
    };
    live_plan tested = make(engine_kind::cuda, true);
    tested.begin_run();
    std::thread block([&] { tested.fall_back("simulated"); });
    begins.get_future().wait();
    auto others = std::async(std::launch::async, [&] {
        plan_settings next = spectrum_settings();
        next.what.scale = 2;
        tested.configure(next); // adjusts the plan
        next.what.shift_output = true;
        tested.configure(next); // makes another
        return tested.engine() + tested.describe();
    });
    const bool waited =
        others.wait_for(std::chrono::seconds(300)) != std::future_status::ready;
    may_end.set_value();
    block.join();
    EXPECT_FALSE(waited);
    const plan& now = tested.current();
    EXPECT_EQ(now.engine(), engine_kind::cpu);
    EXPECT_TRUE(now.what().shift_output);
    EXPECT_EQ(now.what().scale, 2);
    EXPECT_EQ(tested.engine_reason(), "cpu: simulated");
    tested.end_run();
}

// A setter that began to plan for the card when the block falls back ends on the CPU.
TEST_F(LivePlan, ALateSetterPlansForTheCpu)
{
    live_plan tested = make(engine_kind::cuda, true);
    tested.begin_run();
    bool is_first = true;
    live_plan::s_make = [&](const problem& what, const plan_options& options) {
        plan::uptr made = test_devices::make_plan(what, options);
        if (std::exchange(is_first, false))
            tested.fall_back("simulated");
        return made;
    };
    plan_settings next = spectrum_settings();
    next.what.shift_output = true;
    tested.configure(next);
    EXPECT_EQ(tested.current().engine(), engine_kind::cpu);
    EXPECT_TRUE(tested.current().what().shift_output);
    tested.end_run();
}

TEST_F(LivePlan, ASetterWithoutThreadsChangesNothing)
{
    live_plan tested = make(engine_kind::cpu, false);
    tested.begin_run();
    const std::string before = tested.describe();
    plan_settings next = spectrum_settings();
    next.threads = 3;
    {
        const no_more_threads here;
        EXPECT_THROW(tested.configure(next), std::system_error);
    }
    EXPECT_FALSE(tested.is_changed());
    tested.current();
    EXPECT_EQ(tested.describe(), before);
    tested.end_run();
}

TEST_F(LivePlan, TheBlockKeepsItsThreadsWhereThereAreNoMore)
{
    live_plan tested = make(engine_kind::cpu, false);
    tested.begin_run();
    const std::string before = tested.describe();
    plan_settings next = spectrum_settings();
    next.threads = 3;
    next.what.scale = 2;
    tested.configure(next);
    {
        const no_more_threads here;
        EXPECT_NO_THROW(tested.current());
    }
    EXPECT_EQ(tested.on(0).what().scale, 2);
    EXPECT_NE(tested.describe().find("1 thread,"), std::string::npos)
        << tested.describe();
    tested.end_run();
}

TEST_F(LivePlan, APoolSaysHowManyThreadsThereAre)
{
    plan_options options;
    options.engine = engine_kind::cpu;
    options.threads = 3;
    const no_more_threads here;
    try {
        plan::make(spectrum_settings().what, options);
        FAIL() << "threads without a stack";
    } catch (const std::system_error& error) {
        EXPECT_NE(std::string(error.what()).find("threads is 3, but only 1 could"),
                  std::string::npos)
            << error.what();
    }
}

namespace {

// A plan behind whose first work the memory is short.
class hungry_plan : public passing_plan
{
public:
    using passing_plan::passing_plan;

    static bool s_is_short; // then it is not any more

protected:
    void do_enqueue(const void* dev_input,
                    void* dev_output,
                    std::size_t frames,
                    void* stream,
                    std::size_t hop) override
    {
        passing_plan::do_enqueue(dev_input, dev_output, frames, stream, hop);
        s_next_fails = std::exchange(s_is_short, false);
    }
};

bool hungry_plan::s_is_short = false;

} // namespace

// Memory is short after a chunk of frames that lie apart was queued. The flowgraph ends
// with the reason, and the next one is right.
TEST_F(LivePlan, MemoryThatIsShortWhileAChunkIsQueued)
{
    live_plan::s_make = make_troubled<hungry_plan>;
    const stage spectrum =
        make_spectrum({ 32, sample_format::cf32, 50, 1, false }, { { 0 }, "stop" });
    random_source random(1);
    const stream_data data = random_floats(random, 5000, 2);
    for (const bool is_short : { true, false }) {
        hungry_plan::s_is_short = is_short;
        const auto sink = std::make_shared<recording_sink>(spectrum.out_bytes);
        const auto flowgraph = make_top_block("short");
        const stream_data expected =
            connect_chain(flowgraph,
                          std::make_shared<scripted_source>(data),
                          data,
                          { spectrum },
                          { 8192 },
                          sink);
        EXPECT_TRUE(runs(flowgraph));
        EXPECT_EQ(spectrum.ours[0]->error().empty(), !is_short);
        EXPECT_EQ(difference(expected, sink->received(), is_short), "");
    }
}

} // namespace gpufft
} // namespace gr
