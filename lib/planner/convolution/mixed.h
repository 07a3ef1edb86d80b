// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lengths that are a smooth number times one with prime factors that no radix has, e.g.
// 2^a 79: column levels as of "hierarchical", rows by Rader's or Bluestein's algorithm.
// In a recipe: the shapes of the column levels, then that of the row's convolution.

#ifndef INCLUDED_GPUFFT_MIXED_H
#define INCLUDED_GPUFFT_MIXED_H

#include "planner/algorithm.h"

namespace gr {
namespace gpufft {

algorithm mixed_algorithm();

} // namespace gpufft
} // namespace gr

#endif
