// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rader's algorithm for prime lengths N with N - 1 a product of small primes.

#ifndef INCLUDED_GPUFFT_RADER_H
#define INCLUDED_GPUFFT_RADER_H

#include "planner/algorithm.h"

namespace gr {
namespace gpufft {

algorithm rader_algorithm();

} // namespace gpufft
} // namespace gr

#endif
