// SPDX-License-Identifier: GPL-3.0-or-later
//
// Polyphase synthesis: inverse transforms, then kernels/filters/synthesis.cuh.

#ifndef INCLUDED_GPUFFT_SYNTHESIS_H
#define INCLUDED_GPUFFT_SYNTHESIS_H

#include "planner/algorithm.h"

namespace gr {
namespace gpufft {

algorithm synthesis_algorithm();

// The inverse transform of one frame of bins.
problem inverse_of_synthesis(const problem& what);

} // namespace gpufft
} // namespace gr

#endif
