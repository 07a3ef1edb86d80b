// SPDX-License-Identifier: GPL-3.0-or-later
//
// Makes the cpu engine plan under gr-fft's mutex, because both use the process's only
// FFTW planner and its wisdom.

#include "engine/cpu/fftw_transform.h"

#include <gnuradio/fft/fft.h>

namespace gr {
namespace gpufft {

// Runs when the library is loaded, before any block makes a plan.
static const bool s_shared = (share_planner_mutex(gr::fft::planner::mutex()), true);

} // namespace gpufft
} // namespace gr
