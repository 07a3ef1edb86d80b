// SPDX-License-Identifier: GPL-3.0-or-later
//
// RAII around FFTW's plans for contiguous transforms of one axis, of any kind in either
// precision.

#ifndef INCLUDED_GPUFFT_FFTW_TRANSFORM_H
#define INCLUDED_GPUFFT_FFTW_TRANSFORM_H

#include "fftw_planner.h"
#include <complex>
#include <gnuradio/gpufft/problem.h>
#include <memory>
#include <type_traits>

namespace gr {
namespace gpufft {

// `howmany` transforms of n points each, out of place, one right behind the other; input
// is preserved unless it need not be. Lines of r2c have n/2+1 complex bins, those of c2r
// read as many.
template <class T>
class fftw_lines
{
public:
    // Planned as make_fftw_plan() says. FFTW may be faster where it may spoil the input.
    // Throws std::runtime_error if FFTW makes no plan.
    fftw_lines(transform_kind kind,
               direction dir,
               std::size_t n,
               std::size_t howmany,
               bool preserves_input = true);

    // T or std::complex<T>, as the kind has them. Both pointers must be is_aligned() and
    // must not overlap. Thread-safe.
    void execute(const void* input, void* output) const;

    // True if FFTW's SIMD code can use this address.
    static bool is_aligned(const void* pointer);

private:
    typedef typename fftw_library<T>::plan plan;
    struct deleter {
        void operator()(plan what) const;
    };

    transform_kind d_kind;
    std::unique_ptr<std::remove_pointer_t<plan>, deleter> d_plan;
};

// Complex transforms in single precision.
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
