// SPDX-License-Identifier: GPL-3.0-or-later
//
// Transforms of several axes of any shape, by the recipes that a plan may get.

#ifndef INCLUDED_GPUFFT_HOST_AXES_CASES_H
#define INCLUDED_GPUFFT_HOST_AXES_CASES_H

#include "recipe_case.h"
#include <vector>

namespace gr {
namespace gpufft {

// Of every shape to 40x40 and of 300 more in two and three dimensions, complex, real and
// DCT, for one frame and for many: a sample. GPUFFT_TEST_AXES=K/N in the environment is
// part K of all, cut in N: see tests/axes_on_host.sh. The generator of the kernels and
// the test have to see the same.
std::vector<recipe_case> host_axes_cases();

} // namespace gpufft
} // namespace gr

#endif
