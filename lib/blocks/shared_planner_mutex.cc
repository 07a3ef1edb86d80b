// SPDX-License-Identifier: GPL-3.0-or-later
//
// The cpu engine plans under the same mutex as gr-fft: both use FFTW's one planner and
// its wisdom in this process.

#include "engine/cpu/fftw_transform.h"

#include <gnuradio/fft/fft.h>

namespace gr {
namespace gpufft {

// When the library is loaded, before any block makes a plan.
static const bool s_shared = (share_planner_mutex(gr::fft::planner::mutex()), true);

} // namespace gpufft
} // namespace gr
