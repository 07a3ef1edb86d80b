// SPDX-License-Identifier: GPL-3.0-or-later
//
// Frames of several rows, cut into units that the blocks of a launch take.

#ifndef INCLUDED_GPUFFT_CUDA_UNIT_SPLIT_H
#define INCLUDED_GPUFFT_CUDA_UNIT_SPLIT_H

#include <cstddef>

namespace gr {
namespace gpufft {

class device_context;
class kernel;

inline std::size_t divide_up(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

// How a launch shares the frames of its rows among units (see transform_arguments in
// kernels/arguments.cuh).
struct unit_split {
    std::size_t rows = 0;  // that the launch touches, the last one perhaps unfinished
    std::size_t parts = 0; // units of a row
    std::size_t group = 0; // frames of a part, at most
    std::size_t units() const { return rows * parts; }
};

// Splits `frames` frames, of rows of `average` frames the first of which already has
// `frames_in_row`, into about `wanted` units, which fill the card, or more where a unit
// would get too many frames.
unit_split split_frames(std::size_t frames,
                        std::size_t average,
                        std::size_t frames_in_row,
                        std::size_t wanted);

// Units that no split of up to `frames` frames exceeds.
std::size_t most_units(std::size_t frames, std::size_t average, std::size_t wanted);

// Units that fill the card a few times, of a kernel that takes them.
std::size_t units_that_fill(const device_context& context, const kernel& takes);

} // namespace gpufft
} // namespace gr

#endif
