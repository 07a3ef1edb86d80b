// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the parts of the simulated devices share: their faults and their memory.

#ifndef INCLUDED_GPUFFT_SIMULATED_INTERNALS_H
#define INCLUDED_GPUFFT_SIMULATED_INTERNALS_H

#include "simulated_device.h"
#include <atomic>
#include <shared_mutex>

namespace gr {
namespace gpufft {
namespace simulated {

struct device_state {
    std::shared_mutex working; // shared: work touches memory
    std::atomic<bool> broken{ false };
};

device_state& state_of(int device);

// Every call starts here. Throws if it is to fail; true if what it queues is to fail.
bool enter(int device, const char* call, bool queues = false);

// When this returns the device touches nothing more.
void break_down(int device);

// Throws if the device is broken.
void check_sound(int device, const char* call);

[[noreturn]] void fail_call(const char* call);

void report(const std::string& violation);

// The calling thread waits as long as a device would work on so many bytes.
void spend(std::size_t bytes);

// Objects that exist.
extern std::atomic<int> s_queues, s_events, s_plans;
extern std::atomic<long> s_copies; // done
extern std::atomic<bool> s_computes_in_host_memory, s_cards_are_strangers;

constexpr int POISON = 0xff; // four of them are a NaN

std::unique_ptr<async_device::memory> make_device_memory(int device, std::size_t bytes);
std::unique_ptr<async_device::ring> make_device_ring(int device, std::size_t bytes);
std::unique_ptr<async_device::memory> make_pinned_memory(std::size_t bytes);

// Throws as the driver does: refused, or (partly) registered already.
std::unique_ptr<async_device::registration> make_registration(void* address,
                                                              std::size_t bytes);

// Where the device finds these bytes, and holds them; null (and a violation) where it
// must not.
std::shared_ptr<char> reach(const void* address, std::size_t bytes, const char* call);

// The device whose memory this is; -1 for memory of the host.
int owner(const void* address);

simulation::counts live_memory();

} // namespace simulated
} // namespace gpufft
} // namespace gr

#endif
