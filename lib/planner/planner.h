// SPDX-License-Identifier: GPL-3.0-or-later
//
// The planner's decision: which algorithm with which parameters computes a problem.

#ifndef INCLUDED_GPUFFT_PLANNER_H
#define INCLUDED_GPUFFT_PLANNER_H

#include "registry.h"

namespace gr {
namespace gpufft {

// The recipe with the lowest estimate, by the named algorithm if the problem names one.
// Throws std::invalid_argument with every algorithm's obstacle if there is none.
recipe make_recipe(const problem& what, const device_traits& card = device_traits());

// The `limit` recipes with the lowest estimates, lowest first, at least one. Algorithms
// whose lower bound reaches the lowest estimate are not asked: the first recipe is the
// best of all, the others are the best of the algorithms asked.
std::vector<recipe> recipe_candidates(const problem& what,
                                      const device_traits& card = device_traits(),
                                      std::size_t limit = 12);

// Why no algorithm, or not the named one, can compute the problem; empty if one can.
std::string planning_obstacle(const problem& what,
                              const device_traits& card = device_traits());

} // namespace gpufft
} // namespace gr

#endif
