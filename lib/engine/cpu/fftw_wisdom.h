// SPDX-License-Identifier: GPL-3.0-or-later
//
// FFTW's wisdom (measured plans) kept from run to run in cache_directory(): fftwf_wisdom
// in single precision, fftw_wisdom in double. A file that is missing, damaged or not
// writable is no error: plans are then measured again.

#ifndef INCLUDED_GPUFFT_FFTW_WISDOM_H
#define INCLUDED_GPUFFT_FFTW_WISDOM_H

namespace gr {
namespace gpufft {

class planner_lock;

// Puts the file's wisdom before FFTW's own of precision T, once for each path in a
// process.
template <class T>
void load_wisdom(const planner_lock&);

// Adds FFTW's wisdom of precision T to the file. Of a problem that another process has
// measured since, its entry stays in the file, and becomes FFTW's.
template <class T>
void save_wisdom(const planner_lock&);

} // namespace gpufft
} // namespace gr

#endif
