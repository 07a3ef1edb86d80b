// SPDX-License-Identifier: GPL-3.0-or-later
//
// FFTW's complex transforms in single precision, for tests of the planner around them.

#ifndef INCLUDED_GPUFFT_FFTW_TRANSFORM_TEST_H
#define INCLUDED_GPUFFT_FFTW_TRANSFORM_TEST_H

#include "engine/cpu/aligned_buffer.h"
#include "engine/cpu/fftw_transform.h"
#include <algorithm>
#include <complex>

namespace gr {
namespace gpufft {

class fftw_transform
{
public:
    typedef std::complex<float> complex;

    fftw_transform(std::size_t n, std::size_t howmany, direction dir)
        : d_lines(transform_kind::c2c, dir, n, howmany)
    {
    }
    void execute(const complex* input, complex* output) const
    {
        d_lines.execute(input, output);
    }
    static bool is_aligned(const void* pointer)
    {
        return fftw_lines<float>::is_aligned(pointer);
    }

private:
    fftw_lines<float> d_lines;
};

// The sum of n ones is bin 0.
inline float bin_zero_of_ones(const fftw_transform& transform, std::size_t n)
{
    const aligned_buffer<std::complex<float>> in(n), out(n);
    std::fill_n(in.data(), n, 1.0f);
    transform.execute(in.data(), out.data());
    return out[0].real();
}

} // namespace gpufft
} // namespace gr

#endif
