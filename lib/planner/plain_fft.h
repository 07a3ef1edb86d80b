// SPDX-License-Identifier: GPL-3.0-or-later
//
// A plain FFT for the spectra that plans hold as tables: in double precision for kernels
// of single precision, in long double for those of double precision.

#ifndef INCLUDED_GPUFFT_PLAIN_FFT_H
#define INCLUDED_GPUFFT_PLAIN_FFT_H

#include <complex>
#include <vector>

namespace gr {
namespace gpufft {

// exp(-2 pi j k / n) to the last bits of T, 0 <= k < n. T is double or long double.
template <class T = double>
std::complex<T> root_of_unity(long k, long n);

// X[k] = sum_m x[m] exp(-2 pi j m k / n), any length; fast if all its factors are small.
template <class T>
std::vector<std::complex<T>> plain_fft(std::vector<std::complex<T>> x);

} // namespace gpufft
} // namespace gr

#endif
