// SPDX-License-Identifier: GPL-3.0-or-later
//
// Bluestein's algorithm, the zoom and filters beyond one block: a convolution through
// global memory. A recipe lists the shapes of the column levels, then the shape of the
// row's convolution.

#ifndef INCLUDED_GPUFFT_BLUESTEIN_LEVELS_H
#define INCLUDED_GPUFFT_BLUESTEIN_LEVELS_H

#include "planner/algorithm.h"
#include <complex>
#include <cstdint>

namespace gr {
namespace gpufft {

// Recipes of the algorithm `name` whose convolution has at least `points` points, lowest
// estimate first; maybe none. Only every `decimation`-th value is wanted.
std::vector<recipe> bluestein_levels_candidates(const std::string& name,
                                                const problem& what,
                                                std::uint64_t points,
                                                const device_traits& card,
                                                std::size_t decimation = 1);

double
bluestein_levels_cost(const problem& what, const recipe& how, const device_traits& card);

// What the launches do besides the convolution.
template <class T>
struct levels_ends {
    std::string header;
    std::string load, store; // steps, for `samples` points
    std::size_t samples;
    std::vector<std::complex<T>> chirp;  // factors at both ends, or none
    std::vector<std::complex<T>> filter; // padded; empty: from the window
    std::size_t decimation = 1;          // by fold_of_levels(), then by the store step
};

template <class T>
program bluestein_levels_program(const recipe& how, levels_ends<T> ends);

} // namespace gpufft
} // namespace gr

#endif
