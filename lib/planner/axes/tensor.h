// SPDX-License-Identifier: GPL-3.0-or-later
//
// Complex transforms of several axes, without transpositions.

#ifndef INCLUDED_GPUFFT_TENSOR_H
#define INCLUDED_GPUFFT_TENSOR_H

#include "planner/algorithm.h"
#include "tensor_steps.h"

namespace gr {
namespace gpufft {

algorithm tensor_algorithm();

// Twiddles of a tile's passes, in the order of the passes; passes with equal twiddles
// share them. `at`: where the twiddles of each pass begin.
std::vector<std::complex<long double>> tensor_twiddles(const stockham_shape& shape,
                                                       std::vector<int>& at);

} // namespace gpufft
} // namespace gr

#endif
