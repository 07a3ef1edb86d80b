// SPDX-License-Identifier: GPL-3.0-or-later
//
// A plain FFT in double precision, for the spectra that plans hold as tables.

#ifndef INCLUDED_GPUFFT_DOUBLE_FFT_H
#define INCLUDED_GPUFFT_DOUBLE_FFT_H

#include <complex>
#include <vector>

namespace gr {
namespace gpufft {

// exp(-2 pi j k / n) to the last bits of double, 0 <= k < n.
std::complex<double> root_of_unity(long k, long n);

// X[k] = sum_m x[m] exp(-2 pi j m k / n), any length; fast if all its factors are small.
std::vector<std::complex<double>> double_fft(std::vector<std::complex<double>> x);

} // namespace gpufft
} // namespace gr

#endif
