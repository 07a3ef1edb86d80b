// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which recipe a plan on a card gets: the known one, the fastest measured one, or the one
// with the lowest estimate.

#ifndef INCLUDED_GPUFFT_CUDA_CHOOSE_RECIPE_H
#define INCLUDED_GPUFFT_CUDA_CHOOSE_RECIPE_H

#include "device.h"
#include "planner/recipe.h"
#include <gnuradio/gpufft/problem.h>
#include <optional>

namespace gr {
namespace gpufft {

// The wisdom's recipe for this card and problem, if the card can run it; or with
// `measure` the fastest of the planner's best candidates, which becomes wisdom. Else
// none: a line on stderr says once if nothing was measured on the card.
std::optional<recipe>
measured_recipe_for(const device_context& context, const problem& what, bool measure);

// The wisdom's recipe, else the planner's estimate (planner/planner.h).
recipe choose_recipe(const device_context& context, const problem& what);

} // namespace gpufft
} // namespace gr

#endif
