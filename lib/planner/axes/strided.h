// SPDX-License-Identifier: GPL-3.0-or-later
//
// Problems whose samples or bins lie apart: packs and unpacks them around any algorithm
// for samples without gaps.

#ifndef INCLUDED_GPUFFT_STRIDED_H
#define INCLUDED_GPUFFT_STRIDED_H

#include "planner/algorithm.h"

namespace gr {
namespace gpufft {

algorithm strided_algorithm();

// The same problem with its rows one after the other in C order.
problem with_plain_rows(problem what);

// Where every bin of a row lies, in bins from its first one.
std::vector<std::size_t> places_of_bins(const problem& what);

} // namespace gpufft
} // namespace gr

#endif
