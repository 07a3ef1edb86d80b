// SPDX-License-Identifier: GPL-3.0-or-later
//
// Counts the bank conflicts of exchanges through shared memory, and searches for the
// padding that avoids them.

#ifndef INCLUDED_GPUFFT_EXCHANGE_H
#define INCLUDED_GPUFFT_EXCHANGE_H

#include "recipe.h"

namespace gr {
namespace gpufft {

// Shared-memory cycles of all exchanges of a block, divided by the cycles without
// conflicts (>= 1). Shared memory serves a half warp's 8-byte elements in one cycle if
// they lie in 16 different bank pairs.
double conflict_ratio(const stockham_shape& shape);

// Sets paddings, load_padding, store_padding and stride for the fewest conflicts, and
// `conflicts` to the resulting conflict_ratio().
void choose_paddings(stockham_shape& shape);

} // namespace gpufft
} // namespace gr

#endif
