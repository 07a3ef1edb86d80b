// SPDX-License-Identifier: GPL-3.0-or-later
//
// The cost model behind effort "estimate": how long a shape of the Stockham kernel takes.

#ifndef INCLUDED_GPUFFT_COST_MODEL_H
#define INCLUDED_GPUFFT_COST_MODEL_H

#include "recipe.h"

namespace gr {
namespace gpufft {

// Blocks that a multiprocessor holds, by registers, threads and shared memory.
int resident_blocks(const stockham_shape& shape);

// Registers that a thread needs.
int register_target(const stockham_shape& shape);

// Estimated time over that of a copy of the data, >= 1. `conflicts` is
// conflict_ratio(shape).
double estimated_cost(const stockham_shape& shape, double conflicts);

} // namespace gpufft
} // namespace gr

#endif
