// SPDX-License-Identifier: GPL-3.0-or-later
//
// Cuts the frames of several rows into units for the blocks of a launch.

#ifndef INCLUDED_GPUFFT_CUDA_UNIT_SPLIT_H
#define INCLUDED_GPUFFT_CUDA_UNIT_SPLIT_H

#include "planner/card.h"
#include <cstddef>

namespace gr {
namespace gpufft {

class device_context;
class kernel;

// How a launch divides the frames of its rows among units (see transform_arguments in
// kernels/arguments.cuh).
struct unit_split {
    std::size_t rows = 0;  // rows of the launch; the last one may be unfinished
    std::size_t parts = 0; // units per row
    std::size_t units() const { return rows * parts; }
};

// Frames per group (see problem/frame_groups.h) in rows of `average` frames. A launch of
// `batch` frames then has about `wanted` groups, which fill the card, or more if these
// groups would be too long.
std::size_t group_of(std::size_t batch, std::size_t average, std::size_t wanted);

// Splits `frames` frames into units. Rows have `average` frames, and the first row
// already has `frames_in_row`.
unit_split split_frames(std::size_t frames,
                        std::size_t average,
                        std::size_t frames_in_row,
                        std::size_t group);

// Upper bound on the units of any split of up to `frames` frames.
std::size_t most_units(std::size_t frames, std::size_t average, std::size_t group);

// Number of units with which the kernel fills the card a few times.
std::size_t units_that_fill(const device_context& context, const kernel& takes);

} // namespace gpufft
} // namespace gr

#endif
