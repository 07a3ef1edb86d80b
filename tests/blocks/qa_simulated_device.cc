// SPDX-License-Identifier: GPL-3.0-or-later
//
// The simulated devices keep the order that queues and events give, and find the faults
// that the tests of the blocks rely on.

#include "engine/device_watch.h"
#include "simulated_device.h"
#include "simulated_plan.h"
#include <atomic>
#include <chrono>
#include <cmath>
#include <complex>
#include <gtest/gtest.h>
#include <numeric>
#include <stdexcept>
#include <thread>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t FLOATS = 256;
constexpr std::size_t BYTES = FLOATS * sizeof(float);

class SimulatedDevice : public testing::Test
{
protected:
    SimulatedDevice()
    {
        simulation::reset();
        std::iota(static_cast<float*>(input->address()),
                  static_cast<float*>(input->address()) + FLOATS,
                  1.0f);
    }
    ~SimulatedDevice() override { simulation::reset(); }

    float output_at(std::size_t i) { return static_cast<float*>(output->address())[i]; }

    void expect_violation(const std::string& part)
    {
        const std::vector<std::string> found = simulation::violations();
        ASSERT_FALSE(found.empty());
        for (const std::string& each : found)
            EXPECT_NE(each.find(part), std::string::npos) << each;
    }

    async_device::sptr device = make_simulated_device(0);
    std::unique_ptr<async_device::queue> up = device->make_queue();
    std::unique_ptr<async_device::queue> down = device->make_queue();
    std::unique_ptr<async_device::memory> input = device->allocate_pinned(BYTES);
    std::unique_ptr<async_device::memory> output = device->allocate_pinned(BYTES);
    std::unique_ptr<async_device::memory> middle = device->allocate(BYTES);
};

problem small_fft()
{
    problem what;
    what.n = 16;
    return what;
}

plan::uptr make_plan(const problem& what)
{
    plan_options options;
    options.engine = engine_kind::cuda;
    return make_simulated_plan(what, options);
}

} // namespace

TEST_F(SimulatedDevice, EventsOrderQueues)
{
    simulation::set_speed({ 0.005 });
    const auto uploaded = device->make_event(async_device::event_use::awaited);
    device->copy(*up, middle->address(), input->address(), BYTES);
    device->record(*uploaded, *up);
    EXPECT_FALSE(device->is_done(*uploaded));
    device->wait(*down, *uploaded);
    device->copy(*down, output->address(), middle->address(), BYTES);
    device->synchronize(*down);
    EXPECT_TRUE(device->is_done(*uploaded));
    for (std::size_t i = 0; i < FLOATS; i++)
        ASSERT_EQ(output_at(i), i + 1.0f);
    EXPECT_TRUE(simulation::violations().empty());
}

TEST_F(SimulatedDevice, WithoutEventsTheDataIsNotThere)
{
    simulation::set_speed({ 0, 0.2 / BYTES });
    device->copy(*up, middle->address(), input->address(), BYTES);
    device->copy(*down, output->address(), middle->address(), sizeof(float));
    device->synchronize(*down);
    EXPECT_TRUE(std::isnan(output_at(0)));
    device->synchronize(*up);
}

TEST_F(SimulatedDevice, TimeBetweenEventsIsMeasured)
{
    simulation::set_speed({ 0.01, 0.01 / BYTES });
    const auto begin = device->make_event(async_device::event_use::awaited),
               end = device->make_event(async_device::event_use::awaited);
    device->record(*begin, *up);
    device->copy(*up, middle->address(), input->address(), BYTES);
    device->record(*end, *up);
    EXPECT_THROW(device->seconds(*begin, *end), cuda_error);
    device->synchronize(*end);
    EXPECT_GE(device->seconds(*begin, *end), 0.02);
}

TEST_F(SimulatedDevice, FindsPageableMemory)
{
    std::vector<float> pageable(FLOATS);
    device->copy(*up, middle->address(), pageable.data(), BYTES);
    device->synchronize(*up);
    expect_violation("copy from 1024 bytes");
}

