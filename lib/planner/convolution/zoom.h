// SPDX-License-Identifier: GPL-3.0-or-later
//
// The zoom, for frames of any length.

#ifndef INCLUDED_GPUFFT_ZOOM_H
#define INCLUDED_GPUFFT_ZOOM_H

#include "planner/algorithm.h"

namespace gr {
namespace gpufft {

algorithm zoom_algorithm();

} // namespace gpufft
} // namespace gr

#endif
