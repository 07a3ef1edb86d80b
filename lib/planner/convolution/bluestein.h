// SPDX-License-Identifier: GPL-3.0-or-later
//
// Bluestein's algorithm for any length.

#ifndef INCLUDED_GPUFFT_BLUESTEIN_H
#define INCLUDED_GPUFFT_BLUESTEIN_H

#include "planner/algorithm.h"

namespace gr {
namespace gpufft {

algorithm bluestein_algorithm();

// The best recipes in a block that do not read ahead: for rows behind other kernels.
std::vector<recipe>
bluestein_rows(const problem& what, const device_traits& card, std::size_t limit);

// The same with the chirp's angle pi j^2 / N in single precision, as was usual before
// Govindaraju et al. (SC'08); it only reproduces their Fig. 6.
algorithm bluestein_inexact_algorithm();

} // namespace gpufft
} // namespace gr

#endif
