// SPDX-License-Identifier: GPL-3.0-or-later
//
// FFTW's planner: one lock for the process; and its transforms in groups.

#include "engine/cpu/aligned_buffer.h"
#include "fftw_transform.h"

#include <atomic>
#include <chrono>
#include <cmath>
#include <complex>
#include <gnuradio/gpufft/engine.h>
#include <gtest/gtest.h>
#include <mutex>
#include <thread>
#include <vector>

using namespace gr::gpufft;

TEST(FftwPlanner, PlansFromSeveralThreads)
{
    std::atomic<int> right{ 0 };
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 4; ++thread)
        threads.emplace_back([thread, &right] {
            for (std::size_t n = 30 + thread; n < 150; n += 3) {
                const fftw_transform transform(n, 1, direction::inverse);
                right += std::abs(bin_zero_of_ones(transform, n) - float(n)) < 1e-3f;
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_EQ(right, 159); // 40 lengths by three of them, 39 by one
}

TEST(FftwPlanner, LockIsFreeAfterAFailedPlan)
{
    EXPECT_THROW(fftw_transform(0, 1, direction::forward), std::runtime_error);
    const fftw_transform transform(60, 1, direction::forward);
    EXPECT_EQ(bin_zero_of_ones(transform, 60), 60.0f);
}

TEST(FftwPlanner, SharedMutexHoldsPlanningBack)
{
    static std::mutex shared; // outlives every plan
    share_planner_mutex(shared);
    std::atomic<bool> planned{ false };
    std::thread planner;
    {
        const std::lock_guard<std::mutex> lock(shared);
        planner = std::thread([&] {
            fftw_transform(84, 1, direction::forward);
            planned = true;
        });
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        EXPECT_FALSE(planned);
    }
    planner.join();
    EXPECT_TRUE(planned);
}

TEST(FftwTransform, GroupsAgreeWithSingleTransforms)
{
    for (std::size_t n : { 1, 2, 3, 8, 15, 31 }) {
        const std::size_t howmany = 16;
        const fftw_transform single(n, 1, direction::forward);
        const fftw_transform group(n, howmany, direction::forward);
        const aligned_buffer<std::complex<float>> in(n * howmany), out(n * howmany);
        const aligned_buffer<std::complex<float>> one(n), expected(n);
        for (std::size_t i = 0; i < n * howmany; ++i)
            in[i] = { std::sin(float(i * i)), std::cos(float(3 * i)) };
        group.execute(in.data(), out.data());
        for (std::size_t f = 0; f < howmany; ++f) {
            std::copy_n(in.data() + f * n, n, one.data());
            single.execute(one.data(), expected.data());
            for (std::size_t k = 0; k < n; ++k)
                EXPECT_LT(std::abs(out[f * n + k] - expected[k]), 1e-5f) << n << ' ' << f;
        }
    }
}
