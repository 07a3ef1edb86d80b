// SPDX-License-Identifier: GPL-3.0-or-later
//
// The devices under the blocks' tests: simulated ones, or, with GPUFFT_TEST_ENGINE=cuda
// in the environment, the real cards that GPUFFT_TEST_DEVICES lists (0, or 0,1 ...). What
// the tests call device i is the card i modulo their number, so that two devices may be
// one card.

#ifndef INCLUDED_GPUFFT_TEST_DEVICES_H
#define INCLUDED_GPUFFT_TEST_DEVICES_H

#include "simulated_device.h"
#include <gnuradio/gpufft/plan.h>

namespace gr {
namespace gpufft {

// As the class simulation has it. Real cards have their own speed, find no violations and
// fail in the driver (see driver_watch).
class test_devices
{
public:
    typedef simulation::fault fault;
    typedef simulation::speed speed;

    static bool are_cards();
    static std::size_t count(); // devices that are not the same one

    static plan::uptr make_plan(const problem& what, const plan_options& options);
    static async_device::sptr make_device(int index);
    static std::string broken_reason(int index);

    static void reset();
    static void set_speed(const speed& now);
    static void refuse_registration(bool refused);
    static void compute_in_host_memory(bool possible); // cards do if they can

    static void fail(fault how, long call);
    static long calls();
    static bool struck();

    static simulation::counts live();
    static long copies();
    static std::vector<std::string> violations();
};

// Counts what was done; the program prints it at its end.
void tally(const std::string& what, long count = 1);

} // namespace gpufft
} // namespace gr

// At the beginning of a test.
#define GPUFFT_ONLY_SIMULATED(reason)                                                    \
    if (test_devices::are_cards())                                                       \
    GTEST_SKIP() << "on simulated devices only: " << reason

#endif
