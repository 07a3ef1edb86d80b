// SPDX-License-Identifier: GPL-3.0-or-later
//
// Devices that are simulated on the CPU: every queue is a thread that does its work in
// order and takes its time, so that what overlaps on a card overlaps here. They find what
// a card would punish by wrong data, and fail when told to.
//
//   - A device's memory (but for rings) is full of NaN when it is allocated, and the host
//     cannot touch it:
//     its addresses are mapped without access, and only the device knows where it is.
//   - The destination of a copy or a transform is NaN from its start to its end.
//   - Violations are recorded: host memory that is neither pinned nor registered, device
//     memory that is not allocated or already released, memory released under running
//     work, a queue used by two threads at once, a plan changed while it works.

#ifndef INCLUDED_GPUFFT_SIMULATED_DEVICE_H
#define INCLUDED_GPUFFT_SIMULATED_DEVICE_H

#include "engine/async_device.h"
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

// All simulated devices of the process: their abilities, speed and faults, and what they
// found.
class simulation
{
public:
    // How the k-th call of a device or plan fails, k = 1 being the next one.
    enum class fault {
        none,
        once,         // it throws; the next one works again
        lost,         // it throws, as do all later calls; the device does nothing more
        asynchronous, // what it queues (or the next call that queues) fails: neither that
                      // nor later work is done, and all later calls throw
        hangs // what it queues does not end before release() or reset(), nor does a call
              // that waits for the device (or the next one that queues or waits)
    };

    // A copy or transform takes per_call + bytes per_byte, times 1 ... 1 + jitter.
    struct speed {
        double seconds_per_call = 0;
        double seconds_per_byte = 0;
        double jitter = 0;
    };

    struct counts {
        int queues = 0, events = 0, memories = 0, registrations = 0, plans = 0;
        int total() const { return queues + events + memories + registrations + plans; }
    };

    // A limit of 10 s is exceeded soon on a device that hangs, and on a sound one hardly
    // ever: it has 200 s (see device_state::clock()).

    // Sound devices of no delay and no limits, without violations, whose kernels do not
    // reach host memory. Work must be over, but for what hangs: it ends, and what it kept
    // is freed.
    static void reset();
    static void set_speed(const speed& now);

    // Tests that measure control the time: nothing takes any, and a clock of the host's
    // shows what all would have taken that it waited for, and a little for each look.
    static void control_time(bool controlled);
    static double look_at_clock();
    static void wait_until(double time);
    static void spend(double seconds);

    // The same, also of how a thread waits for a device: a question takes ASK_SECONDS, a
    // sleep is too long by LATE_SECONDS, as in a virtual machine. Only for flowgraphs
    // with a device_timeout whose devices do not hang. Counts begin at 0.
    static constexpr double ASK_SECONDS = 1e-6, LATE_SECONDS = 15e-6;
    static void control_waits(bool controlled);
    struct waits {
        long waits = 0, asks = 0, sleeps = 0;
        double most_late = 0; // seconds from an event to the answer that tells of it
    };
    static waits waited();
    static double host_clock();

    static void refuse_registration(bool refused);
    static void compute_in_host_memory(bool possible);
    static void keep_apart(bool apart);            // devices do not read from one another
    static void set_free_bytes(std::size_t bytes); // that devices say they have
    static void limit_memory(std::size_t bytes);   // of each device; 0: none

    static void fail(fault how, long call);
    static long calls();  // since fail() or reset()
    static bool struck(); // the fault has happened

    // A device that failed is as new once nothing is left on any.
    static std::string broken_reason(int device); // "" if it is sound
    static int hanging();                         // devices that were given up

    // What hangs ends after all: copies and transforms are done, late. Memory that the
    // device reaches must still be there.
    static void release();

    static counts live(); // objects that exist now
    static long copies(); // done since reset()
    static std::vector<std::string> violations();
};

// A device of any index >= 0. Devices of one index are the same device.
async_device::sptr make_simulated_device(int index);

// What the simulated plan needs of the devices.
class simulated_queue : public async_device::queue
{
public:
    // The queue with this handle, or null.
    static simulated_queue* find(void* handle);

    void* handle() const override { return const_cast<simulated_queue*>(this); }
    virtual int device() const = 0;

    // Queues work that takes the time of so many bytes: begin(), then the time, then
    // finish(). drop() if the device fails before the end.
    struct work {
        std::function<void()> begin, finish, drop;
        std::size_t bytes = 0;
        bool fails = false;
    };
    virtual void submit(work what) = 0;
};

} // namespace gpufft
} // namespace gr

#endif
