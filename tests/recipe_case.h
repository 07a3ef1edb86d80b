// SPDX-License-Identifier: GPL-3.0-or-later
//
// A problem with a recipe that the planner need not choose, and its run on the host
// engine against double precision.

#ifndef INCLUDED_GPUFFT_RECIPE_CASE_H
#define INCLUDED_GPUFFT_RECIPE_CASE_H

#include "planner/recipe.h"
#include <gnuradio/gpufft/problem.h>

namespace gr {
namespace gpufft {

struct recipe_case {
    problem what;
    recipe how;
};

} // namespace gpufft
} // namespace gr

#endif
