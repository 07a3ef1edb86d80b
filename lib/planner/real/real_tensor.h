// SPDX-License-Identifier: GPL-3.0-or-later
//
// Real transforms of several axes whose frames fit a block: one pass over memory.

#ifndef INCLUDED_GPUFFT_REAL_TENSOR_H
#define INCLUDED_GPUFFT_REAL_TENSOR_H

#include "planner/algorithm.h"

namespace gr {
namespace gpufft {

algorithm real_tensor_algorithm();

} // namespace gpufft
} // namespace gr

#endif
