// SPDX-License-Identifier: GPL-3.0-or-later
//
// The radix-R ladder: one launch for each pass, through global memory.

#ifndef INCLUDED_GPUFFT_LADDER_H
#define INCLUDED_GPUFFT_LADDER_H

#include "planner/algorithm.h"

namespace gr {
namespace gpufft {

// ladder2, ladder4, ladder8, ladder16, ladder32, and variants with other twiddles:
// ladder8-powers, -table, -library, -intrinsic (kernels/textbook/ladder_twiddles.cuh),
// and ladder8-exchange, whose early passes write in order
// (kernels/textbook/ladder_exchange.cuh).
std::vector<algorithm> ladder_algorithms();

// The passes of a smooth length, first to last: `radix` as often as it divides n, then
// the largest radices of 2 ... 16 that divide the rest. {1} for n = 1; empty if a prime
// factor is above 13.
std::vector<int> ladder_radices(std::size_t n, int radix);

} // namespace gpufft
} // namespace gr

#endif
