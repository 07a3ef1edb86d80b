// SPDX-License-Identifier: GPL-3.0-or-later
//
// The problems for which a stream's plans are made.

#ifndef INCLUDED_GPUFFT_STREAM_BATCH_H
#define INCLUDED_GPUFFT_STREAM_BATCH_H

#include <cstddef>
#include <gnuradio/gpufft/problem.h>

namespace gr {
namespace gpufft {

// The number of frames that fill a GPU.
inline std::size_t frames_of_stream(std::size_t fft_size)
{
    constexpr std::size_t POINTS = std::size_t(1) << 22;
    return (POINTS + fft_size - 1) / fft_size;
}

// The problem of a real transform. Frames of odd length stand alone: if two shared a
// complex vector, the bits of each would depend on what else is in its chunk.
inline problem real_problem_of_stream(transform_kind kind, std::size_t n)
{
    problem what = problem::make(kind, { n }, frames_of_stream(n));
    what.alone = n % 2 != 0;
    return what;
}

} // namespace gpufft
} // namespace gr

#endif
