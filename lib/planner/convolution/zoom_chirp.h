// SPDX-License-Identifier: GPL-3.0-or-later
//
// The chirp of a zoom. With d the step of its frequencies in cycles per sample and
// c[m] = exp(-pi j d m^2), because m k = (m^2 + k^2 - (k - m)^2) / 2:
//     X[k] = c[k] sum_m (x[m] exp(-2 pi j f_start m) c[m]) conj(c[k - m])

#ifndef INCLUDED_GPUFFT_ZOOM_CHIRP_H
#define INCLUDED_GPUFFT_ZOOM_CHIRP_H

#include <complex>
#include <gnuradio/gpufft/problem.h>
#include <vector>

namespace gr {
namespace gpufft {

// c[m], m = 0 ... count-1.
std::vector<std::complex<long double>> zoom_chirp(const problem& what, std::size_t count);

// exp(-2 pi j f_start m), m = 0 ... n-1.
std::vector<std::complex<long double>> zoom_carrier(const problem& what);

} // namespace gpufft
} // namespace gr

#endif
