// SPDX-License-Identifier: GPL-3.0-or-later
//
// DCT and DST by FFTW's real and complex transforms, which use SIMD, unlike its own DCTs:
// types 2 and 3 by a real transform of n points and a rotation (Makhoul, "A Fast Cosine
// Transform in One and Two Dimensions", 1980), type 4 by a complex one of n/2 points,
// type 1 by the real transform of the whole period.

#ifndef INCLUDED_GPUFFT_COSINE_LINES_H
#define INCLUDED_GPUFFT_COSINE_LINES_H

#include "aligned_buffer.h"
#include "fftw_transform.h"

namespace gr {
namespace gpufft {

template <class T>
class cosine_lines
{
public:
    // True for kinds and lengths that are faster this way.
    static bool takes(transform_kind kind, std::size_t n);

    // The kind of FFTW's transform inside, and its points.
    static transform_kind inner_kind(transform_kind kind);
    static std::size_t inner_points(transform_kind kind, std::size_t n);

    // Throws as fftw_lines().
    cosine_lines(transform_kind kind, std::size_t n);

    // Real values of scratch that execute() needs.
    std::size_t room() const { return 2 * d_half_room; }

    // One line; input and output need no alignment and may be the same. Thread-safe.
    void execute(const T* input, T* output, T* room) const;

private:
    // Make FFTW's input from the line, and the line from FFTW's output.
    void load_alternating(const T* input, T* points) const;
    void load_rotated(const T* input, T* points) const;
    void load_halves(const T* input, T* points) const;
    void load_period(const T* input, T* points) const;
    void store_rotated(const T* bins, T* output) const;
    void store_alternating(const T* bins, T* output) const;
    void store_halves(const T* bins, T* output) const;
    void store_period(const T* bins, T* output) const;

    transform_kind d_kind;
    std::size_t d_n;
    bool d_is_sine;
    fftw_lines<T> d_lines;
    std::size_t d_half_room;
    aligned_buffer<T> d_cos, d_sin;           // rotation, for type 4 the one after the
                                              // transform
    aligned_buffer<T> d_load_cos, d_load_sin; // type 4: rotation before the transform
};

} // namespace gpufft
} // namespace gr

#endif
