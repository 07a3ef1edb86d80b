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
