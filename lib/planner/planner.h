// SPDX-License-Identifier: GPL-3.0-or-later
//
// The planner's decision: which algorithm with which parameters computes a problem.

#ifndef INCLUDED_GPUFFT_PLANNER_H
#define INCLUDED_GPUFFT_PLANNER_H

#include "registry.h"

namespace gr {
namespace gpufft {

// The recipe with the lowest estimate; of the algorithm that the problem names, if it
// names one. Throws std::invalid_argument that says for each algorithm why it cannot.
recipe make_recipe(const problem& what, const device_traits& card = device_traits());

// The `limit` recipes with the lowest estimates, lowest first, at least one.
std::vector<recipe> recipe_candidates(const problem& what,
                                      const device_traits& card = device_traits(),
                                      std::size_t limit = 12);

// Lower bound on the cost of an algorithm's recipes for a problem, without averaging.
double
least_cost_of(const algorithm& each, const problem& what, const device_traits& card);

// Why no algorithm can compute the problem (or not the one that it names); else empty.
std::string planning_obstacle(const problem& what,
                              const device_traits& card = device_traits());

} // namespace gpufft
} // namespace gr

#endif
