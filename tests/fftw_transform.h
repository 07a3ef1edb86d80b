// SPDX-License-Identifier: GPL-3.0-or-later
//
// FFTW's complex transforms in single precision, for tests of the planner around them.

#ifndef INCLUDED_GPUFFT_FFTW_TRANSFORM_TEST_H
#define INCLUDED_GPUFFT_FFTW_TRANSFORM_TEST_H

#include "engine/cpu/fftw_transform.h"

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

} // namespace gpufft
} // namespace gr

#endif
