// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which part of a frame each card has, and how slabs keep to these parts.

#ifndef INCLUDED_GPUFFT_SLAB_PARTS_H
#define INCLUDED_GPUFFT_SLAB_PARTS_H

#include "slab_layout.h"

namespace gr {
namespace gpufft {

// A frame and its row lie on the cards in parts of the first axis, the points or bins if
// there is only one. Of `rows` rows on k cards the first rows % k parts have one more
// than the others, as in numpy.array_split. If they are `transposed` (plan_options), the
// bins are split along the second axis.
struct card_parts {
    std::size_t rows_in = 0, rows_out = 0; // along the axis that is split
    // Samples of a frame and bins of a row on each card.
    std::vector<std::size_t> input, output;
};

card_parts
parts_on_cards(const problem& what, std::size_t cards, bool transposed = false);

// Whether the row has the bins, or the frame.
bool has_bins_in_rows(const problem& what);

// Most points from the first to the last one that a kernel reads or writes: kernels count
// in 32 bits.
constexpr std::size_t LONGEST_SPAN_ON_CARDS = MAX_FFT_SIZE;

// The cuts for `cards` cards, each with card_bytes for the transform.
slab_cuts cuts_on_cards(const problem& what,
                        std::size_t card_bytes,
                        std::size_t cards,
                        bool transposed);

} // namespace gpufft
} // namespace gr

#endif
