// SPDX-License-Identifier: GPL-3.0-or-later
//
// Simulated devices or real cards.

#include "test_devices.h"
#include "driver_watch.h"
#include "simulated_plan.h"
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#include <sstream>

namespace gr {
namespace gpufft {

namespace {

std::string text_of(const char* variable, const std::string& otherwise)
{
    const char* value = std::getenv(variable);
    return value && *value ? value : otherwise;
}

const std::vector<int>& cards()
{
    static const std::vector<int> listed = [] {
        std::istringstream list(text_of("GPUFFT_TEST_DEVICES", "0"));
        std::vector<int> found;
        for (std::string card; std::getline(list, card, ',');)
            found.push_back(std::stoi(card));
        return found;
    }();
    return listed;
}

int card_of(int device) { return cards()[device % cards().size()]; }

std::mutex s_mutex;
std::map<std::string, long> s_tallies;

// Skips all tests where there is no card, and prints what was done.
class environment_of_tests : public testing::Environment
{
public:
    void SetUp() override
    {
        if (test_devices::are_cards() && !query_cuda().usable)
            GTEST_SKIP() << query_cuda().reason;
    }
    void TearDown() override
    {
        if (test_devices::are_cards())
            for (const cuda_device_info& each : query_cuda().devices)
                std::printf("card %d: %s, driver for CUDA %s\n",
                            each.index,
                            each.name.c_str(),
                            query_cuda().driver.c_str());
        std::printf("tally on %s", test_devices::are_cards() ? "cards" : "simulation");
        const std::lock_guard<std::mutex> lock(s_mutex);
        for (const auto& [what, count] : s_tallies)
            std::printf("; %s: %ld", what.c_str(), count);
        std::printf("\n");
    }
};

testing::Environment* const s_environment =
    testing::AddGlobalTestEnvironment(new environment_of_tests);

} // namespace

bool test_devices::are_cards()
{
    static const bool real = text_of("GPUFFT_TEST_ENGINE", "") == "cuda";
    return real;
}

std::size_t test_devices::count()
{
    return are_cards() ? std::set<int>(cards().begin(), cards().end()).size()
                       : std::numeric_limits<int>::max();
}

plan::uptr test_devices::make_plan(const problem& what, const plan_options& options)
{
    if (!are_cards())
        return make_simulated_plan(what, options);
    plan_options on_card = options;
    on_card.device = card_of(options.device);
    return plan::make(what, on_card);
}

async_device::sptr test_devices::make_device(int index)
{
    return are_cards() ? make_cuda_device(card_of(index)) : make_simulated_device(index);
}

std::string test_devices::broken_reason(int index)
{
    return are_cards() ? gpufft::broken_reason(card_of(index))
                       : simulation::broken_reason(index);
}

void test_devices::reset()
{
    simulation::reset();
    driver_watch::reset();
}

void test_devices::set_speed(const speed& now) { simulation::set_speed(now); }

void test_devices::refuse_registration(bool refused)
{
    are_cards() ? driver_watch::refuse_registration(refused)
                : simulation::refuse_registration(refused);
}

void test_devices::compute_in_host_memory(bool possible)
{
    simulation::compute_in_host_memory(possible);
}

void test_devices::fail(fault how, long call)
{
    are_cards() ? driver_watch::fail(how, call) : simulation::fail(how, call);
}

long test_devices::calls()
{
    return are_cards() ? driver_watch::calls() : simulation::calls();
}

bool test_devices::struck()
{
    return are_cards() ? driver_watch::struck() : simulation::struck();
}

simulation::counts test_devices::live()
{
    return are_cards() ? driver_watch::live() : simulation::live();
}

long test_devices::copies()
{
    return are_cards() ? driver_watch::copies() : simulation::copies();
}

std::vector<std::string> test_devices::violations() { return simulation::violations(); }

void tally(const std::string& what, long count)
{
    const std::lock_guard<std::mutex> lock(s_mutex);
    s_tallies[what] += count;
}

} // namespace gpufft
} // namespace gr
