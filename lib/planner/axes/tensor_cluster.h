// SPDX-License-Identifier: GPL-3.0-or-later
//
// Frames of several axes in a thread block cluster: one pass over memory, also for frames
// that are too long for a block.

#ifndef INCLUDED_GPUFFT_TENSOR_CLUSTER_H
#define INCLUDED_GPUFFT_TENSOR_CLUSTER_H

#include "planner/algorithm.h"
#include <optional>

namespace gr {
namespace gpufft {

// Empty if the card has no clusters, or the frame has one axis or does not fit a cluster.
std::vector<recipe> tensor_cluster_candidates(const problem& what,
                                              const device_traits& card);

// Estimated time, relative to a copy.
double
tensor_cluster_cost(const problem& what, const recipe& how, const device_traits& card);

// The recipe for these lengths, cluster fields and threads; none if a thread would have
// to hold too many points.
std::optional<recipe> tensor_cluster_recipe(const cluster_fields& way,
                                            const std::vector<std::size_t>& lengths,
                                            int threads,
                                            const device_traits& card,
                                            bool is_double);

// The launch, with the load and store steps of the tensor algorithm.
program tensor_cluster_program(const problem& what,
                               const recipe& how,
                               const step_text& load,
                               const step_text& store);

} // namespace gpufft
} // namespace gr

#endif
