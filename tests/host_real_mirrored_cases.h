// SPDX-License-Identifier: GPL-3.0-or-later
//
// Real transforms by kernels/real/real_mirrored.cuh that the host engine's kernels are
// built for.

#ifndef INCLUDED_GPUFFT_HOST_REAL_MIRRORED_CASES_H
#define INCLUDED_GPUFFT_HOST_REAL_MIRRORED_CASES_H

#include "recipe_case.h"
#include <vector>

namespace gr {
namespace gpufft {

std::vector<recipe_case> host_real_mirrored_cases();

} // namespace gpufft
} // namespace gr

#endif
