// SPDX-License-Identifier: GPL-3.0-or-later
//
// A user's function in the place of a plan, so that its block streams as all others do.

#ifndef INCLUDED_GPUFFT_FUNCTION_PLAN_H
#define INCLUDED_GPUFFT_FUNCTION_PLAN_H

#include "engine/async_device.h"
#include <gnuradio/gpufft/device_block.h>
#include <gnuradio/gpufft/plan.h>

namespace gr {
namespace gpufft {

// The problem with the sizes of the first ports, whose samples are bytes. Throws
// std::invalid_argument for a number out of range. All inputs have the longest history of
// them, as in GNU Radio; the function gets its own.
problem function_problem(const device_ports& ports);
std::size_t longest_history(const device_ports& ports); // items

// The places of the ports beyond the first, for the next call of the plan's function.
struct more_places {
    std::vector<const void*> inputs;
    std::vector<void*> outputs;
};
void set_more_places(plan& of, const more_places& places);

// The device that blocks know by this index.
GPUFFT_API async_device::sptr device_of_blocks(int index);

// Engines cuda and cpu. Throws std::invalid_argument if the function has an obstacle,
// cuda_error for device trouble.
plan::uptr make_function_plan(const problem& what,
                              const std::shared_ptr<device_function>& function,
                              const device_ports& ports,
                              const plan_options& options);

} // namespace gpufft
} // namespace gr

#endif
