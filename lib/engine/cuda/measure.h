// SPDX-License-Identifier: GPL-3.0-or-later
//
// Planning effort "measure": times the planner's best recipes on the card, for wisdom.

#ifndef INCLUDED_GPUFFT_CUDA_MEASURE_H
#define INCLUDED_GPUFFT_CUDA_MEASURE_H

#include "device.h"
#include "planner/recipe.h"
#include <gnuradio/gpufft/problem.h>
#include <vector>

namespace gr {
namespace gpufft {

struct measured_recipe {
    recipe how;
    double milliseconds = 0.0; // median, for what.batch frames in device memory
};

// Times the candidates, fastest first; candidates that do not run (too little memory) are
// left out. Compiles all kernels in parallel first. Throws cuda_error if no candidate
// runs.
std::vector<measured_recipe> measure_recipes(const device_context& context,
                                             const problem& what,
                                             const std::vector<recipe>& candidates);

} // namespace gpufft
} // namespace gr

#endif
