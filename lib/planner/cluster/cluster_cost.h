// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a cluster's blocks take of a multiprocessor. cluster.h estimates the time.

#ifndef INCLUDED_GPUFFT_CLUSTER_COST_H
#define INCLUDED_GPUFFT_CLUSTER_COST_H

#include "planner/card.h"
#include "planner/recipe.h"
#include <cstddef>

namespace gr {
namespace gpufft {

// Whether the copy engine reads the samples of the next vector, one row of a tile at a
// time.
bool copied_by_card(const recipe& how);

// Shared memory of a block, and blocks on a multiprocessor.
std::size_t shared_bytes_of(const recipe& how);
int resident_blocks_of(const recipe& how, const device_traits& card);

// Slots for columns and rows, divided by those that the vector fills.
double idle_factor(int first_length, int second_length, int cluster);

} // namespace gpufft
} // namespace gr

#endif
