// SPDX-License-Identifier: GPL-3.0-or-later
//
// RAII around FFTW's plans for contiguous transforms of one axis, of any kind in either
// precision. Lengths that FFTW is slow at are convolved with a chirp, by FFTW too.

#ifndef INCLUDED_GPUFFT_FFTW_TRANSFORM_H
#define INCLUDED_GPUFFT_FFTW_TRANSFORM_H

#include "chirp_lines.h"
#include "fftw_planner.h"
#include <complex>
#include <gnuradio/gpufft/problem.h>
#include <memory>
#include <type_traits>

namespace gr {
namespace gpufft {

// FFTW's name of a real to real kind. Throws std::logic_error for others.
fftw_r2r_kind r2r_kind(transform_kind kind);

// `howmany` contiguous transforms of n points each, out of place; the input is preserved
// unless the caller allows otherwise. Lines of r2c have n/2+1 complex bins as output, and
// lines of c2r as input.
template <class T>
class fftw_lines
{
public:
    // Planned as make_fftw_plan() says. FFTW may be faster if it may overwrite the input.
    // Throws std::runtime_error if FFTW makes no plan.
    fftw_lines(transform_kind kind,
               direction dir,
               std::size_t n,
               std::size_t howmany,
               bool preserves_input = true);

    // T or std::complex<T>, as the kind requires. Both pointers must be is_aligned() and
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
    std::unique_ptr<const chirp_lines<T>> d_chirp; // if set, replaces d_plan
};

// Transforms lines in groups, one call of FFTW each, and the lines that are left. A
// line's result is the same bit for bit at every place of a group and among the lines
// left, wherever a stream was cut.
template <class T>
class fftw_groups
{
public:
    // `group`: most lines per call of FFTW. The input is preserved.
    fftw_groups(transform_kind kind, direction dir, std::size_t n, std::size_t group);

    std::size_t group() const { return d_group; }

    // Number of lines that execute() takes next, of those left.
    std::size_t together(std::size_t left) const;

    // True if execute() reads and writes a whole group for `lines` lines, 1 ... group(),
    // because FFTW would compute fewer lines with another rounding.
    bool pads(std::size_t lines) const { return d_pads && lines < d_group; }

    // As fftw_lines::execute(), of together() lines.
    void execute(const void* input, void* output, std::size_t lines) const;

    // For lines that never come in groups.
    const fftw_lines<T>& single() const { return d_single; }

private:
    std::size_t d_group;
    bool d_pads = false;
    fftw_lines<T> d_single;
    std::unique_ptr<fftw_lines<T>> d_grouped; // if a group has several lines
};

} // namespace gpufft
} // namespace gr

#endif
