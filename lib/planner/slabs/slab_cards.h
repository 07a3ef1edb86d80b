// SPDX-License-Identifier: GPL-3.0-or-later
//
// How a frame that lies on several cards is transformed: the sweeps of slab_sharing.h,
// whose slabs read and write the parts of the frame where they lie.

#ifndef INCLUDED_GPUFFT_SLAB_CARDS_H
#define INCLUDED_GPUFFT_SLAB_CARDS_H

#include "slab_parts.h"
#include "slab_program.h"

namespace gr {
namespace gpufft {

// Why a frame that lies on `cards` cards, each with card_bytes for the transform,
// cannot be transformed there; empty if it can.
std::string card_data_obstacle(const problem& what,
                               std::size_t card_bytes,
                               std::size_t cards,
                               bool transposed = false);

// The sweeps for one frame; input and output may be the same memory. `whole` is false
// where the cards turned out to have no room for a whole frame each: they keep their
// shares. Throws std::invalid_argument with the obstacle if there is one.
slab_program make_card_program(const problem& what,
                               std::size_t card_bytes,
                               std::size_t cards,
                               bool transposed = false,
                               bool whole = true);

// Bytes that the cards of such a program send to one another.
std::size_t exchanged_bytes(const slab_program& program);

} // namespace gpufft
} // namespace gr

#endif
