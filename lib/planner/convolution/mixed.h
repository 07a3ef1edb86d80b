// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lengths that are a smooth number times one with prime factors that no radix has, e.g.
// 2^a 79: columns as in "hierarchical", rows by Rader's or Bluestein's algorithm. A
// recipe lists the shapes of the column levels, then the shape of the row's convolution;
// with one shape, a block transforms columns and rows (rader.h).

#ifndef INCLUDED_GPUFFT_MIXED_H
#define INCLUDED_GPUFFT_MIXED_H

#include "planner/algorithm.h"

namespace gr {
namespace gpufft {

algorithm mixed_algorithm();

} // namespace gpufft
} // namespace gr

#endif
