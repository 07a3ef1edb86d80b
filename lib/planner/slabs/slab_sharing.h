// SPDX-License-Identifier: GPL-3.0-or-later
//
// Keeps the points between two sweeps on the cards, where they fit: then they cross the
// link once there and once back, and several cards exchange them directly.

#ifndef INCLUDED_GPUFFT_SLAB_SHARING_H
#define INCLUDED_GPUFFT_SLAB_SHARING_H

#include "slab_program.h"

namespace gr {
namespace gpufft {

// The sweeps on `cards` cards, each with card_bytes. Where the cards together cannot
// keep the points, or several axes and factors take more than two sweeps, this is
// make_slab_program(), whose slabs the cards take in turns.
// `keeps` is false where the cards turned out to have too little memory. Of an array that
// lies on cards (`cuts` have their number) the points stay there, however many they are.
slab_program make_shared_program(const problem& what,
                                 std::size_t card_bytes,
                                 std::size_t cards,
                                 bool in_place,
                                 bool keeps = true,
                                 const slab_cuts& cuts = slab_cuts());

} // namespace gpufft
} // namespace gr

#endif
