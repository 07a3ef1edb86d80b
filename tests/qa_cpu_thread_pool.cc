// SPDX-License-Identifier: GPL-3.0-or-later
//
// The thread pool: every task once, by threads that do not share an index, whatever
// happens in between.

#include "engine/cpu/thread_pool.h"

#include <chrono>
#include <gtest/gtest.h>
#include <stdexcept>
#include <thread>

using namespace gr::gpufft;

class ThreadPool : public ::testing::TestWithParam<std::size_t>
{
protected:
    thread_pool d_pool{ GetParam() };
};

TEST_P(ThreadPool, CountsTheCaller) { EXPECT_EQ(d_pool.threads(), GetParam()); }

TEST_P(ThreadPool, DoesEveryTaskOnce)
{
    for (std::size_t tasks : { 0, 1, 2, 3, 7, 64, 1000 }) {
        std::vector<std::atomic<int>> done(tasks);
        d_pool.run(tasks, [&](std::size_t task, std::size_t) { ++done[task]; });
        for (std::size_t task = 0; task < tasks; ++task)
            EXPECT_EQ(done[task], 1) << task << " of " << tasks;
    }
}

TEST_P(ThreadPool, IndexBelongsToOneThreadAtATime)
{
    std::vector<std::atomic<int>> inside(GetParam());
    std::atomic<bool> shared{ false };
    d_pool.run(500, [&](std::size_t, std::size_t thread) {
        if (++inside.at(thread) != 1)
            shared = true;
        std::this_thread::yield();
        --inside[thread];
    });
    EXPECT_FALSE(shared);
}

TEST_P(ThreadPool, ManyShortJobsKeepTheirOrder)
{
    std::size_t sum = 0; // not atomic: each job must be over before the next begins
    std::vector<std::size_t> values(4);
    for (std::size_t job = 0; job < 20000; ++job) {
        d_pool.run(4, [&](std::size_t task, std::size_t) { values[task] = job + task; });
        for (std::size_t value : values)
            sum += value;
    }
    EXPECT_EQ(sum, 4 * (19999ul * 20000 / 2) + 20000 * 6);
}

TEST_P(ThreadPool, WorksAfterSleeping)
{
    for (int i = 0; i < 5; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5)); // past the spinning
        std::atomic<int> done{ 0 };
        d_pool.run(16, [&](std::size_t, std::size_t) { ++done; });
        EXPECT_EQ(done, 16);
    }
}

TEST_P(ThreadPool, CallerSleepsThroughALongTask)
{
    std::atomic<int> done{ 0 };
    d_pool.run(GetParam(), [&](std::size_t, std::size_t thread) {
        std::this_thread::sleep_for(std::chrono::milliseconds(thread == 0 ? 1 : 20));
        ++done;
    });
    EXPECT_EQ(done, int(GetParam()));
}

TEST_P(ThreadPool, FirstExceptionComesOutAndThePoolGoesOn)
{
    for (int round = 0; round < 20; ++round) {
        try {
            d_pool.run(50, [](std::size_t task, std::size_t) {
                if (task % 10 == 3)
                    throw std::runtime_error("task failed");
            });
            FAIL() << "no exception";
        } catch (const std::runtime_error& error) {
            EXPECT_STREQ(error.what(), "task failed");
        }
        std::atomic<int> done{ 0 };
        d_pool.run(50, [&](std::size_t, std::size_t) { ++done; });
        EXPECT_EQ(done, 50);
    }
}

INSTANTIATE_TEST_SUITE_P(Threads, ThreadPool, ::testing::Values(1, 2, 3, 8));

TEST(ThreadPoolLife, OtherThreadsTakePart)
{
    thread_pool pool(2);
    std::atomic<bool> other{ false };
    // The first task waits for the second: one thread alone would never finish.
    pool.run(2, [&](std::size_t task, std::size_t) {
        if (task == 1)
            other = true;
        while (!other)
            std::this_thread::yield();
    });
    EXPECT_TRUE(other);
}

TEST(ThreadPoolLife, ComesAndGoesQuickly)
{
    for (int i = 0; i < 200; ++i) {
        thread_pool pool(1 + i % 4);
        std::atomic<int> done{ 0 };
        if (i % 3 != 0)
            pool.run(5, [&](std::size_t, std::size_t) { ++done; });
        EXPECT_EQ(done, i % 3 != 0 ? 5 : 0);
    }
}
