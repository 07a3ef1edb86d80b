// SPDX-License-Identifier: GPL-3.0-or-later
//
// The number of points in a thread pool's task, and in one call of FFTW.

#ifndef INCLUDED_GPUFFT_TASK_SIZE_H
#define INCLUDED_GPUFFT_TASK_SIZE_H

#include <cstddef>

namespace gr {
namespace gpufft {

// About 4 to 10 us of work, while handing out a task takes about 0.2 us.
constexpr std::size_t POINTS_PER_TASK = 4096;

// Points of short transforms in one call of FFTW: 8 KiB in and out stay in the L1 cache.
constexpr std::size_t POINTS_PER_GROUP = 1024;

} // namespace gpufft
} // namespace gr

#endif
