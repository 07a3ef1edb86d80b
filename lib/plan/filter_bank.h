// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which frames of a filter bank share samples (kernels/load_bank.cuh), and where a row
// has the bins that are picked (store_picked of kernels/store.cuh).

#ifndef INCLUDED_GPUFFT_FILTER_BANK_H
#define INCLUDED_GPUFFT_FILTER_BANK_H

#include "algorithm.h"

namespace gr {
namespace gpufft {

// Frames `apart` apart begin shift n + drift samples apart, shift > 0.
struct sample_sharing {
    long apart, shift, drift;
};

// The nearest frames with a small drift. A hop that has none gives those that are as many
// frames apart as there are points: no block holds two of them.
sample_sharing sharing_of(const problem& what);

// What reading samples and weights adds to a kernel's cost, if a block of so many threads
// (or a cluster of them) reads so many frames of each block together (1: point by point);
// 0 of other problems.
double bank_cost(const problem& what, int threads = 0, int frames = 1, int cluster = 1);

// The bound on blocks of so many threads on a multiprocessor, where it would be `blocks`
// (0: none): one that leaves a bank's sums in registers, and the points that a thread
// holds at once.
int bank_blocks(const problem& what, int threads, int points, int blocks);

// The recipe with clusters that read the frames of their blocks together; none if the
// problem is no bank, or the card has no clusters.
std::vector<recipe>
in_clusters(const recipe& how, const problem& what, const device_traits& card);

// transform_arguments::slots for rows with bin map[i] at place i.
std::vector<int> slots_of(const problem& what, const std::vector<int>& map);

} // namespace gpufft
} // namespace gr

#endif
