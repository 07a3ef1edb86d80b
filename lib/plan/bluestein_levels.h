// SPDX-License-Identifier: GPL-3.0-or-later
//
// Bluestein's algorithm, the zoom and filters beyond one block: a convolution through
// global memory. In a recipe: the shapes of the column levels, then that of the row's
// convolution.

#ifndef INCLUDED_GPUFFT_BLUESTEIN_LEVELS_H
#define INCLUDED_GPUFFT_BLUESTEIN_LEVELS_H

#include "algorithm.h"
#include <complex>
#include <cstdint>

namespace gr {
namespace gpufft {

// Recipes of that algorithm name with a convolution of at least so many points, the best
// estimate first; none if there is no way. decimation: of the values that are wanted.
std::vector<recipe> bluestein_levels_candidates(const std::string& name,
                                                const problem& what,
                                                std::uint64_t points,
                                                const device_traits& card,
                                                std::size_t decimation = 1);

double
bluestein_levels_cost(const problem& what, const recipe& how, const device_traits& card);

// What is computed besides the convolution.
template <class T>
struct levels_ends {
    std::string header;
    std::string load, store; // of `samples` points
    std::size_t samples;
    std::vector<std::complex<T>> chirp;  // these are multiplied by, first and last; or
                                         // none
    std::vector<std::complex<T>> filter; // as long as the convolution; none: the window's
    std::size_t decimation = 1;          // the store takes what fold_of_levels() leaves
};

template <class T>
program bluestein_levels_program(const recipe& how, const levels_ends<T>& ends);

} // namespace gpufft
} // namespace gr

#endif
