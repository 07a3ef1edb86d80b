// SPDX-License-Identifier: GPL-3.0-or-later
//
// A real card as the streaming layer sees it: memory that follows itself, copies of rows,
// kernels in host memory.

#ifdef GPUFFT_HAVE_CUDA

#include "cuda_checks.h"
#include "engine/async_device.h"
#include "stream_moves.h"
#include <complex>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <numeric>

using namespace gr::gpufft;

namespace {

class CudaDeviceGpu : public testing::Test
{
protected:
    void SetUp() override
    {
        if (!query_cuda().usable)
            GTEST_SKIP() << query_cuda().reason;
        d_device = make_cuda_device(0);
        d_queue = d_device->make_queue();
    }

    // Pinned, and full of different numbers.
    std::unique_ptr<async_device::memory> numbers(std::size_t count)
    {
        auto memory = d_device->allocate_pinned(count * sizeof(float));
        std::iota(floats(*memory), floats(*memory) + count, 1.0f);
        return memory;
    }

    static float* floats(const async_device::memory& memory)
    {
        return static_cast<float*>(memory.address());
    }

    async_device::sptr d_device;
    std::unique_ptr<async_device::queue> d_queue;
};

} // namespace

TEST_F(CudaDeviceGpu, RingsFollowThemselves)
{
    constexpr std::size_t COUNT = 5000, BEFORE_END = 1234;
    const auto ring = d_device->allocate_ring(3 * 1000 * 1000);
    ASSERT_GE(ring->bytes(), 3000000u);
    const auto sent = numbers(COUNT);
    const auto received = d_device->allocate_pinned(COUNT * sizeof(float));
    char* base = static_cast<char*>(ring->address());
    char* end = base + ring->bytes();
    const std::size_t first = BEFORE_END * sizeof(float);
    const std::size_t rest = (COUNT - BEFORE_END) * sizeof(float);
    d_device->copy(*d_queue, end - first, sent->address(), first + rest); // over the end
    d_device->copy(*d_queue, received->address(), end - first, first);
    d_device->copy(*d_queue, floats(*received) + BEFORE_END, base, rest);
    d_device->synchronize(*d_queue);
    EXPECT_EQ(std::memcmp(sent->address(), received->address(), first + rest), 0);
}

TEST_F(CudaDeviceGpu, RingsThatDoNotFitAreRefused)
{
    try {
        d_device->allocate_ring(std::size_t(1) << 50);
        ADD_FAILURE() << "a pebibyte fits";
    } catch (const cuda_error& error) {
        EXPECT_NE(std::string(error.what()).find("bytes"), std::string::npos)
            << error.what();
    }
    EXPECT_NO_THROW(d_device->allocate_ring(1));
}

// Two mappings of one ring are one allocation: releasing it gives all back.
TEST_F(CudaDeviceGpu, RingsAreReleased)
{
    for (int i = 0; i < 400; ++i)
        EXPECT_NO_THROW(d_device->allocate_ring(std::size_t(1) << 30)) << i;
}

TEST_F(CudaDeviceGpu, CopiesRowsThatLieApart)
{
    constexpr std::size_t ROWS = 100, LENGTH = 37, PITCH = 91;
    const auto sent = numbers(ROWS * PITCH);
    const auto there = d_device->allocate(ROWS * LENGTH * sizeof(float));
    const auto received = d_device->allocate_pinned(ROWS * LENGTH * sizeof(float));
    d_device->copy_rows(*d_queue,
                        there->address(),
                        LENGTH * sizeof(float),
                        sent->address(),
                        PITCH * sizeof(float),
                        LENGTH * sizeof(float),
                        ROWS);
    d_device->copy(
        *d_queue, received->address(), there->address(), ROWS * LENGTH * sizeof(float));
    d_device->synchronize(*d_queue);
    for (std::size_t row = 0; row < ROWS; ++row)
        for (std::size_t i = 0; i < LENGTH; ++i)
            ASSERT_EQ(floats(*received)[row * LENGTH + i], row * PITCH + i + 1.0f);
}

TEST_F(CudaDeviceGpu, KernelsReachRegisteredMemory)
{
    if (!d_device->computes_in_host_memory())
        GTEST_SKIP() << "this card needs other addresses for host memory";
    for (const std::size_t n : { 8, 1009, 1024, 4096 }) {
        problem what;
        what.n = n;
        what.batch = 2;
        const auto plan = plan::make(what, ON_GPU);
        const auto input = numbers(2 * 2 * n);
        std::vector<float> expected(2 * 2 * n), output(2 * 2 * n, NAN);
        plan->execute(input->address(), expected.data(), 2);
        const std::size_t bytes = output.size() * sizeof(float);
        const auto registered = d_device->register_host(output.data(), bytes);
        plan->enqueue(input->address(), output.data(), 2, d_queue->handle());
        d_device->synchronize(*d_queue);
        EXPECT_EQ(std::memcmp(output.data(), expected.data(), bytes), 0) << n;
    }
}

