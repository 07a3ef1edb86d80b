// SPDX-License-Identifier: GPL-3.0-or-later
//
// Children that fork() makes of a process with threads: they find the planner's mutexes
// free, and get rid of thread pools and plans that they inherit.

#include "engine/cpu/fftw_planner.h"
#include "engine/cpu/thread_pool.h"
#include "engine/cuda/lasting.h"
#include "engine/forks.h"
#include "fftw_transform.h"

#include <atomic>
#include <complex>
#include <cstdlib>
#include <gnuradio/gpufft/plan.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace gr::gpufft;

namespace {

// Ends a child that hangs.
constexpr unsigned HANG_GUARD = 120; // seconds

// What the child returns; -1 if it does not end by itself.
template <class Work>
int in_child(const Work& work)
{
    const pid_t child = fork();
    if (child == 0) {
        alarm(HANG_GUARD);
        _exit(work());
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// Another thread holds `Lock(mutex...)` when the process forks, and for a while longer.
template <class Lock, class... Mutex>
int child_beside(Mutex&... mutex)
{
    std::atomic<bool> held{ false };
    std::thread holder([&] {
        const Lock lock(mutex...);
        held = true;
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    });
    while (!held)
        std::this_thread::yield();
    const int result = in_child([] {
        const fftw_transform transform(60, 1, direction::forward);
        return 7;
    });
    holder.join();
    return result;
}

plan::uptr threaded_plan()
{
    plan_options options;
    options.engine = engine_kind::cpu;
    options.threads = 4;
    return plan::make(problem::from_string("c2c_forward_n1000_b64"), options);
}

} // namespace

TEST(Forks, AreCounted)
{
    const unsigned before = fork_count();
    EXPECT_EQ(in_child([&] { return int(fork_count() - before); }), 1);
    EXPECT_EQ(fork_count(), before);
}

TEST(Forks, ChildFindsThePlannerFree) { EXPECT_EQ(child_beside<planner_lock>(), 7); }

TEST(Forks, ChildFindsTheSharedMutexFree)
{
    static std::mutex shared; // outlives every plan
    share_planner_mutex(shared);
    EXPECT_EQ(child_beside<std::lock_guard<std::mutex>>(shared), 7);
}

TEST(Forks, ChildrenOfAProcessThatPlans)
{
    std::atomic<bool> stop{ false };
    std::thread planner([&] {
        for (std::size_t n = 30; !stop; n = n < 3000 ? n + 1 : 30)
            fftw_transform(n, 1, direction::forward);
    });
    for (int i = 0; i < 20; ++i)
        EXPECT_EQ(in_child([] {
                      const fftw_transform transform(84, 1, direction::inverse);
                      return 7;
                  }),
                  7);
    stop = true;
    planner.join();
}

TEST(Forks, ChildFindsASearchAtItsEnd)
{
    struct found {
        std::string reason;
    };
    static lasting<found> driver(process_mutex::driver); // as the library's, from now on
    std::atomic<bool> begun{ false };
    std::thread searcher([&] {
        driver.get([&] {
            begun = true;
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            return found();
        });
    });
    while (!begun)
        std::this_thread::yield();
    EXPECT_EQ(in_child([] {
                  return driver.get([] { return found{ "again" }; }).reason.empty() ? 7
                                                                                    : 1;
              }),
              7);
    searcher.join();
}

TEST(Forks, InheritedPoolsDoTheirTasksAndGo)
{
    auto pool = std::make_unique<thread_pool>(4);
    pool->run(8, [](std::size_t, std::size_t) {});
    for (int wait : { 0, 20 }) { // its threads spin, or sleep
        std::this_thread::sleep_for(std::chrono::milliseconds(wait));
        EXPECT_EQ(in_child([&] {
                      std::atomic<int> sum{ 0 };
                      pool->run(5, [&](std::size_t task, std::size_t) { sum += task; });
                      pool.reset();
                      return int(sum);
                  }),
                  10);
    }
    std::atomic<int> done{ 0 };
    pool->run(9, [&](std::size_t, std::size_t) { ++done; });
    EXPECT_EQ(done, 9);
}

TEST(Forks, ChildrenThatExit)
{
    static std::unique_ptr<thread_pool> left;
    left = std::make_unique<thread_pool>(4);
    left->run(8, [](std::size_t, std::size_t) {});
    EXPECT_EQ(in_child([]() -> int { std::exit(7); }), 7);
    left.reset();
}

TEST(Forks, InheritedPlansComputeAndGo)
{
    plan::uptr inherited = threaded_plan();
    std::vector<std::complex<float>> input(64000), expected(64000);
    for (std::size_t i = 0; i < input.size(); ++i)
        input[i] = { float(i % 17), float(i % 5) };
    inherited->execute(input.data(), expected.data(), 64);
    EXPECT_EQ(in_child([&] {
                  std::vector<std::complex<float>> output(64000);
                  inherited->execute(input.data(), output.data(), 64);
                  inherited.reset();
                  std::vector<std::complex<float>> again(64000);
                  threaded_plan()->execute(input.data(), again.data(), 64);
                  return output == expected && again == expected ? 7 : 1;
              }),
              7);
}
