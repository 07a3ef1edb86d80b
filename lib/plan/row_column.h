// SPDX-License-Identifier: GPL-3.0-or-later
//
// Transforms of several axes, of any kind and lengths: one axis after the other. The
// parts of a recipe are in the order in which they run: transpositions, and recipes of
// the lines along one axis.

#ifndef INCLUDED_GPUFFT_ROW_COLUMN_H
#define INCLUDED_GPUFFT_ROW_COLUMN_H

#include "algorithm.h"

namespace gr {
namespace gpufft {

algorithm row_column_algorithm();

// A part that transposes frames of lengths[0] x lengths[1] items; with one row it copies
// them, which is how a window comes to the samples where nothing is transposed first.
bool is_transposition(const recipe& part);

} // namespace gpufft
} // namespace gr

#endif
