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

// More than 30 slabs in a sweep of 8 GiB, so that filling and draining the pipeline takes
// little of it.
constexpr std::size_t USUAL_BUFFER = std::size_t(256) << 20;

// Copies over the link of runs of memory that lie apart: an H200 with PCIe 5 uploads 30
// GB/s in runs of 4 KiB, 44 of 8 or 16 KiB, 52 of 32 KiB, 55 of 64 KiB and in one.
constexpr std::size_t LONG_RUN = std::size_t(32) << 10;

// What an array that lies on cards asks of its slabs.
struct slab_cuts {
    std::size_t buffer_bytes = USUAL_BUFFER; // of a slab, unless the problem needs more
    std::size_t run_bytes = LONG_RUN;    // or so much of each row, if the card has room
    std::size_t cards = 0;               // all have as many columns; 0: no matter
    std::vector<std::size_t> first_axis; // no rows go beyond these; in order
    std::vector<std::size_t> columns;    // of bins: the same of the slabs' columns
    bool turned = false; // rows are stored as columns, where columns lie as rows
    bool whole = false;  // each card keeps the points where they are in the whole matrix
};

// The card that has a column, where `columns` says that.
int card_of_column(const slab_cuts& cuts, std::size_t column);

struct slab_layout {
    std::size_t buffer_bytes = 0;

    // The leading axes are transformed as columns of a matrix with `leading` rows, the
    // others as its rows. Of one axis both are empty; if the last one of several is too
    // long for a slab, the trailing axes are.
    std::vector<std::size_t> leading_axes, trailing_axes;

    // The one axis, or the last one if it is too long for a slab: n = first * second, or
    // in place first * middle * first.
    std::size_t n = 0; // 0: no axis is divided
    std::size_t first = 1, second = 1, middle = 0;

    slab_cuts cuts;
};

// The layout for card_bytes on the card; buffer_bytes is 0 if there is none.
slab_layout choose_slab_layout(const problem& what,
                               std::size_t card_bytes,
                               bool in_place,
                               const slab_cuts& cuts = slab_cuts());

} // namespace gpufft
} // namespace gr

#endif
