// SPDX-License-Identifier: GPL-3.0-or-later
//
// The zoom of lines as a convolution with its chirp (zoom_chirp.h), by FFTW's complex
// transforms of n + bins - 1 points or a few more.

#ifndef INCLUDED_GPUFFT_ZOOM_LINES_H
#define INCLUDED_GPUFFT_ZOOM_LINES_H

#include "aligned_buffer.h"
#include "fftw_transform.h"
#include <complex>

namespace gr {
namespace gpufft {

template <class T>
class zoom_lines
{
public:
    // Throws as fftw_lines().
    explicit zoom_lines(const problem& what);

    // Real values of scratch that execute() needs.
    std::size_t room() const { return 4 * d_length; }

    // Transforms one line of n points to its bins, both complex. Input and output need no
    // alignment and may be the same. Thread-safe.
    void execute(const T* input, T* output, T* room) const;

private:
    typedef std::complex<T> complex;

    std::size_t d_n, d_bins, d_length; // d_length: points of the convolution
    fftw_lines<T> d_forward, d_inverse;
    aligned_buffer<complex> d_load, d_store; // chirp; d_load includes the carrier
    aligned_buffer<complex> d_spectrum;      // of the conjugate chirp, divided by the
                                             // length
};

} // namespace gpufft
} // namespace gr

#endif
