// SPDX-License-Identifier: GPL-3.0-or-later
//
// The filters of a bank (problem::is_channel_bank) for overlap-save: parts of L samples,
// whose spectra are folded into L / hop bins.

#ifndef INCLUDED_GPUFFT_CHANNEL_RESPONSE_H
#define INCLUDED_GPUFFT_CHANNEL_RESPONSE_H

#include <complex>
#include <cstddef>
#include <cstdint>
#include <gnuradio/gpufft/problem.h>
#include <vector>

namespace gr {
namespace gpufft {

// exp(-j 2 pi phase / 2^64)
std::complex<double> turned_back(std::uint64_t phase);

// Filter `channel` of the window, shifted by `step` / 2^64 turns per sample, for a cyclic
// convolution of `length` points: tap k is at time k - (taps - 1).
std::vector<std::complex<double>> cyclic_channel(const problem& what,
                                                 const std::vector<double>& window,
                                                 std::size_t channel,
                                                 std::uint64_t step,
                                                 std::size_t length);

// The zones of a response, of `points` bins each, without the weakest ones, which
// together have less than 2^-54 of its energy, below the rounding of single precision.
std::vector<std::size_t>
zones_that_matter(const std::vector<std::complex<double>>& response, std::size_t points);

// The part length with the lowest estimated time for a row on a CPU, a multiple of the
// hop.
std::size_t channel_length(const problem& what);

} // namespace gpufft
} // namespace gr

#endif
