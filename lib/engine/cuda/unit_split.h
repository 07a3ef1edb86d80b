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
    std::size_t units() const { return rows * parts; }
};

// Frames of a group (see plan/frame_groups.h) in rows of `average`: so many that a launch
// of `batch` frames has about `wanted` groups, which fill the card, or fewer where a
// group would get too many frames.
std::size_t group_of(std::size_t batch, std::size_t average, std::size_t wanted);

// Splits `frames` frames, of rows of `average` frames the first of which already has
// `frames_in_row`, into their groups.
unit_split split_frames(std::size_t frames,
                        std::size_t average,
                        std::size_t frames_in_row,
                        std::size_t group);

// Units that no split of up to `frames` frames exceeds.
std::size_t most_units(std::size_t frames, std::size_t average, std::size_t group);

// Units that fill the card a few times, of a kernel that takes them.
std::size_t units_that_fill(const device_context& context, const kernel& takes);

} // namespace gpufft
} // namespace gr

#endif
