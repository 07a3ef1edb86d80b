// SPDX-License-Identifier: GPL-3.0-or-later
//
// Bluestein's algorithm for any length.

#ifndef INCLUDED_GPUFFT_BLUESTEIN_H
#define INCLUDED_GPUFFT_BLUESTEIN_H

#include "algorithm.h"

namespace gr {
namespace gpufft {

algorithm bluestein_algorithm();

// The program of a forward transform in one block, with the text of another last step.
program
bluestein_program(const problem& what, const recipe& how, const std::string& store);

// The same with the chirp's angle pi j^2 / N in single precision, as it was before
// Govindaraju et al. (SC'08, Fig. 6): for that figure only.
algorithm bluestein_inexact_algorithm();

} // namespace gpufft
} // namespace gr

#endif
