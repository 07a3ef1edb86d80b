// SPDX-License-Identifier: GPL-3.0-or-later
//
// Bluestein's algorithm for frames beyond one block: a convolution through global memory.
// In a recipe: the shapes of the column levels, then that of the row's convolution.

#ifndef INCLUDED_GPUFFT_BLUESTEIN_LEVELS_H
#define INCLUDED_GPUFFT_BLUESTEIN_LEVELS_H

#include "algorithm.h"
#include <complex>

namespace gr {
namespace gpufft {

// Recipes of that algorithm name, the best estimate first; none if there is no way.
std::vector<recipe> bluestein_levels_candidates(const std::string& name,
                                                const problem& what,
                                                const device_traits& card);

double
bluestein_levels_cost(const problem& what, const recipe& how, const device_traits& card);

// chirp[m] = exp(-pi j m^2 / N), m = 0 ... N-1.
template <class T>
program bluestein_levels_program(const problem& what,
                                 const recipe& how,
                                 const std::vector<std::complex<T>>& chirp);

} // namespace gpufft
} // namespace gr

#endif
