// SPDX-License-Identifier: GPL-3.0-or-later
//
// How long the parts of a bank of filters are on a GPU, and into how many zones their
// spectra are folded.

#ifndef INCLUDED_GPUFFT_CHANNEL_ZONES_H
#define INCLUDED_GPUFFT_CHANNEL_ZONES_H

#include "algorithm.h"
#include <vector>

namespace gr {
namespace gpufft {

// Lengths of parts that are worth a try for so many zones, whose inverses have 2^k
// points, else 3 2^k or 5 2^k, whole lines of memory if they can: none if the taps are
// too many. An inverse must fit a block, the forward transform as well unless it
// `has_levels`.
std::vector<std::size_t> zone_lengths(const problem& what,
                                      std::size_t zones,
                                      bool has_levels,
                                      const device_traits& card);

// As many zones as parts are folded into: of the divisors of the hop that have radices
// the largest for which there are lengths; 0 if the taps are too many.
std::size_t choose_zones(const problem& what, bool has_levels, const device_traits& card);

// Taps that a bank may have with this hop.
std::size_t most_taps(problem what, const device_traits& card);

} // namespace gpufft
} // namespace gr

#endif
