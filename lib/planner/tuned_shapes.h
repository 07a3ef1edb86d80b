// SPDX-License-Identifier: GPL-3.0-or-later
//
// Shapes that were measured to be the fastest, for lengths that are often used.

#ifndef INCLUDED_GPUFFT_TUNED_SHAPES_H
#define INCLUDED_GPUFFT_TUNED_SHAPES_H

#include "recipe.h"

namespace gr {
namespace gpufft {

// The measured shape of length n, without its paddings; null if n was not measured.
const stockham_shape* tuned_shape(int n);

} // namespace gpufft
} // namespace gr

#endif
