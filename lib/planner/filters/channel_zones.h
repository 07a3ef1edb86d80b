// SPDX-License-Identifier: GPL-3.0-or-later
//
// The length of a channel bank's parts on a GPU, and the number of zones into which their
// spectra are folded.

#ifndef INCLUDED_GPUFFT_CHANNEL_ZONES_H
#define INCLUDED_GPUFFT_CHANNEL_ZONES_H

#include "planner/algorithm.h"
#include <vector>

namespace gr {
namespace gpufft {

// Part lengths worth trying for `zones` zones; none if there are too many taps. An
// inverse has 2^k points, else 3 2^k or 5 2^k, if possible in whole lines of memory. The
// inverse must fit a block, and so must the forward transform unless it `has_levels`.
std::vector<std::size_t> zone_lengths(const problem& what,
                                      std::size_t zones,
                                      bool has_levels,
                                      const device_traits& card);

// The number of zones into which parts are folded: the largest divisor of the hop that
// has radices and for which there are part lengths; 0 if there are too many taps.
std::size_t choose_zones(const problem& what, bool has_levels, const device_traits& card);

// The largest number of taps of a bank with this hop.
std::size_t most_taps(problem what, const device_traits& card);

} // namespace gpufft
} // namespace gr

#endif
