// SPDX-License-Identifier: GPL-3.0-or-later
//
// The correlations that the host engine is built for.

#ifndef INCLUDED_GPUFFT_HOST_CORRELATION_CASES_H
#define INCLUDED_GPUFFT_HOST_CORRELATION_CASES_H

#include "recipe_case.h"
#include <vector>

namespace gr {
namespace gpufft {

// One and several threads, passes and transforms of a block; whole and broken shifts;
// every kind of row.
std::vector<recipe_case> host_correlation_cases();

} // namespace gpufft
} // namespace gr

#endif
