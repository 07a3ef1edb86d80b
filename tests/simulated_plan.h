// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plans of the cuda engine that a simulated device executes, by means of the cpu engine.

#ifndef INCLUDED_GPUFFT_SIMULATED_PLAN_H
#define INCLUDED_GPUFFT_SIMULATED_PLAN_H

#include <gnuradio/gpufft/plan.h>

namespace gr {
namespace gpufft {

// Takes the place of plan::make: engines auto and cuda. Other engines' plans are real.
plan::uptr make_simulated_plan(const problem& what, const plan_options& options);

} // namespace gpufft
} // namespace gr

#endif
