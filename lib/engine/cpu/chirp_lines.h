// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lines whose bins lie at even steps of frequency, as convolutions with their chirp:
// zooms (zoom_chirp.h), and transforms of lengths that FFTW has no fast code for
// (Bluestein, "A linear filtering approach to the computation of the discrete Fourier
// transform", 1968). FFTW convolves: complex transforms of points + bins - 1 points or a
// few more, all lines in one call. Its own plan for a prime length transforms line after
// line, and allocates memory for each.

#ifndef INCLUDED_GPUFFT_CHIRP_LINES_H
#define INCLUDED_GPUFFT_CHIRP_LINES_H

#include "aligned_buffer.h"
#include <complex>
#include <gnuradio/gpufft/problem.h>
#include <memory>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

template <class T>
class fftw_lines;

template <class T>
class chirp_lines
{
public:
    // True for a c2c, r2c or c2r that is faster this way.
    static bool takes(transform_kind kind, std::size_t n);

    // Says so after the length in a description: " by a chirp of 160", or nothing.
    static std::string text(transform_kind kind, std::size_t n);

    // Throw as fftw_lines(). One line of a zoom, or `howmany` lines of a c2c, r2c or c2r.
    explicit chirp_lines(const problem& zoom);
    chirp_lines(transform_kind kind, direction dir, std::size_t n, std::size_t howmany);
    ~chirp_lines();

    // Real values of scratch that execute() needs, aligned for FFTW.
    std::size_t room() const { return 4 * d_lines * d_length; }

    // Transforms the lines, which have no gaps. Input and output need no alignment; they
    // may be the same for one line. Thread-safe.
    void execute(const void* input, void* output, T* room) const;

private:
    typedef std::complex<T> complex;
    typedef std::vector<std::complex<long double>> chirp;

    chirp_lines(std::size_t n,
                std::size_t bins,
                std::size_t howmany,
                transform_kind kind);
    void make(const chirp& of, const chirp& load);
    void load(const void* input, complex* points) const;
    void store(const complex* results, void* output) const;

    transform_kind d_kind;
    std::size_t d_n, d_bins, d_lines;
    std::size_t d_length;                             // points of the convolution
    std::unique_ptr<const fftw_lines<T>> d_transform; // forward
    aligned_buffer<complex> d_load, d_store; // chirp; d_load includes a zoom's carrier
    aligned_buffer<complex> d_filter;        // conjugate spectrum of the conjugate chirp,
                                             // divided by the length
};

} // namespace gpufft
} // namespace gr

#endif
