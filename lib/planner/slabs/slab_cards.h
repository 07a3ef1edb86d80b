// SPDX-License-Identifier: GPL-3.0-or-later
//
// How a frame that lies on several cards is transformed: the sweeps of slab_sharing.h,
// whose slabs read and write the parts of the frame where they lie.

#ifndef INCLUDED_GPUFFT_SLAB_CARDS_H
#define INCLUDED_GPUFFT_SLAB_CARDS_H

#include "slab_program.h"

namespace gr {
namespace gpufft {

// A frame and its row lie on the cards in parts of the first axis, the points or bins if
// there is only one. Of `rows` rows on k cards the first rows % k parts have one more
// than the others, as in numpy.array_split.
struct card_parts {
    std::size_t rows_in = 0, rows_out = 0; // along the first axis
    // Samples of a frame and bins of a row on each card.
    std::vector<std::size_t> input, output;
};

card_parts parts_on_cards(const problem& what, std::size_t cards);

// Why a frame that lies on so many cards, each with so many bytes for the transform,
// cannot be transformed there; empty if it can.
std::string
card_data_obstacle(const problem& what, std::size_t card_bytes, std::size_t cards);

// The sweeps for one frame; input and output may be the same memory. Throws
// std::invalid_argument with the obstacle if there is one.
slab_program
make_card_program(const problem& what, std::size_t card_bytes, std::size_t cards);

// Bytes that the cards of such a program send to one another.
std::size_t exchanged_bytes(const slab_program& program);

} // namespace gpufft
} // namespace gr

#endif
