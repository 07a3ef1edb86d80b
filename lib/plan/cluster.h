// SPDX-License-Identifier: GPL-3.0-or-later
//
// One transform over a thread block cluster, by distributed shared memory.

#ifndef INCLUDED_GPUFFT_CLUSTER_H
#define INCLUDED_GPUFFT_CLUSTER_H

#include "algorithm.h"

namespace gr {
namespace gpufft {

algorithm cluster_algorithm();

// The recipe with these two lengths, blocks and threads, its radices chosen; of the ways
// in `like` (two_areas, prefetched, by_messages, persistent). Throws
// std::invalid_argument if a thread would have to hold more than 32 points.
recipe cluster_recipe(const recipe& like,
                      int first_length,
                      int second_length,
                      int cluster,
                      int threads,
                      bool is_double = false);

// A recipe of two tiles with the paddings and the blocks that suit them.
recipe with_paddings(recipe how);

// It has shared memory enough on the card.
bool fits_cluster(const recipe& how, const device_traits& card);

// The ways in which persistent clusters may exchange and read ahead, for these tiles,
// whose areas fit.
std::vector<recipe>
cluster_ways(const recipe& like, const problem& what, const device_traits& card);

// Estimated time over that of a copy; and of a call, if it is `full` in those that fill
// the card.
double cluster_cost(const problem& what, const recipe& how, const device_traits& card);
double cluster_call_cost(double full,
                         const problem& what,
                         const recipe& how,
                         const device_traits& card);

// What differs between the launches of kernels/cluster.cuh: the columns' tile, the load
// and store steps, and the tables for the columns.
struct cluster_parts {
    std::string header, columns, load, store;
    std::vector<std::complex<long double>> twiddles;
};
program cluster_program(const recipe& how, const cluster_parts& parts);

// Complex elements of the areas that points travel through, as cluster_shape computes
// them; one area is the first, into which the rows come too.
struct cluster_areas {
    int first, incoming;
};
cluster_areas areas_of(const recipe& how);

// Complex elements from one incoming row to the next with the fewest bank conflicts.
int incoming_row_stride(const recipe& how);

// The columns' twiddles, then the roots between columns and rows (kernels/cluster.cuh).
std::vector<std::complex<long double>> cluster_twiddles(const recipe& how);

} // namespace gpufft
} // namespace gr

#endif
