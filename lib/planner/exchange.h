// SPDX-License-Identifier: GPL-3.0-or-later
//
// Bank conflicts of the exchanges through shared memory, counted, and the padding that
// avoids them, found by search.

#ifndef INCLUDED_GPUFFT_EXCHANGE_H
#define INCLUDED_GPUFFT_EXCHANGE_H

#include "recipe.h"

namespace gr {
namespace gpufft {

// Shared-memory cycles of all exchanges of a block, over those of conflict-free ones (>=
// 1). Shared memory serves a half warp's 8-byte elements in one cycle if they lie in 16
// different bank pairs.
double conflict_ratio(const stockham_shape& shape);

// Sets paddings, load_padding, store_padding and stride for the fewest conflicts, and
// conflicts to what is left of them.
void choose_paddings(stockham_shape& shape);

} // namespace gpufft
} // namespace gr

#endif