TEST_F(CudaDeviceGpu, RowsBecomeStreamsAndStreamsRows)
{
    for (const std::size_t item_bytes : { 1, 2, 4, 8 }) {
        std::vector<std::unique_ptr<async_device::memory>> memories;
        expect_stream_moves(
            item_bytes,
            [&](std::size_t bytes) {
                memories.push_back(d_device->allocate_pinned(bytes));
                return static_cast<char*>(memories.back()->address());
            },
            [&](const async_device::stream_move& how, bool to_streams) {
                if (to_streams)
                    d_device->to_streams(*d_queue, how);
                else
                    d_device->from_streams(*d_queue, how);
                d_device->synchronize(*d_queue);
            });
    }
}

TEST_F(CudaDeviceGpu, EventsTellTimeAndOrder)
{
    const auto before = d_device->make_event(async_device::event_use::awaited);
    const auto after = d_device->make_event(async_device::event_use::awaited);
    const auto between = d_device->make_event(async_device::event_use::ordering);
    const auto other = d_device->make_queue();
    constexpr std::size_t BYTES = std::size_t(64) << 20;
    const auto from = d_device->allocate(BYTES), to = d_device->allocate(BYTES);
    EXPECT_TRUE(d_device->is_done(*before)); // never recorded
    d_device->record(*before, *d_queue);
    d_device->copy(*d_queue, to->address(), from->address(), BYTES);
    d_device->record(*between, *d_queue);
    d_device->wait(*other, *between);
    d_device->record(*after, *other);
    d_device->synchronize(*after);
    EXPECT_TRUE(d_device->is_done(*between));
    EXPECT_GT(d_device->seconds(*before, *after), BYTES / 20e12);
}

// A kernel reads where there is no memory. In a process of its own.
TEST_F(CudaDeviceGpu, WhatAKernelBreaksIsReplacedOrToldToEveryone)
{
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    d_queue.reset(); // of the fixture, in the process of the death test, too
    const auto make = [](engine_kind engine) {
        problem what;
        what.n = 64;
        plan_options options;
        options.engine = engine;
        return plan::make(what, options);
    };
    const auto execute = [](plan& with) {
        std::vector<std::complex<float>> data(64, { 1, 0 });
        with.execute(data.data(), data.data(), 1);
        EXPECT_EQ(data[0], std::complex<float>(64, 0));
        EXPECT_EQ(data[1], std::complex<float>(0, 0));
    };
    const auto error_of = [&](const std::function<void()>& call) -> std::string {
        try {
            call();
        } catch (const cuda_error& error) {
            return error.what();
        }
        return "none";
    };
    const auto break_it = [&] {
        {
            auto guilty = make(engine_kind::cuda), stranger = make(engine_kind::cuda);
            execute(*stranger);
            auto queue = d_device->make_queue();
            const auto pinned = d_device->allocate_pinned(1000);
            void* const nowhere = reinterpret_cast<void*>(std::uintptr_t(1) << 20);
            const std::string first = error_of([&] {
                guilty->enqueue(nowhere, nowhere, 1, queue->handle());
                d_device->synchronize(*queue);
            });
            std::fprintf(stderr, "first: %s\n", first.c_str());
            EXPECT_NE(first.find("CUDA_ERROR_ILLEGAL_ADDRESS (700)"), first.npos);
            const std::string earlier =
                "the CUDA context of device 0 broke earlier: " + first;
            const std::string told = error_of([&] { execute(*stranger); });
            EXPECT_EQ(told.compare(0, earlier.size(), earlier), 0) << told;
            EXPECT_EQ(error_of([&] { make(engine_kind::cuda); }), told);
            const auto by_itself = make(engine_kind::automatic);
            EXPECT_EQ(by_itself->engine_reason(), "auto: cpu, " + told);
            execute(*by_itself);
        }
        const auto again = make(engine_kind::automatic);
        const std::string reason = again->engine_reason();
        const bool is_told = reason.find("restart the program") != reason.npos;
        EXPECT_TRUE(again->engine() == engine_kind::cuda || is_told) << reason;
        execute(*again);
        std::_Exit(HasFailure() ? 1 : 0);
    };
    EXPECT_EXIT(break_it(), testing::ExitedWithCode(0), "first: cu");
}

#endif // GPUFFT_HAVE_CUDA
