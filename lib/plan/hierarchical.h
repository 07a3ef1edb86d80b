// SPDX-License-Identifier: GPL-3.0-or-later
//
// The hierarchical transform: column levels and a row level through global memory.

#ifndef INCLUDED_GPUFFT_HIERARCHICAL_H
#define INCLUDED_GPUFFT_HIERARCHICAL_H

#include "algorithm.h"

namespace gr {
namespace gpufft {

algorithm hierarchical_algorithm();

// Both levels in one launch, see kernels/chained.cuh.
algorithm chained_algorithm();

} // namespace gpufft
} // namespace gr

#endif
