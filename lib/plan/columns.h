// SPDX-License-Identifier: GPL-3.0-or-later
//
// Transforms whose rows are stored side by side, as channelisers want them, or along an
// axis that is not the last one.

#ifndef INCLUDED_GPUFFT_COLUMNS_H
#define INCLUDED_GPUFFT_COLUMNS_H

#include "algorithm.h"

namespace gr {
namespace gpufft {

algorithm columns_algorithm();

// What candidates() and cost() are asked for lines that lie side by side in matrices of
// `width` columns.
problem problem_of_columns(problem line, std::size_t width);

// Its program for those, `columns` of them in each frame. A launch step takes them all
// for frames, but the caller's frames still lie where they lie.
program build_columns(const problem& line,
                      std::size_t width,
                      std::size_t columns,
                      const recipe& how);

} // namespace gpufft
} // namespace gr

#endif
