// SPDX-License-Identifier: GPL-3.0-or-later
//
// How a user's kernel is launched: the places and bytes of all ports, the number of
// threads, the parameters; and how long it stays on a card. A stand-in notes the
// launches.

#include "blocks/kernels_of_users.h"
#include <gtest/gtest.h>

namespace gr {
namespace gpufft {

namespace {

struct noted {
    int made = 0, alive = 0;
    std::vector<int> devices;
    std::vector<user_launch> launches;
};

class noting_kernel : public user_kernel
{
public:
    explicit noting_kernel(noted& to) : d_to(to) { ++d_to.alive; }
    ~noting_kernel() override { --d_to.alive; }
    void launch(const user_launch& how) const override { d_to.launches.push_back(how); }

private:
    noted& d_to;
};

} // namespace

class KernelFunction : public testing::Test
{
protected:
    KernelFunction()
    {
        kernels_of_users::s_make =
            [this](int device, const std::string&, const std::string&) {
                ++all.made;
                all.devices.push_back(device);
                return std::make_unique<noting_kernel>(all);
            };
    }
    ~KernelFunction() override { kernels_of_users::s_make = d_real; }

    // A launch for so many frames.
    user_launch launch(kernel_function& kernel, std::size_t frames, int device = 0)
    {
        device_call call;
        call.inputs = { bytes, bytes + 8 };
        call.outputs = { bytes + 16, bytes + 24, bytes + 32 };
        call.input = call.inputs[0];
        call.output = call.outputs[0];
        call.frames = frames;
        call.device = device;
        call.stream = &all;
        kernel.compute(call);
        return all.launches.back();
    }

    static device_ports ports()
    {
        device_ports ports;
        ports.inputs = { { 8, 3, 5 }, { 4, 1, 0 } };
        ports.outputs = { { 8, 2 }, { 12, 1 }, { 2, 7 } };
        return ports;
    }

    noted all;
    char bytes[64] = {};

private:
    const decltype(kernels_of_users::s_make) d_real = kernels_of_users::s_make;
};

TEST_F(KernelFunction, GetsThePlacesOfAllPorts)
{
    const auto kernel = kernel_function::make("text", "name", ports(), {});
    kernel->prepare(0);
    const user_launch now = launch(*kernel, 10);
    ASSERT_EQ(now.inputs.size(), 2u);
    EXPECT_EQ(now.inputs[0].address, bytes);
    EXPECT_EQ(now.inputs[0].bytes, (5u + 10 * 3) * 8);
    EXPECT_EQ(now.inputs[1].address, bytes + 8);
    EXPECT_EQ(now.inputs[1].bytes, 10u * 4);
    ASSERT_EQ(now.outputs.size(), 3u);
    EXPECT_EQ(now.outputs[1].address, bytes + 24);
    EXPECT_EQ(now.outputs[0].bytes, 10u * 2 * 8);
    EXPECT_EQ(now.outputs[1].bytes, 10u * 12);
    EXPECT_EQ(now.outputs[2].bytes, 10u * 7 * 2);
    EXPECT_EQ(now.frames, 10u);
    EXPECT_EQ(now.stream, &all);
    kernel->release(0);
}

TEST_F(KernelFunction, HasAsManyThreadsAsTheFramesNeed)
{
    struct {
        std::size_t threads, per_frame, per_thread, frames, blocks;
    } const cases[] = { { 256, 1, 1, 1, 1 },   { 256, 1, 1, 256, 1 },
                        { 256, 1, 1, 257, 2 }, { 32, 7, 1, 10, 3 },
                        { 64, 128, 4, 6, 3 },  { 64, 128, 4, 7, 4 },
                        { 1, 1, 3, 4, 2 },     { 1024, 1, 1, 1000000, 977 } };
    for (const auto& each : cases) {
        const auto kernel = kernel_function::make(
            "text", "name", ports(), { each.threads, each.per_frame, each.per_thread });
        kernel->prepare(0);
        const user_launch now = launch(*kernel, each.frames);
        EXPECT_EQ(now.threads, each.threads);
        EXPECT_EQ(now.blocks, each.blocks) << each.threads << " " << each.frames;
        kernel->release(0);
    }
    const auto large = kernel_function::make("text", "name", ports(), { 1, 1 << 30, 1 });
    large->prepare(0);
    EXPECT_THROW(launch(*large, 2), std::invalid_argument);
    EXPECT_EQ(launch(*large, 1).blocks, std::size_t(1) << 30);
    large->release(0);
}

TEST_F(KernelFunction, ParametersKeepTheirSizes)
{
    const auto kernel =
        kernel_function::make("text", "name", ports(), {}, { { 1, 2 }, { 3 } });
    kernel->prepare(0);
    EXPECT_EQ(launch(*kernel, 1).parameters,
              (std::vector<std::vector<char>>{ { 1, 2 }, { 3 } }));
    kernel->set_parameters({ { 4, 5 }, { 6 } });
    EXPECT_EQ(launch(*kernel, 1).parameters,
              (std::vector<std::vector<char>>{ { 4, 5 }, { 6 } }));
    EXPECT_THROW(kernel->set_parameters({ { 4, 5 } }), std::invalid_argument);
    EXPECT_THROW(kernel->set_parameters({ { 4 }, { 6 } }), std::invalid_argument);
    EXPECT_EQ(launch(*kernel, 1).parameters,
              (std::vector<std::vector<char>>{ { 4, 5 }, { 6 } }));
    kernel->release(0);
}

TEST_F(KernelFunction, StaysWhileAPlanNeedsIt)
{
    const auto kernel = kernel_function::make("text", "name", ports(), {});
    EXPECT_EQ(all.made, 0);
    kernel->prepare(0);
    kernel->prepare(2);
    kernel->prepare(0);
    EXPECT_EQ(all.devices, (std::vector<int>{ 0, 2, 0 }));
    EXPECT_EQ(all.alive, 2);
    kernel->release(0);
    launch(*kernel, 1, 0);
    launch(*kernel, 1, 2);
    kernel->release(0);
    EXPECT_EQ(all.alive, 1);
    kernel->release(1); // where it is not
    kernel->release(2);
    EXPECT_EQ(all.alive, 0);
}

TEST_F(KernelFunction, RefusesSizesOutOfRange)
{
    const auto make = [](const kernel_function::geometry& sizes) {
        kernel_function::make("text", "name", ports(), sizes);
    };
    EXPECT_THROW(make({ 0, 1, 1 }), std::invalid_argument);
    EXPECT_THROW(make({ 1025, 1, 1 }), std::invalid_argument);
    EXPECT_THROW(make({ 256, 0, 1 }), std::invalid_argument);
    EXPECT_THROW(make({ 256, 1, 0 }), std::invalid_argument);
    const auto kernel = kernel_function::make("text", "name", ports(), {});
    EXPECT_EQ(kernel->obstacle(engine_kind::cuda), "");
    EXPECT_EQ(kernel->obstacle(engine_kind::cpu), "the kernel name runs on a GPU only");
}

} // namespace gpufft
} // namespace gr
