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

// Lines in groups of one call of FFTW, and those that are left. A line has the same bits
// at every place of a group and among those that are left, so that it does not matter
// where a stream was cut.
template <class T>
class fftw_groups
{
public:
    // Of up to so many lines, whose input is preserved.
    fftw_groups(transform_kind kind, direction dir, std::size_t n, std::size_t group);

    std::size_t group() const { return d_group; }

    // How many of the lines that are left execute() takes next.
    std::size_t together(std::size_t left) const;

    // Whether execute() reads and writes a whole group for so many lines, 1 ... group():
    // FFTW would compute them in another way alone.
    bool pads(std::size_t lines) const { return d_pads && lines < d_group; }

    // As fftw_lines::execute(), of together() lines.
    void execute(const void* input, void* output, std::size_t lines) const;

    // For lines that never come in groups.
    const fftw_lines<T>& single() const { return d_single; }

private:
    std::size_t d_group;
    bool d_pads = false;
    fftw_lines<T> d_single;
    std::unique_ptr<fftw_lines<T>> d_grouped; // if a group is more than a line
};

} // namespace gpufft
} // namespace gr

#endif
