// SPDX-License-Identifier: GPL-3.0-or-later
//
// Transforms of real rows, cosine and sine transforms: by a complex transform inside.

#ifndef INCLUDED_GPUFFT_REAL_H
#define INCLUDED_GPUFFT_REAL_H

#include "planner/algorithm.h"

namespace gr {
namespace gpufft {

algorithm real_algorithm();

} // namespace gpufft
} // namespace gr

#endif
