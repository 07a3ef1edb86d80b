// SPDX-License-Identifier: GPL-3.0-or-later
//
// When a thread asks a device that it waits for: a short wait is seen at once, a long one
// takes few questions, and all spins together take little. The tests control the clock.

#include "engine/device_watch.h"
#include <gnuradio/gpufft/engine.h>
#include <gtest/gtest.h>
#include <random>
#include <sys/prctl.h>
#include <thread>

namespace gr {
namespace gpufft {

namespace {

constexpr double US = 1e-6;
constexpr double ASK = 1 * US;    // what a question takes
constexpr double LATE = 15 * US;  // how late a sleep ends
constexpr double SHORT = 12 * US; // a small chunk
constexpr double LONG = 300 * US; // one of 16 MiB
constexpr double SEEN_AT_ONCE = 2 * ASK;

// A thread's host, and a device whose work ends when it is told to.
struct simulated_host {
    double time = 1;
    int asks = 0, sleeps = 0;
    device_watch watch{ "device 0",
                        nullptr,
                        [this] { return time; },
                        { [this] { return time; },
                          [this](double seconds) {
                              ++sleeps;
                              time += seconds + LATE;
                          } } };

    bool ask(double end)
    {
        ++asks;
        time += ASK;
        return time >= end;
    }

    // How late the thread sees the end of work that takes so long.
    double wait(double takes)
    {
        const double end = time + takes;
        watch.wait([this, end] { return ask(end); });
        return time - end;
    }

    // Questions that followed no sleep, nor began a wait.
    int spins(int waits) const { return asks - sleeps - waits; }
};

// In a thread of its own, which has waited for nothing yet.
template <class Work>
void in_a_new_thread(Work&& work, double limit = 10)
{
    std::thread([&] {
        const device_patience patience(limit);
        work();
    }).join();
}

} // namespace

TEST(PollRhythm, ASmallChunkIsSeenAtOnce)
{
    in_a_new_thread([] {
        simulated_host host;
        for (int i = 0; i < 1000; ++i) {
            EXPECT_LE(host.wait(SHORT), SEEN_AT_ONCE) << i;
            host.time += 88 * US;
        }
        EXPECT_EQ(host.sleeps, 0);
    });
}

// A wait that ended during a sleep looks longer than it was.
TEST(PollRhythm, LateWakeUpsDoNotAddUp)
{
    in_a_new_thread([] {
        simulated_host host;
        int slept = 0;
        for (int i = 0; i < 1000; ++i) {
            const int before = host.sleeps;
            const double late = host.wait(SHORT);
            slept += host.sleeps > before;
            EXPECT_LE(late, poll_rhythm::LEAST_SLEEP + LATE + SEEN_AT_ONCE) << i;
            host.time += 2 * US;
        }
        EXPECT_GT(slept, 500); // else there was credit for all
        EXPECT_LT(slept, 900); // which does come back
    });
}

TEST(PollRhythm, ALongChunkTakesFewQuestions)
{
    constexpr int SOME = 4, MANY = 100;
    in_a_new_thread([] {
        simulated_host host;
        for (int i = 0; i < SOME; ++i)
            host.wait(LONG);
        host.asks = host.sleeps = 0;
        for (int i = 0; i < MANY; ++i)
            EXPECT_LE(host.wait(LONG), LONG / 8 + LATE + SEEN_AT_ONCE) << i;
        EXPECT_EQ(host.spins(MANY), 0);
        EXPECT_LE(host.asks, 5 * MANY);
    });
}

// Whatever takes how long, in any order.
TEST(PollRhythm, SpinsTakeLessThanAFifthOfTheTime)
{
    constexpr int WAITS = 20000;
    for (const double longest : { 5 * US, 20 * US, 60 * US, 200 * US })
        for (const double longest_gap : { 0 * US, 10 * US, 100 * US })
            in_a_new_thread([=] {
                std::minstd_rand random(1);
                std::uniform_real_distribution<double> part;
                simulated_host host;
                const double begin = host.time;
                for (int i = 0; i < WAITS; ++i) {
                    host.wait(longest * part(random));
                    host.time += longest_gap * part(random);
                }
                // each spin may end in the middle of a question
                const double most = (host.time - begin) / 5 + poll_rhythm::MOST_CREDIT +
                                    0.5 * WAITS * ASK;
                EXPECT_LE(host.spins(WAITS) * ASK, most) << longest << longest_gap;
            });
}

TEST(PollRhythm, AnExceptionIsNotExpectedAgain)
{
    in_a_new_thread([] {
        simulated_host host;
        for (int i = 0; i < 100; ++i) {
            const bool is_late = i % 10 == 5;
            const double late = host.wait(is_late ? 2000 * US : SHORT);
            EXPECT_TRUE(is_late || late <= SEEN_AT_ONCE) << i << ": " << late;
            host.time += 88 * US;
        }
    });
}

TEST(PollRhythm, FollowsTheStream)
{
    constexpr int SOON = 16, OFTEN = 20;
    in_a_new_thread([] {
        simulated_host host;
        for (const double takes : { LONG, SHORT, LONG, 70 * US, SHORT, LONG }) {
            int spins = 0;
            for (int i = 0; i < SOON + OFTEN; ++i) {
                host.asks = host.sleeps = 0;
                const double late = host.wait(takes);
                host.time += 88 * US;
                if (i >= SOON)
                    spins += host.spins(1);
                EXPECT_TRUE(i < SOON || takes > SHORT || late <= SEEN_AT_ONCE) << late;
            }
            EXPECT_EQ(spins > 0, takes == SHORT) << takes;
        }
    });
}

TEST(PollRhythm, WaitsThatAreOverBeforeTheyBeginAreForgotten)
{
    in_a_new_thread([] {
        simulated_host host;
        for (int i = 0; i < 3; ++i)
            host.wait(LONG);
        for (int i = 0; i < 50; ++i)
            host.wait(0);
        EXPECT_LE(host.wait(SHORT), 2 * LATE);
    });
}

TEST(PollRhythm, ASleepLeavesTheThreadsSlackAsItWas)
{
    const int before = prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0);
    poll_clock::sleep_thread(US);
    EXPECT_EQ(prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0), before);
}

TEST(PollRhythm, ADeviceThatHangsIsAskedRarely)
{
    in_a_new_thread(
        [] {
            simulated_host host;
            host.wait(SHORT);
            host.asks = 0;
            EXPECT_THROW(host.wait(1000), cuda_error);
            EXPECT_LT(host.asks, 700);
            EXPECT_LT(host.time, 1.51);
        },
        0.5);
}

TEST(PollRhythm, AThreadThatSpinsLearnsThatTheDeviceHangs)
{
    in_a_new_thread([] {
        simulated_host host;
        EXPECT_THROW(host.watch.wait([&host] {
            if (host.asks == 5) // another thread's limit is exceeded
                in_a_new_thread([&host] { EXPECT_THROW(host.wait(1000), cuda_error); },
                                1e-3);
            return host.ask(1000);
        }),
                     cuda_error);
        EXPECT_TRUE(host.watch.hangs());
        EXPECT_LT(host.time, 1.1); // long before its own limit
        host.watch.forget();
    });
}

} // namespace gpufft
} // namespace gr
