// SPDX-License-Identifier: GPL-3.0-or-later
//
// Transforms over a thread block cluster, through distributed shared memory.

#ifndef INCLUDED_GPUFFT_CLUSTER_H
#define INCLUDED_GPUFFT_CLUSTER_H

#include "planner/algorithm.h"

namespace gr {
namespace gpufft {

algorithm cluster_algorithm();

// The recipe, with the best radices, for two lengths, cluster fields and threads. Throws
// std::invalid_argument if a thread would have to hold more than 32 points.
recipe cluster_recipe(const cluster_fields& way,
                      int first_length,
                      int second_length,
                      int threads,
                      const device_traits& card,
                      bool is_double = false);

// The recipe with paddings and bounds on blocks that suit its two tiles.
recipe with_paddings(recipe how, const device_traits& card);

// Whether the recipe's shared memory fits the card.
bool fits_cluster(const recipe& how, const device_traits& card);

// Recipes with the tiles of `like` for all ways in which persistent clusters may exchange
// and read ahead, if their shared memory fits.
std::vector<recipe>
cluster_ways(const recipe& like, const problem& what, const device_traits& card);

// Estimated time, relative to a copy; and this time if it is `full` in a full call.
double cluster_cost(const problem& what, const recipe& how, const device_traits& card);
double cluster_call_cost(double full,
                         const problem& what,
                         const recipe& how,
                         const device_traits& card);

// The parts of kernels/cluster/cluster.cuh that differ between its launches: the columns'
// tile, the load and store steps, and the columns' twiddles.
struct cluster_parts {
    std::string header, columns;
    step_text load, store;
    std::vector<std::complex<long double>> twiddles;
};
program cluster_program(const recipe& how, const cluster_parts& parts);

// Complex elements of the shared-memory areas, as cluster_shape computes them. If there
// is only one area, rows arrive in `first`.
struct cluster_areas {
    int first, incoming;
};
cluster_areas areas_of(const recipe& how);

// Complex elements from one incoming row to the next, for the fewest bank conflicts.
int incoming_row_stride(const recipe& how);

// The columns' twiddles, then the roots between columns and rows
// (kernels/cluster/cluster.cuh).
std::vector<std::complex<long double>> cluster_twiddles(const recipe& how);

} // namespace gpufft
} // namespace gr

#endif
