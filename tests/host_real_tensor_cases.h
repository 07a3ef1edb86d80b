// SPDX-License-Identifier: GPL-3.0-or-later
//
// Real transforms of several axes in one pass over memory.

#ifndef INCLUDED_GPUFFT_HOST_REAL_TENSOR_CASES_H
#define INCLUDED_GPUFFT_HOST_REAL_TENSOR_CASES_H

#include "recipe_case.h"
#include <vector>

namespace gr {
namespace gpufft {

std::vector<recipe_case> host_real_tensor_cases();

} // namespace gpufft
} // namespace gr

#endif
