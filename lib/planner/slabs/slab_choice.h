// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whether a problem is computed on the card as a whole, or goes through it in slabs.

#ifndef INCLUDED_GPUFFT_SLAB_CHOICE_H
#define INCLUDED_GPUFFT_SLAB_CHOICE_H

#include "planner/card.h"
#include <gnuradio/gpufft/problem.h>

namespace gr {
namespace gpufft {

// True if one frame with its row and the scratch of any recipe may not fit card_bytes,
// or if no kernel computes the problem as a whole; and if slabs can do it.
bool needs_slabs(const problem& what, const device_traits& card, std::size_t card_bytes);

// Why neither the card as a whole nor slabs compute the problem; empty if one does.
std::string
card_obstacle(const problem& what, const device_traits& card, std::size_t card_bytes);

// Estimated seconds for `frames` frames in slabs, from the bytes that cross the link, and
// on the CPU.
double slab_seconds(const problem& what,
                    std::size_t card_bytes,
                    std::size_t cards,
                    std::size_t frames);
double cpu_seconds(const problem& what, std::size_t frames, int threads);

} // namespace gpufft
} // namespace gr

#endif
