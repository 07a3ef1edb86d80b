// SPDX-License-Identifier: GPL-3.0-or-later
//
// The filters that the host engine is built for.

#ifndef INCLUDED_GPUFFT_HOST_FILTER_CASES_H
#define INCLUDED_GPUFFT_HOST_FILTER_CASES_H

#include "recipe_case.h"
#include <vector>

namespace gr {
namespace gpufft {

// Real and complex samples and taps, few taps and many, decimations; parts that fit a
// block, and that go through global memory.
std::vector<recipe_case> host_filter_cases();

} // namespace gpufft
} // namespace gr

#endif
