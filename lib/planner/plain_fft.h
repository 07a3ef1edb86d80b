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

// X[k] = sum_m x[m] exp(-2 pi j m k / n), any length; fast if all its factors are small.
// T is double or long double.
template <class T>
std::vector<std::complex<T>> plain_fft(std::vector<std::complex<T>> x);

} // namespace gpufft
} // namespace gr

#endif