TEST_F(SimulatedDevice, ReachesRegisteredMemoryOnce)
{
    std::vector<float> pageable(FLOATS, 5.0f);
    const auto registration = device->register_host(pageable.data(), BYTES);
    EXPECT_THROW(device->register_host(pageable.data(), 4), cuda_error);
    device->copy(*up, output->address(), pageable.data(), BYTES);
    device->synchronize(*up);
    EXPECT_EQ(output_at(0), 5.0f);
    EXPECT_TRUE(simulation::violations().empty());
    device->copy(
        *up, output->address(), pageable.data() + 1, BYTES - 3); // a byte past it
    device->synchronize(*up);
    expect_violation("copy from");
    simulation::refuse_registration(true);
    EXPECT_THROW(device->register_host(this, sizeof(*this)), cuda_error);
}

TEST_F(SimulatedDevice, FindsMemoryReleasedUnderWork)
{
    simulation::set_speed({ 0.01 });
    device->copy(*up, middle->address(), input->address(), BYTES);
    middle.reset();
    device->synchronize(*up);
    expect_violation("copy to");
}

TEST_F(SimulatedDevice, HostCannotTouchDeviceMemory)
{
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    EXPECT_DEATH(*static_cast<volatile float*>(middle->address()) = 1, "");
}

TEST_F(SimulatedDevice, PlansWorkInQueues)
{
    const auto fft = make_plan(small_fft());
    const auto result = device->allocate(2 * BYTES);
    simulation::set_speed({ 0.002 });
    device->copy(*up, middle->address(), input->address(), BYTES);
    const std::size_t frames = BYTES / (16 * sizeof(std::complex<float>));
    EXPECT_EQ(fft->enqueue(middle->address(), result->address(), frames, up->handle()),
              frames);
    device->copy(*up, output->address(), result->address(), BYTES);
    device->synchronize(*up);
    EXPECT_FLOAT_EQ(output_at(0), 16 * 16); // 1 + 3 + ... + 31
    EXPECT_TRUE(simulation::violations().empty());
}

TEST_F(SimulatedDevice, PlansRefuseHostMemoryAndForeignQueues)
{
    const auto fft = make_plan(small_fft());
    fft->enqueue(input->address(), middle->address(), 1, up->handle());
    device->synchronize(*up);
    expect_violation("input is not in the memory of the plan's device");
    simulation::reset();
    fft->enqueue(middle->address(), middle->address(), 1, this);
    expect_violation("the stream is no queue");
}

// As a card's kernels, which read and write whole samples and bins.
TEST_F(SimulatedDevice, PlansRefusePartsOfSamples)
{
    const plan::uptr transform = make_plan(small_fft());
    const std::unique_ptr<async_device::memory> rows = device->allocate(BYTES);
    const auto enqueue = [&](std::size_t input_offset, std::size_t output_offset) {
        transform->enqueue(static_cast<char*>(middle->address()) + input_offset,
                           static_cast<char*>(rows->address()) + output_offset,
                           1,
                           down->handle());
    };
    EXPECT_THROW(enqueue(4, 0), std::invalid_argument);
    EXPECT_THROW(enqueue(0, 12), std::invalid_argument);
    EXPECT_NO_THROW(enqueue(8, 8));
    device->synchronize(*down);
    EXPECT_TRUE(simulation::violations().empty());
}

TEST_F(SimulatedDevice, PlansMustBeIdleToBeChanged)
{
    problem what = small_fft();
    what.window = true;
    const auto fft = make_plan(what);
    simulation::set_speed({ 0.01 });
    const auto result = device->allocate(BYTES);
    fft->enqueue(middle->address(), result->address(), 1, up->handle());
    fft->set_window(std::vector<float>(16, 1.0f));
    expect_violation("gets a window while its work is queued");
    device->synchronize(*up);
}

TEST_F(SimulatedDevice, OneFaultLeavesTheDeviceSound)
{
    simulation::fail(simulation::fault::once, 2);
    EXPECT_NO_THROW(device->make_event(async_device::event_use::awaited));
    EXPECT_THROW(device->make_event(async_device::event_use::awaited), cuda_error);
    EXPECT_TRUE(simulation::struck());
    EXPECT_NO_THROW(device->make_event(async_device::event_use::awaited));
    EXPECT_EQ(simulation::calls(), 3);
}

