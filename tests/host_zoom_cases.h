// SPDX-License-Identifier: GPL-3.0-or-later
//
// The zooms that the host engine is built for.

#ifndef INCLUDED_GPUFFT_HOST_ZOOM_CASES_H
#define INCLUDED_GPUFFT_HOST_ZOOM_CASES_H

#include "recipe_case.h"
#include <vector>

namespace gr {
namespace gpufft {

// Fewer bins than samples and more, every step of load and store, both precisions.
std::vector<recipe_case> host_zoom_cases();

} // namespace gpufft
} // namespace gr

#endif
