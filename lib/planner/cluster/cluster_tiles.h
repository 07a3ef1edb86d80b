// SPDX-License-Identifier: GPL-3.0-or-later
//
// The tiles that the blocks of a cluster transform: radices, threads, and their work.

#ifndef INCLUDED_GPUFFT_CLUSTER_TILES_H
#define INCLUDED_GPUFFT_CLUSTER_TILES_H

#include "planner/card.h"
#include "planner/recipe.h"
#include <optional>
#include <vector>

namespace gr {
namespace gpufft {

constexpr int MAX_CLUSTER_POINTS = 32; // complex values that a thread may hold

// The most points that a thread holds in a pass of a tile.
int points_held(const stockham_shape& tile);

// A rough measure of a thread's operations, twiddles and exchanges.
double tile_work(const stockham_shape& tile);

// The tile with the least work; none if a thread would have to hold too many points.
std::optional<stockham_shape>
cluster_tile(int n, int columns, int threads, bool is_double);

// Numbers of threads with which some radix leaves no thread idle but to complete a warp.
std::vector<int> cluster_thread_counts(int elements, int length);

} // namespace gpufft
} // namespace gr

#endif
