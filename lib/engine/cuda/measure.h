// SPDX-License-Identifier: GPL-3.0-or-later
//
// Planning effort "measure": the recipes that the planner thinks best are timed on the
// card.

#ifndef INCLUDED_GPUFFT_CUDA_MEASURE_H
#define INCLUDED_GPUFFT_CUDA_MEASURE_H

#include "device.h"
#include "plan/recipe.h"
#include <gnuradio/gpufft/problem.h>
#include <vector>

namespace gr {
namespace gpufft {

struct measured_recipe {
    recipe how;
    double milliseconds = 0.0; // of what.batch frames in device memory; median
};

// The candidates that run, fastest first; those that do not (too little memory) are left
// out. Their kernels are compiled side by side before. Throws cuda_error if none runs.
std::vector<measured_recipe> measure_recipes(const device_context& context,
                                             const problem& what,
                                             const std::vector<recipe>& candidates);

// The recipe for a plan: wisdom, else the estimate or the measurement that `measure` asks
// for, which becomes wisdom.
recipe choose_recipe(const device_context& context, const problem& what, bool measure);

} // namespace gpufft
} // namespace gr

#endif
