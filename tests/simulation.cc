// SPDX-License-Identifier: GPL-3.0-or-later
//
// Speed, faults and violations of the simulated devices.

#include "simulated_internals.h"
#include <chrono>
#include <map>
#include <mutex>
#include <random>
#include <thread>

namespace gr {
namespace gpufft {

namespace {

std::mutex s_mutex; // guards the next four
std::map<int, simulated::device_state> s_devices;
std::vector<std::string> s_violations;
simulation::fault s_fault = simulation::fault::none;
long s_fault_call = 0;

std::atomic<long> s_calls{ 0 };
std::atomic<bool> s_struck{ false };
std::atomic<double> s_per_call{ 0 }, s_per_byte{ 0 }, s_jitter{ 0 };

} // namespace

namespace simulated {

std::atomic<int> s_queues{ 0 }, s_events{ 0 }, s_plans{ 0 };
std::atomic<long> s_copies{ 0 };
std::atomic<bool> s_computes_in_host_memory{ false }, s_cards_are_strangers{ false };

device_state& state_of(int device)
{
    const std::lock_guard<std::mutex> lock(s_mutex);
    return s_devices[device];
}

void break_down(int device)
{
    device_state& state = state_of(device);
    const std::lock_guard<std::shared_mutex> lock(state.working);
    state.broken = true;
    s_struck = true;
}

void fail_call(const char* call)
{
    throw cuda_error(719, std::string(call) + ": simulated failure (719)");
}

void check_sound(int device, const char* call)
{
    if (state_of(device).broken)
        fail_call(call);
}

bool enter(int device, const char* call, bool queues)
{
    check_sound(device, call);
    std::unique_lock<std::mutex> lock(s_mutex);
    const long number = ++s_calls;
    const simulation::fault how = s_fault;
    const bool asynchronous = how == simulation::fault::asynchronous;
    const bool now =
        asynchronous ? queues && number >= s_fault_call : number == s_fault_call;
    if (how == simulation::fault::none || !now)
        return false;
    s_fault = simulation::fault::none; // one is enough
    lock.unlock();

    s_struck = true;
    if (asynchronous)
        return true;
    if (how == simulation::fault::lost)
        break_down(device);
    fail_call(call);
}

void report(const std::string& violation)
{
    constexpr std::size_t ENOUGH = 20;
    const std::lock_guard<std::mutex> lock(s_mutex);
    if (s_violations.size() < ENOUGH)
        s_violations.push_back(violation);
}

void spend(std::size_t bytes)
{
    thread_local std::minstd_rand random(std::random_device{}());
    const double jitter = s_jitter * random() / std::minstd_rand::max();
    const double seconds = (s_per_call + bytes * s_per_byte) * (1 + jitter);
    if (seconds > 0)
        std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

} // namespace simulated

void simulation::reset()
{
    set_speed({});
    refuse_registration(false);
    compute_in_host_memory(false);
    keep_apart(false);
    fail(fault::none, 0);
    simulated::s_copies = 0;
    const std::lock_guard<std::mutex> lock(s_mutex);
    s_violations.clear();
    for (auto& entry : s_devices)
        entry.second.broken = false;
}

void simulation::set_speed(const speed& now)
{
    s_per_call = now.seconds_per_call;
    s_per_byte = now.seconds_per_byte;
    s_jitter = now.jitter;
}

void simulation::compute_in_host_memory(bool possible)
{
    simulated::s_computes_in_host_memory = possible;
}

void simulation::keep_apart(bool apart) { simulated::s_cards_are_strangers = apart; }

void simulation::fail(fault how, long call)
{
    const std::lock_guard<std::mutex> lock(s_mutex);
    s_fault = how;
    s_fault_call = call;
    s_calls = 0;
    s_struck = false;
}

long simulation::calls() { return s_calls; }
bool simulation::struck() { return s_struck; }
long simulation::copies() { return simulated::s_copies; }

simulation::counts simulation::live()
{
    counts now = simulated::live_memory();
    now.queues = simulated::s_queues;
    now.events = simulated::s_events;
    now.plans = simulated::s_plans;
    return now;
}

std::vector<std::string> simulation::violations()
{
    const std::lock_guard<std::mutex> lock(s_mutex);
    return s_violations;
}

} // namespace gpufft
} // namespace gr
