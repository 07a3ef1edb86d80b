// SPDX-License-Identifier: GPL-3.0-or-later
//
// Devices for the blocks, and what the process uses.

#include "device_test.h"
#include "stream/live_plan.h"
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <gnuradio/logger.h>
#include <thread>
#include <unistd.h>

namespace gr {
namespace gpufft {

DeviceTest::DeviceTest()
{
    gr::logging::singleton().set_default_level(spdlog::level::err);
    test_devices::reset();
    live_plan::s_make = test_devices::make_plan;
    live_plan::s_broken_reason = test_devices::broken_reason;
    live_plan::s_make_device = test_devices::make_device;
}

void DeviceTest::TearDown()
{
    for (const std::string& violation : test_devices::violations())
        ADD_FAILURE() << "violation: " << violation;
    const simulation::counts left = test_devices::live();
    EXPECT_EQ(left.total(), 0) << left.queues << " queues, " << left.events << " events, "
                               << left.memories << " memories, " << left.registrations
                               << " registrations, " << left.plans << " plans are left";
}

DeviceTest::~DeviceTest()
{
    live_plan::s_make = plan::make;
    live_plan::s_broken_reason = broken_reason;
    live_plan::s_make_device = make_cuda_device;
    test_devices::reset();
}

bool ends(const top_block_sptr& flowgraph, double seconds)
{
    auto ended = std::async(std::launch::async, [&] { flowgraph->wait(); });
    const std::chrono::duration<double> patience(seconds);
    if (ended.wait_for(patience) == std::future_status::ready)
        return true;
    flowgraph->stop();
    return false;
}

bool runs(const top_block_sptr& flowgraph, double seconds, int most_items)
{
    tally("starts");
    flowgraph->start(most_items);
    return ends(flowgraph, seconds);
}

double environment(const char* name, double otherwise)
{
    const char* value = std::getenv(name);
    return value && *value ? std::atof(value) : otherwise;
}

std::size_t private_bytes()
{
    std::ifstream file("/proc/self/statm");
    std::size_t total = 0, resident = 0, shared = 0;
    file >> total >> resident >> shared;
    return (resident - shared) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

static int entries(const char* folder)
{
    int count = 0;
    for (auto entry = std::filesystem::directory_iterator(folder);
         entry != std::filesystem::directory_iterator();
         ++entry)
        count++;
    return count;
}

int descriptors() { return entries("/proc/self/fd"); }
int threads() { return entries("/proc/self/task"); }

int threads_left(int most)
{
    for (int i = 0; i < 1000 && threads() > most; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return threads();
}

} // namespace gpufft
} // namespace gr
