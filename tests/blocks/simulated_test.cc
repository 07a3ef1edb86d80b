// SPDX-License-Identifier: GPL-3.0-or-later
//
// Simulated devices for the blocks, and what the process uses.

#include "simulated_test.h"
#include "simulated_plan.h"
#include "stream/live_plan.h"
#include "stream/stream_devices.h"
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <gnuradio/logger.h>
#include <unistd.h>

namespace gr {
namespace gpufft {

SimulatedTest::SimulatedTest()
{
    gr::logging::singleton().set_default_level(spdlog::level::err);
    simulation::reset();
    live_plan::s_make = make_simulated_plan;
    stream_device::s_make = make_simulated_device;
}

void SimulatedTest::TearDown()
{
    for (const std::string& violation : simulation::violations())
        ADD_FAILURE() << "violation: " << violation;
    const simulation::counts left = simulation::live();
    EXPECT_EQ(left.total(), 0) << left.queues << " queues, " << left.events << " events, "
                               << left.memories << " memories, " << left.registrations
                               << " registrations, " << left.plans << " plans are left";
}

SimulatedTest::~SimulatedTest()
{
    live_plan::s_make = plan::make;
    stream_device::s_make = make_cuda_device;
    simulation::reset();
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

bool runs(const top_block_sptr& flowgraph, double seconds)
{
    flowgraph->start();
    return ends(flowgraph, seconds);
}

double environment(const char* name, double otherwise)
{
    const char* value = std::getenv(name);
    return value && *value ? std::atof(value) : otherwise;
}

std::size_t resident_bytes()
{
    std::ifstream file("/proc/self/statm");
    std::size_t total = 0, resident = 0;
    file >> total >> resident;
    return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
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

} // namespace gpufft
} // namespace gr
