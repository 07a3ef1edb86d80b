// SPDX-License-Identifier: GPL-3.0-or-later
//
// The FFT in place, of vectors that fill a block's shared memory: longer than those of
// Stockham's algorithm, which has two copies of them.

#ifndef INCLUDED_GPUFFT_IN_PLACE_H
#define INCLUDED_GPUFFT_IN_PLACE_H

#include "planner/algorithm.h"

namespace gr {
namespace gpufft {

algorithm in_place_algorithm();

} // namespace gpufft
} // namespace gr

#endif
