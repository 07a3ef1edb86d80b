// SPDX-License-Identifier: GPL-3.0-or-later
//
// Stores FFTW's output as a few lines anywhere in memory: applies scale, output shift or
// the map of picked bins, and converts to the stored format.

#ifndef INCLUDED_GPUFFT_LINE_STORE_H
#define INCLUDED_GPUFFT_LINE_STORE_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <gnuradio/gpufft/problem.h>
#include <vector>

namespace gr {
namespace gpufft {

// Integers that were beyond their range when stored; several threads count.
typedef std::atomic<std::uint64_t> saturation_count;

// Lines of n bins, `stride` bins apart.
struct line_target {
    number_format format;
    bool is_complex;
    std::size_t n;               // bins
    std::size_t stride;          // bins
    std::size_t rotation;        // bin k goes to (k + rotation) mod n
    const std::vector<int>* map; // or bin map[i] goes to i, unless this is null
    saturation_count* saturated; // or null
};

// Stores line g of `lines` (T or std::complex<T>, `pitch` bins after line g-1), times
// scale, from bin places[g] on. The lines may be these bins if stride is 1 and rotation
// 0.
template <class T>
void store_lines(const line_target& target,
                 const void* lines,
                 std::size_t pitch,
                 T scale,
                 void* bins,
                 const std::size_t* places,
                 std::size_t count);

// Stores numbers in a row in this format.
void store_numbers(number_format format,
                   const float* values,
                   std::size_t count,
                   void* stored,
                   saturation_count& saturated);

} // namespace gpufft
} // namespace gr

#endif
