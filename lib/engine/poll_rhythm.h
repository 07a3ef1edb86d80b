// SPDX-License-Identifier: GPL-3.0-or-later
//
// When a thread that waits for a device asks it again. A thread that sleeps wakes up
// late, by some 15 us in a virtual machine, which is more than a small chunk takes on a
// card. So:
//
//   - A thread that expects a short wait spins: it asks again at once. For that it needs
//     credit for more than the time that it expects. A second without spinning gives it
//     SHARE seconds of credit, up to MOST_CREDIT, so that it spins for less than a fifth
//     of the time, however many chunks there are.
//   - Else it sleeps for most of the time that it expects, then for an eighth of the time
//     so far: four questions of about 1 us for a chunk, which notice its end late by a
//     few per cent of its time.
//   - It expects the shorter of the last two waits. A wait is known to have ended between
//     the last two questions, and counts as their middle: how late the thread woke up
//     must not make the next sleep longer. Where there is nothing to wait for, it expects
//     less the next time.

#ifndef INCLUDED_GPUFFT_POLL_RHYTHM_H
#define INCLUDED_GPUFFT_POLL_RHYTHM_H

#include <functional>
#include <gnuradio/gpufft/api.h>

namespace gr {
namespace gpufft {

// All times are in seconds; `now` is a clock's.
class GPUFFT_API poll_rhythm
{
public:
    static constexpr double SHARE = 0.25;
    static constexpr double MOST_CREDIT = 60e-6;
    static constexpr double MARGIN = 1.5; // of the credit over the expected time

    // A sleep is as long as a kernel between two small transfers, or longer, and far
    // shorter than a time limit.
    static constexpr double LEAST_SLEEP = 10e-6;
    static constexpr double MOST_SLEEP = 1e-3;

    void begin(double now);   // of a wait: the device was asked, and is not done
    double pause(double now); // not done yet: how long to sleep, 0 to ask again at once
    void end(double now);     // the device is done, or the thread gives up
    void skip();              // there was nothing to wait for

    double expected() const { return d_expected; }

private:
    void stop_spinning(double now);

    double d_began = 0, d_asked = 0; // this wait's begin, and last answer of "not done"
    bool d_spins = false;
    double d_credit = MOST_CREDIT, d_counted = 0; // credit for the time until then
    double d_took = 0, d_expected = 0;
};

// What such a thread needs. Tests have their own.
struct GPUFFT_API poll_clock {
    static double steady();
    static void sleep_thread(double seconds);

    std::function<double()> now = steady;
    std::function<void(double)> sleep = sleep_thread;
};

} // namespace gpufft
} // namespace gr

#endif
