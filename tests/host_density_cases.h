// SPDX-License-Identifier: GPL-3.0-or-later
//
// The densities that the host engine is built for.

#ifndef INCLUDED_GPUFFT_HOST_DENSITY_CASES_H
#define INCLUDED_GPUFFT_HOST_DENSITY_CASES_H

#include "recipe_case.h"
#include <vector>

namespace gr {
namespace gpufft {

// One and several bins a column, fewer bins than columns, parts of a row, each detector,
// each hold, of algorithms that sum powers in a kernel and of others.
std::vector<recipe_case> host_density_cases();

} // namespace gpufft
} // namespace gr

#endif
