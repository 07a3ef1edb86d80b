// SPDX-License-Identifier: GPL-3.0-or-later
//
// The transforms of a textbook, for comparison (Tsai, "Fast Fourier Transform on CPU and
// GPU", 2025). Each block transforms one vector in shared memory.

#ifndef INCLUDED_GPUFFT_TEXTBOOK_H
#define INCLUDED_GPUFFT_TEXTBOOK_H

#include "planner/algorithm.h"

namespace gr {
namespace gpufft {

// cooley-tukey: radix 2 in place after a bit reversal. stockham2: Stockham's passes, all
// of radix 2. stockham4: passes of radix 4, the last of radix 2 if n is no power of four.
// For n = 2 ... 4096, a power of two.
std::vector<algorithm> textbook_algorithms();

} // namespace gpufft
} // namespace gr

#endif
