// SPDX-License-Identifier: GPL-3.0-or-later
//
// How a frame is cut into slabs: the split of its axes, and the factors of a single one.

#ifndef INCLUDED_GPUFFT_SLAB_LAYOUT_H
#define INCLUDED_GPUFFT_SLAB_LAYOUT_H

#include <cstddef>
#include <gnuradio/gpufft/problem.h>
#include <vector>

namespace gr {
namespace gpufft {

struct slab_layout {
    std::size_t buffer_bytes = 0;

    // The leading axes are transformed as columns of a matrix with `leading` rows, the
    // others as its rows. With one axis both are empty, or `trailing_is_long`.
    std::vector<std::size_t> leading_axes, trailing_axes;

    // The one axis, or the last one if it is too long for a slab: n = first * second, or
    // in place first * middle * first.
    std::size_t n = 0; // 0: no axis is divided
    std::size_t first = 1, second = 1, middle = 0;
};

// The layout for so many bytes on the card; buffer_bytes is 0 if there is none.
slab_layout
choose_slab_layout(const problem& what, std::size_t card_bytes, bool in_place);

} // namespace gpufft
} // namespace gr

#endif
