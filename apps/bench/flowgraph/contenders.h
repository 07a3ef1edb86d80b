// SPDX-License-Identifier: GPL-3.0-or-later
//
// The blocks under test: ours, and GNU Radio's that do the same.

#ifndef INCLUDED_GPUFFT_BENCH_CONTENDERS_H
#define INCLUDED_GPUFFT_BENCH_CONTENDERS_H

#include "flowgraph_run.h"
#include "settings.h"

namespace gr {
namespace gpufft {

// Vectors of n complex samples in and out.
stream_shape vectors_of(int n, std::size_t buffer_bytes);

// Complex samples (floats, or interleaved 16-bit integers) in, one row of n floats out
// for `average` transforms.
stream_shape spectra_of(int n, int average, bool floats, std::size_t buffer_bytes);

// fft_vcc with a window, and without one `blocks` of them, forward and inverse in turn.
contender our_fft(const settings& wanted, int n, int threads);
contender our_chain(const settings& wanted, int n, int blocks);

// A user's kernel that multiplies vectors of n by a number, alone or, between_ffts, after
// an FFT and before its inverse.
contender own_kernel(const settings& wanted, int n, bool between_ffts);

// One block on each of the cards.
contender our_relay(const settings& wanted, int n);
contender stock_fft(int n, bool window);

contender our_power_spectrum(const settings& wanted,
                             int n,
                             int average,
                             bool floats,
                             const std::string& mode);

// logpwrfft_c with the mean of `average` frames in each row.
contender our_logpwrfft(const settings& wanted, int n, int average);
contender stock_power_spectrum(int n, int average);

} // namespace gpufft
} // namespace gr

#endif
