// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the parts of the simulated devices share: their faults and their memory.

#ifndef INCLUDED_GPUFFT_SIMULATED_INTERNALS_H
#define INCLUDED_GPUFFT_SIMULATED_INTERNALS_H

#include "engine/device_watch.h"
#include "simulated_device.h"
#include <atomic>
#include <shared_mutex>
#include <thread>

namespace gr {
namespace gpufft {
namespace simulated {

enum class object { queue, event, memory, registration, plan };
constexpr int OBJECTS = 5;

// By which a thread waits for a device.
poll_clock clock_of_waits();

struct device_state {
    explicit device_state(int index)
        : watch(
              "device " + std::to_string(index) + " (simulated)",
              nullptr,
              [this] { return clock(); },
              clock_of_waits())
    {
    }

    // Seconds that count against a limit of time: few on a sound device, however busy the
    // machine is, and many on one that hangs.
    double clock() const;
    void stall(); // some of its work hangs from now on

    std::shared_mutex working; // shared: work touches memory
    std::atomic<bool> broken{ false };
    std::atomic<bool> stalled{ false };
    std::atomic<double> stalled_at{ 0 };
    std::atomic<int> live[OBJECTS] = {}; // objects of each kind
    device_watch watch;
};

device_state& state_of(int device);

// Counts an object as long as it lives.
class counted
{
public:
    counted(int device, object kind);
    ~counted();
    counted(const counted&) = delete;
    counted& operator=(const counted&) = delete;

private:
    std::atomic<int>& d_live;
};

// Devices that are broken work again once nothing is left on them.
void renew();

// What a call of the driver does: many wait for all that the card was given before.
// Recording an event queues what cannot fail, but hang.
enum class call_kind { answers, waits, queues, records };

// Every call starts here. Throws if it is to fail; true if what it queues is to fail.
bool enter(int device, const char* call, call_kind kind = call_kind::answers);

// The calling thread is the device's work that fails or hangs. False: it is not done.
bool strike(int device);

// The calling thread does what waits for the device, within its device_patience. False if
// the device hangs: nothing of it is released.
bool wait_for_device(int device) noexcept;

// Work of a queue that nobody waits for any more, and reset() does.
void leave_behind(std::thread&& worker);

// When this returns the device touches nothing more.
void break_down(int device);

// Throws if the device is broken.
void check_sound(int device, const char* call);

[[noreturn]] void fail_call(const char* call);

void report(const std::string& violation);

// The calling thread waits as long as a device would work on so many bytes, unless tests
// control the time. Returns those seconds.
double spend(std::size_t bytes);

// What the host's clock shows where tests control the time.
double time_of_host();

// Where tests control the waits, too: the calling thread asks until the clock shows that
// the device is done.
bool controls_waits();
void ask_until(double done, device_watch& watch);

extern std::atomic<long> s_copies; // done
extern std::atomic<bool> s_computes_in_host_memory, s_cards_are_strangers;
extern std::atomic<std::size_t> s_free_bytes; // of every device

constexpr int POISON = 0xff; // four of them are a NaN

std::unique_ptr<async_device::memory> make_device_memory(int device, std::size_t bytes);
std::unique_ptr<async_device::ring> make_device_ring(int device, std::size_t bytes);
std::unique_ptr<async_device::memory> make_pinned_memory(int device, std::size_t bytes);

// Throws as the driver does: refused, or (partly) registered already.
std::unique_ptr<async_device::registration>
make_registration(int device,
                  void* address,
                  std::size_t bytes,
                  std::shared_ptr<const void> owner);

// Frees what hung devices have kept.
void free_kept_memory();

// From now on devices reach the pages that registered memory has when it is registered,
// whatever becomes of its addresses.
void pin_pages(bool pinned);

// Where the device finds these bytes, and holds them; null (and a violation) where it
// must not.
std::shared_ptr<char> reach(const void* address, std::size_t bytes, const char* call);

// The device whose memory this is; -1 for memory of the host.
int owner(const void* address);

} // namespace simulated
} // namespace gpufft
} // namespace gr

#endif
