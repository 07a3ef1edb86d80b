// SPDX-License-Identifier: GPL-3.0-or-later
//
// The detectors and holds that the host engine is built for.

#ifndef INCLUDED_GPUFFT_HOST_DETECTOR_CASES_H
#define INCLUDED_GPUFFT_HOST_DETECTOR_CASES_H

#include "recipe_case.h"
#include <vector>

namespace gr {
namespace gpufft {

// Every detector and every hold, of algorithms that sum powers in a kernel and of others.
std::vector<recipe_case> host_detector_cases();

} // namespace gpufft
} // namespace gr

#endif
