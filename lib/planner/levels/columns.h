// SPDX-License-Identifier: GPL-3.0-or-later
//
// Transforms whose rows are stored side by side, as channelisers need them, and
// transforms along an axis that is not the last one.

#ifndef INCLUDED_GPUFFT_COLUMNS_H
#define INCLUDED_GPUFFT_COLUMNS_H

#include "planner/algorithm.h"

namespace gr {
namespace gpufft {

algorithm columns_algorithm();

// The problem to pass to candidates() and cost(), for lines that lie side by side in
// matrices of `width` columns.
problem problem_of_columns(problem line, std::size_t width);

// The program for such lines, `columns` of them in each frame. Its kernels count every
// line as a frame; the caller's frames lie as before.
program build_columns(const problem& line,
                      std::size_t width,
                      std::size_t columns,
                      const recipe& how);

} // namespace gpufft
} // namespace gr

#endif
