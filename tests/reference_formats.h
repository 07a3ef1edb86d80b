// SPDX-License-Identifier: GPL-3.0-or-later
//
// Numbers in the formats that samples come and bins are stored in.

#ifndef INCLUDED_GPUFFT_REFERENCE_FORMATS_H
#define INCLUDED_GPUFFT_REFERENCE_FORMATS_H

#include <complex>
#include <cstddef>
#include <gnuradio/gpufft/problem.h>

namespace gr {
namespace gpufft {

// Sample i; the imaginary part of a real one is 0.
std::complex<long double>
sample_at(sample_format format, const void* samples, std::size_t i);

// Real part i of what is stored in this format.
double number_at(number_format format, bool is_double, const void* values, std::size_t i);

// Distance of two neighbouring integers, and the largest one; full scale is 1.
long double step_of(number_format format);
long double largest(number_format format);

// |actual - expected| as far as rounding to the format does not explain it.
long double excess(number_format format, long double actual, long double expected);

} // namespace gpufft
} // namespace gr

#endif
