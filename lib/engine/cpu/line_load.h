// SPDX-License-Identifier: GPL-3.0-or-later
//
// Makes FFTW's input from a few lines anywhere in memory: converts with full scale 1,
// applies window and input shift.

#ifndef INCLUDED_GPUFFT_LINE_LOAD_H
#define INCLUDED_GPUFFT_LINE_LOAD_H

#include <cstddef>
#include <gnuradio/gpufft/problem.h>

namespace gr {
namespace gpufft {

// Lines of n points, `stride` samples apart.
struct line_source {
    sample_format format;
    bool as_complex;      // real samples get imaginary part 0
    std::size_t n;        // points
    std::size_t stride;   // samples
    std::size_t rotation; // point i goes to (i + rotation) mod n
};

// The taps of line g, `stride` apart, begin at taps[places[g]].
template <class T>
struct line_window {
    const T* taps; // null if there is no window
    std::size_t stride;
    const std::size_t* places;
};

// Loads line g from sample places[g] on, times its window, and stores it in `lines`,
// `pitch` points after line g-1. T is float, or double for cf64 and f64; `lines` are T or
// std::complex<T>.
template <class T>
void load_lines(const line_source& source,
                const void* samples,
                const std::size_t* places,
                std::size_t count,
                const line_window<T>& window,
                void* lines,
                std::size_t pitch);

} // namespace gpufft
} // namespace gr

#endif
