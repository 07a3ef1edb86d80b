// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which recipe a plan on a card gets: the known one, the fastest measured one, or the one
// with the lowest estimate.

#ifndef INCLUDED_GPUFFT_CUDA_CHOOSE_RECIPE_H
#define INCLUDED_GPUFFT_CUDA_CHOOSE_RECIPE_H

#include "device.h"
#include "planner/recipe.h"
#include <gnuradio/gpufft/problem.h>

namespace gr {
namespace gpufft {

// 1. The wisdom's recipe for this card and problem, if the card can run it.
// 2. With `measure`, the fastest of the planner's best candidates; it becomes wisdom.
// 3. Else the planner's estimate (planner/planner.h); a line on stderr says once if
// nothing
//    was measured on the card.
recipe choose_recipe(const device_context& context, const problem& what, bool measure);

} // namespace gpufft
} // namespace gr

#endif
