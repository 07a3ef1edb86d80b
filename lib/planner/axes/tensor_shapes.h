// SPDX-License-Identifier: GPL-3.0-or-later
//
// Shapes for the tiles of the tensor algorithm: radices of every axis, the order of the
// passes across the axes, threads.

#ifndef INCLUDED_GPUFFT_TENSOR_SHAPES_H
#define INCLUDED_GPUFFT_TENSOR_SHAPES_H

#include "planner/algorithm.h"
#include "tensor_steps.h"

namespace gr {
namespace gpufft {

// Time of a step with this shape, relative to a copy of the data, in calls that fill the
// card.
double tensor_step_cost(const tensor_step& step,
                        const stockham_shape& shape,
                        const device_traits& card);

// The `limit` shapes of a step with the best estimates, best first. `like` holds what the
// caller fixes: columns, precision, a staged store, tiles. If it is pipelined
// (kernels/stockham/pipelined.cuh), passes along the first axis come first and last, so
// that all points of a frame lie side by side where they are read and written.
std::vector<stockham_shape> tensor_shapes(const tensor_step& step,
                                          stockham_shape like,
                                          std::size_t limit,
                                          const device_traits& card);

} // namespace gpufft
} // namespace gr

#endif
