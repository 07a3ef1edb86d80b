// SPDX-License-Identifier: GPL-3.0-or-later
//
// Calls of plans on simulated devices that fail somewhere.

#ifndef INCLUDED_GPUFFT_FAULTY_CALLS_H
#define INCLUDED_GPUFFT_FAULTY_CALLS_H

#include "simulated_device.h"
#include <gnuradio/gpufft/engine.h>
#include <gtest/gtest.h>

namespace gr {
namespace gpufft {

// Prepares a call with prepare() and makes it with a fault at every third use of a
// device, until it ends before the fault.
template <class Prepare>
void expect_end_after_any_fault(const Prepare& prepare)
{
    for (const auto how : { simulation::fault::once, simulation::fault::asynchronous }) {
        bool ended = false;
        for (long use = 1; use < 2000 && !ended; use += 3) {
            simulation::reset();
            const auto call = prepare();
            simulation::fail(how, use);
            try {
                call();
                ended = !simulation::struck();
            } catch (const cuda_error&) {
                EXPECT_TRUE(simulation::struck()) << use;
            }
        }
        EXPECT_TRUE(ended);
    }
    simulation::reset();
}

} // namespace gpufft
} // namespace gr

#endif
