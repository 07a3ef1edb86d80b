// SPDX-License-Identifier: GPL-3.0-or-later
//
// Speed, faults and violations of the simulated devices.

#include "simulated_internals.h"
#include <algorithm>
#include <chrono>
#include <condition_variable>
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

std::mutex s_hang_mutex; // guards the next three
std::condition_variable s_released_changed;
bool s_released = true;
std::vector<std::thread> s_left_behind;

std::atomic<bool> s_hangs{ false }; // what strikes, strikes by hanging
std::atomic<long> s_calls{ 0 };
std::atomic<bool> s_struck{ false };
std::atomic<double> s_per_call{ 0 }, s_per_byte{ 0 }, s_jitter{ 0 };

// Where tests control the time: what the host's clock shows.
constexpr double LOOK_SECONDS = 2.5e-3; // it goes on by so much at every look
std::atomic<bool> s_controls_time{ false };
std::mutex s_time_mutex;
double s_time = 0;

} // namespace

namespace simulated {

std::atomic<long> s_copies{ 0 };
std::atomic<bool> s_computes_in_host_memory{ false }, s_cards_are_strangers{ false };
std::atomic<std::size_t> s_free_bytes{ SIZE_MAX };

double device_state::clock() const
{
    constexpr double SOUND_SPEED = 0.05, STALLED_SPEED = 2000; // times that of real time
    const double now = poll_clock::steady();
    return SOUND_SPEED * now + (stalled ? STALLED_SPEED * (now - stalled_at) : 0);
}

void device_state::stall()
{
    stalled_at = poll_clock::steady();
    stalled = true;
}

device_state& state_of(int device)
{
    const std::lock_guard<std::mutex> lock(s_mutex);
    return s_devices.try_emplace(device, device).first->second;
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
    state_of(device).watch.check();
    if (state_of(device).broken)
        fail_call(call);
}

counted::counted(int device, object kind)
    : d_live(state_of(device).live[static_cast<int>(kind)])
{
    ++d_live;
}

counted::~counted() { --d_live; }

void renew()
{
    const std::lock_guard<std::mutex> lock(s_mutex);
    for (auto& entry : s_devices) {
        device_state& each = entry.second;
        if (std::all_of(std::begin(each.live), std::end(each.live), [](int count) {
                return count == 0;
            }))
            each.broken = false;
    }
}

namespace {

void wait_for_release()
{
    std::unique_lock<std::mutex> lock(s_hang_mutex);
    s_released_changed.wait(lock, [] { return s_released; });
}

// Whether a call of this kind is where the fault strikes.
bool is_due(simulation::fault how, call_kind kind, long number)
{
    switch (how) {
    case simulation::fault::none:
        return false;
    case simulation::fault::asynchronous:
        return kind == call_kind::queues && number >= s_fault_call;
    case simulation::fault::hangs:
        return kind != call_kind::answers && number >= s_fault_call;
    default:
        return number == s_fault_call;
    }
}

} // namespace

bool strike(int device)
{
    if (!s_hangs) {
        break_down(device);
        return false;
    }
    wait_for_release();
    return true;
}

bool wait_for_device(int device) noexcept
{
    device_state& state = state_of(device);
    try {
        if (state.stalled)
            state.watch.call(wait_for_release);
    } catch (const cuda_error&) {
        return false;
    }
    return !state.watch.hangs();
}

void leave_behind(std::thread&& worker)
{
    const std::lock_guard<std::mutex> lock(s_hang_mutex);
    s_left_behind.push_back(std::move(worker));
}

bool enter(int device, const char* call, call_kind kind)
{
    check_sound(device, call);
    device_state& state = state_of(device);
    if (kind == call_kind::waits && state.stalled)
        state.watch.call(wait_for_release);
    std::unique_lock<std::mutex> lock(s_mutex);
    const long number = ++s_calls;
    const simulation::fault how = s_fault;
    if (!is_due(how, kind, number))
        return false;
    s_fault = simulation::fault::none; // one is enough
    lock.unlock();

    s_struck = true;
    if (how == simulation::fault::hangs) {
        {
            const std::lock_guard<std::mutex> hang_lock(s_hang_mutex);
            s_released = false;
        }
        state.stall();
        if (kind == call_kind::waits)
            state.watch.call(wait_for_release);
        return kind != call_kind::waits;
    }
    if (how == simulation::fault::asynchronous)
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

double time_of_host()
{
    const std::lock_guard<std::mutex> lock(s_time_mutex);
    return s_time;
}

double spend(std::size_t bytes)
{
    thread_local std::minstd_rand random(std::random_device{}());
    const double jitter = s_jitter * random() / std::minstd_rand::max();
    const double seconds = (s_per_call + bytes * s_per_byte) * (1 + jitter);
    if (seconds > 0 && !s_controls_time)
        std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    return seconds;
}

} // namespace simulated

void simulation::release()
{
    std::vector<std::thread> left_behind;
    {
        const std::lock_guard<std::mutex> lock(s_hang_mutex);
        s_released = true;
        left_behind.swap(s_left_behind);
    }
    s_released_changed.notify_all();
    for (std::thread& each : left_behind)
        each.join();
}

void simulation::reset()
{
    release();
    simulated::free_kept_memory();
    simulated::pin_pages(false);
    set_speed({});
    refuse_registration(false);
    compute_in_host_memory(false);
    keep_apart(false);
    limit_memory(0);
    set_free_bytes(SIZE_MAX);
    control_time(false);
    control_waits(false);
    fail(fault::none, 0);
    simulated::s_copies = 0;
    const std::lock_guard<std::mutex> lock(s_mutex);
    s_violations.clear();
    for (auto& entry : s_devices) {
        entry.second.broken = entry.second.stalled = false;
        entry.second.watch.forget();
    }
}

void simulation::set_speed(const speed& now)
{
    s_per_call = now.seconds_per_call;
    s_per_byte = now.seconds_per_byte;
    s_jitter = now.jitter;
}

void simulation::control_time(bool controlled) { s_controls_time = controlled; }

double simulation::host_clock() { return simulated::time_of_host(); }

double simulation::look_at_clock()
{
    const std::lock_guard<std::mutex> lock(s_time_mutex);
    return s_time += LOOK_SECONDS;
}

void simulation::spend(double seconds)
{
    const std::lock_guard<std::mutex> lock(s_time_mutex);
    s_time += seconds;
}

void simulation::wait_until(double time)
{
    const std::lock_guard<std::mutex> lock(s_time_mutex);
    s_time = std::max(s_time, time);
}

void simulation::compute_in_host_memory(bool possible)
{
    simulated::s_computes_in_host_memory = possible;
}

void simulation::keep_apart(bool apart) { simulated::s_cards_are_strangers = apart; }

void simulation::set_free_bytes(std::size_t bytes) { simulated::s_free_bytes = bytes; }

void simulation::fail(fault how, long call)
{
    const std::lock_guard<std::mutex> lock(s_mutex);
    s_fault = how;
    s_fault_call = call;
    s_calls = 0;
    s_struck = false;
    s_hangs = how == fault::hangs;
    simulated::pin_pages(how == fault::hangs);
}

std::string simulation::broken_reason(int device)
{
    return simulated::state_of(device).broken
               ? "simulated device " + std::to_string(device) + " broke earlier (719)"
               : "";
}

int simulation::hanging()
{
    const std::lock_guard<std::mutex> lock(s_mutex);
    return static_cast<int>(
        std::count_if(s_devices.begin(), s_devices.end(), [](const auto& each) {
            return each.second.watch.hangs();
        }));
}

long simulation::calls() { return s_calls; }
bool simulation::struck() { return s_struck; }
long simulation::copies() { return simulated::s_copies; }

simulation::counts simulation::live()
{
    using simulated::object;
    const std::lock_guard<std::mutex> lock(s_mutex);
    const auto all = [](object kind) {
        int count = 0;
        for (const auto& entry : s_devices)
            count += entry.second.live[static_cast<int>(kind)];
        return count;
    };
    return { all(object::queue),
             all(object::event),
             all(object::memory),
             all(object::registration),
             all(object::plan) };
}

std::vector<std::string> simulation::violations()
{
    const std::lock_guard<std::mutex> lock(s_mutex);
    return s_violations;
}

} // namespace gpufft
} // namespace gr
