// SPDX-License-Identifier: GPL-3.0-or-later
//
// The transforms that transform_kind names, of one frame's points: by FFTW, and by the
// sums that define them.

#ifndef INCLUDED_GPUFFT_REFERENCE_TRANSFORM_H
#define INCLUDED_GPUFFT_REFERENCE_TRANSFORM_H

#include <complex>
#include <gnuradio/gpufft/problem.h>
#include <vector>

namespace gr {
namespace gpufft {

typedef std::vector<std::complex<long double>> spectrum;

// problem::frame_samples() points in C order to problem::row_bins() bins in C order,
// unscaled, `orthogonal` included; real values have imaginary part 0. By FFTW, in long
// double for a problem in double precision, else in double; a zoom always by its sums.
spectrum reference_transform(const problem& what, const spectrum& points);

// The same in long double by the sums of problem.h along each axis, O(n^2).
spectrum direct_transform(const problem& what, const spectrum& points);

} // namespace gpufft
} // namespace gr

#endif
