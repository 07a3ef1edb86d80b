// SPDX-License-Identifier: GPL-3.0-or-later
//
// The transforms of several axes, one after the other, that the host engine is built for.

#ifndef INCLUDED_GPUFFT_HOST_ROW_COLUMN_CASES_H
#define INCLUDED_GPUFFT_HOST_ROW_COLUMN_CASES_H

#include "recipe_case.h"
#include <vector>

namespace gr {
namespace gpufft {

// Every kind, with axes of one point, odd, even and prime ones, and every step of load
// and store.
std::vector<recipe_case> host_row_column_cases();

} // namespace gpufft
} // namespace gr

#endif
