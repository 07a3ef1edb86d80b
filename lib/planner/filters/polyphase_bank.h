// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which frames of a polyphase bank share samples (kernels/load_polyphase.cuh), and where
// the picked bins lie in a row (store_picked of kernels/store.cuh).

#ifndef INCLUDED_GPUFFT_FILTER_BANK_H
#define INCLUDED_GPUFFT_FILTER_BANK_H

#include "planner/algorithm.h"

namespace gr {
namespace gpufft {

// Frame f + apart begins shift n + drift samples after frame f, shift > 0.
struct sample_sharing {
    long apart, shift, drift;
};

// The smallest `apart` with a small drift; n if there is none, because no block holds
// frames so far apart.
sample_sharing sharing_of(const problem& what);

// What reading samples and weights adds to a kernel's cost if a block of `threads`
// threads (or a cluster of such blocks) reads `frames` frames per block together (1:
// point by point); 0 for other problems.
double bank_cost(const problem& what, int threads = 0, int frames = 1, int cluster = 1);

// The bound on blocks per multiprocessor that leaves each thread of a block registers for
// a bank's sums and for the `points` points that it holds at once. The bound is at most
// `blocks`; 0 is no bound.
int bank_blocks(const problem& what,
                int threads,
                int points,
                int blocks,
                const device_traits& card);

// Variants of the recipe in which clusters read the frames of their blocks together; none
// if the problem is no bank, or the card has no clusters.
std::vector<recipe>
in_clusters(const recipe& how, const problem& what, const device_traits& card);

// transform_arguments::slots for rows with bin map[i] at place i.
std::vector<int> slots_of(const problem& what, const std::vector<int>& map);

} // namespace gpufft
} // namespace gr

#endif
