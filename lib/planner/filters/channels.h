// SPDX-License-Identifier: GPL-3.0-or-later
//
// Banks of filters for one stream, by overlap-save.

#ifndef INCLUDED_GPUFFT_CHANNELS_H
#define INCLUDED_GPUFFT_CHANNELS_H

#include "planner/algorithm.h"
#include <gnuradio/gpufft/plan.h>

namespace gr {
namespace gpufft {

algorithm channels_algorithm();

// The data that the kernels read instead of the filters' taps. `rotations` are those of
// running filters.
std::vector<unsigned char> make_window(const problem& what,
                                       const recipe& how,
                                       const std::vector<double>& window,
                                       const std::vector<plan::rotation>& rotations);

// Updates these bytes of running filters from the rotations `before` to others.
void turn_window(const problem& what,
                 const recipe& how,
                 const std::vector<double>& window,
                 const std::vector<plan::rotation>& before,
                 const std::vector<plan::rotation>& rotations,
                 std::vector<unsigned char>& bytes);

} // namespace gpufft
} // namespace gr

#endif
