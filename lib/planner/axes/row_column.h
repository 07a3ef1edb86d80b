// SPDX-License-Identifier: GPL-3.0-or-later
//
// Transforms of several axes, of any kind and lengths: one axis after the other. A recipe
// lists its parts in the order in which they run: transpositions, and transforms of the
// lines along an axis.

#ifndef INCLUDED_GPUFFT_ROW_COLUMN_H
#define INCLUDED_GPUFFT_ROW_COLUMN_H

#include "planner/algorithm.h"

namespace gr {
namespace gpufft {

algorithm row_column_algorithm();

} // namespace gpufft
} // namespace gr

#endif