TEST_F(SimulatedDevice, LostDeviceDoesNothingMore)
{
    simulation::set_speed({ 0.02 });
    static_cast<float*>(output->address())[0] = -1;
    device->copy(*up, middle->address(), input->address(), BYTES);
    device->copy(*up, output->address(), middle->address(), BYTES);
    simulation::fail(simulation::fault::lost, 1);
    EXPECT_THROW(device->make_event(async_device::event_use::awaited), cuda_error);
    EXPECT_THROW(device->synchronize(*up), cuda_error);
    EXPECT_NO_THROW(make_simulated_device(1)->make_event(
        async_device::event_use::awaited)); // the other is sound
    up.reset();                             // does all it ever will
    EXPECT_EQ(output_at(0), -1);
}

TEST_F(SimulatedDevice, AsynchronousFaultShowsLater)
{
    simulation::set_speed({ 0.02 });
    simulation::fail(simulation::fault::asynchronous, 1);
    const auto done =
        device->make_event(async_device::event_use::awaited); // queues nothing
    device->copy(*up, output->address(), input->address(), BYTES);
    device->copy(*down, middle->address(), input->address(), BYTES);
    device->record(*done, *up);
    EXPECT_THROW(device->synchronize(*done), cuda_error);
    EXPECT_THROW(device->is_done(*done), cuda_error);
    EXPECT_THROW(device->synchronize(*down), cuda_error);
    EXPECT_TRUE(std::isnan(output_at(0)));
}

TEST_F(SimulatedDevice, CountsWhatExists)
{
    const simulation::counts before = simulation::live();
    EXPECT_EQ(before.queues, 2);
    EXPECT_EQ(before.memories, 3);
    {
        const auto event = device->make_event(async_device::event_use::awaited);
        const auto fft = make_plan(small_fft());
        const auto registration = device->register_host(this, sizeof(*this));
        EXPECT_EQ(simulation::live().total(), before.total() + 3);
    }
    EXPECT_EQ(simulation::live().total(), before.total());
}

// A limit of time does not depend on how busy the machine is: what is late is no hang.
TEST_F(SimulatedDevice, LateWorkIsNotGivenUp)
{
    const device_patience patience(0.1);
    const auto copied = device->make_event(async_device::event_use::awaited);
    simulation::set_speed({ 0.3 });
    device->copy(*up, middle->address(), input->address(), BYTES);
    device->record(*copied, *up);
    EXPECT_NO_THROW(device->synchronize(*copied));
    EXPECT_FALSE(device->hangs());

    simulation::set_speed({});
    simulation::fail(simulation::fault::hangs, 1);
    device->copy(*up, middle->address(), input->address(), BYTES);
    device->record(*copied, *up);
    EXPECT_THROW(device->synchronize(*copied), cuda_error);
    EXPECT_TRUE(device->hangs());
    simulation::release();
}

// What a library keeps for each thread is gone when the call returns. Else a thread would
// still destroy it while the process ends, and the library with it.
TEST(DeviceWatch, NoThreadIsLeftOfACallThatReturned)
{
    static std::atomic<int> s_left{ 0 };
    struct of_a_thread {
        of_a_thread() { ++s_left; }
        ~of_a_thread()
        {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            --s_left;
        }
    };
    device_watch watch("device 0");
    const device_patience patience(60);
    const auto work = [](bool good) {
        thread_local const of_a_thread s_here;
        static_cast<void>(s_here);
        if (!good)
            throw std::invalid_argument("told");
        return 7;
    };
    EXPECT_EQ(watch.call([=] { return work(true); }), 7);
    EXPECT_EQ(s_left, 0);
    EXPECT_THROW(watch.call([=] { return work(false); }), std::invalid_argument);
    EXPECT_EQ(s_left, 0);
}

} // namespace gpufft
} // namespace gr
