// SPDX-License-Identifier: GPL-3.0-or-later
//
// The syntheses that the host engine is built for.

#ifndef INCLUDED_GPUFFT_HOST_SYNTHESIS_CASES_H
#define INCLUDED_GPUFFT_HOST_SYNTHESIS_CASES_H

#include "recipe_case.h"
#include <vector>

namespace gr {
namespace gpufft {

// Every way to share columns, and inverse transforms of one and of several launches.
std::vector<recipe_case> host_synthesis_cases();

} // namespace gpufft
} // namespace gr

#endif
