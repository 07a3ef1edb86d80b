// SPDX-License-Identifier: GPL-3.0-or-later
//
// The truth that results are held against: what a problem means (problem.h), computed
// frame by frame in double precision, and in long double for problems in double.

#ifndef INCLUDED_GPUFFT_REFERENCE_DFT_H
#define INCLUDED_GPUFFT_REFERENCE_DFT_H

#include "reference_transform.h"
#include <cstdint>
#include <gnuradio/gpufft/problem.h>
#include <iosfwd>
#include <vector>

namespace gr {
namespace gpufft {

// Bytes of random samples in the problem's input format: 64- and 32-bit floats uniform in
// -1 ... 1, 16-bit floats of all magnitudes below 1, integers over their whole range.
std::vector<std::uint8_t>
random_samples(const problem& what, std::size_t samples, unsigned seed = 1);

std::vector<float> random_window(std::size_t n, unsigned seed = 2);

// X[k] of one frame at `frame` (in the problem's format and strides), which a running
// problem has at `position` of the stream; window and shifts applied, scale not. Bins in
// C order.
spectrum reference_frame(const problem& what,
                         const std::uint8_t* frame,
                         const std::vector<float>& window,
                         std::size_t position = 0);

// All output rows of `frames` frames from the start of a stream; power and decibel rows
// have imaginary part 0.
std::vector<spectrum> reference_rows(const problem& what,
                                     const std::vector<std::uint8_t>& input,
                                     const std::vector<float>& window,
                                     std::size_t frames);

// sqrt(sum |actual - expected|^2 / sum |expected|^2) over all rows, which `actual` holds
// in the problem's output format, strides and distance. Decibels are compared as powers.
// What rounding to a stored 16- or 8-bit format explains, half a unit in the last place,
// does not count. NaN if either side holds one.
double relative_error(const problem& what,
                      const void* actual,
                      const std::vector<spectrum>& expected);

// The bound on it: eps sqrt(log2 n) for the transform (cosine and sine transforms are
// DFTs of 4 n points along each axis, most of them zero or equal), eps more for each
// rounding of the load and store steps; twice that for powers, and the accuracy of a
// float near 400 for decibels. eps is 2^-53 in double precision, else 2^-24.
double error_bound(const problem& what, double factor = 1.0);

// The least and the most integers of these rows that plan::saturated() may count: a float
// error of 1e-4 may decide.
std::pair<std::uint64_t, std::uint64_t>
saturated_range(const problem& what, const std::vector<spectrum>& expected);

// That factor for the GPU kernels: 1.6 for what they compute as a convolution (the
// lengths with a prime factor above 13, and Rader's and Bluestein's algorithms by name),
// else 1.
double kernel_error_factor(const problem& what);

// Google Test prints problems by their name.
void PrintTo(const problem& what, std::ostream* stream);

} // namespace gpufft
} // namespace gr

#endif
