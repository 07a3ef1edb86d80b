// SPDX-License-Identifier: GPL-3.0-or-later
//
// The problems with expressions that the host engine is built for.

#ifndef INCLUDED_GPUFFT_HOST_EXPRESSIONS_CASES_H
#define INCLUDED_GPUFFT_HOST_EXPRESSIONS_CASES_H

#include "recipe_case.h"
#include <vector>

namespace gr {
namespace gpufft {

// Every algorithm that loads samples or stores bins of one axis, every format of samples,
// and every function.
std::vector<recipe_case> host_expressions_cases();

} // namespace gpufft
} // namespace gr

#endif
