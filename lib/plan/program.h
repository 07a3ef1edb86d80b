// SPDX-License-Identifier: GPL-3.0-or-later
//
// A program is what a plan runs: tables, scratch, and the launches in their order. Plain
// data, the same for the cuda and the host engine.

#ifndef INCLUDED_GPUFFT_PROGRAM_H
#define INCLUDED_GPUFFT_PROGRAM_H

#include "kernel_instance.h"
#include <complex>
#include <cstddef>
#include <vector>

namespace gr {
namespace gpufft {

// What a launch reads or writes: the caller's memory, or the plan's scratch.
enum class place { input, output, scratch_0, scratch_1, scratch_2 };

constexpr int SCRATCH_PLACES = 3;

// Constant data; one of the two is empty.
struct table {
    std::vector<std::complex<float>> points;
    std::vector<int> indices;
};

// One launch; its tables by their position in program::tables, -1 for none.
struct launch_step {
    kernel_instance kernel;
    place from = place::input;
    place to = place::output;
    std::size_t rows = 1;       // of each frame, which the kernel takes for frames ...
    std::size_t row_points = 0; // ... of so many points, one after the other; 0: as the
                                // caller's frames lie
    int twiddles = -1;
    int more_twiddles = -1;
    int chirp = -1;
    int spectrum = -1;
    int order = -1;
};

struct program {
    std::vector<table> tables;
    std::vector<launch_step> steps;
    // of scratch_0, scratch_1 and scratch_2, for each frame
    std::size_t scratch_points[SCRATCH_PLACES] = {};
    std::size_t frames_together = 1; // that the kernels take for one
    std::size_t ring_points = 0;    // of transform_arguments::scratch, for a whole launch
    std::size_t counters = 0;       // of transform_arguments::counters, for each frame
    std::size_t more_counters = 0;  // ... and for each launch
    std::size_t frames_at_once = 0; // most frames of a launch; 0: any number

    // Position of a table that holds these points; an equal one is shared.
    int add(std::vector<std::complex<float>> points);
    int add(std::vector<int> indices);
};

// The problem without its averages: every frame's powers, unscaled, for average_kernel.
problem powers_of_frames(const problem& what);

// Blocks of a launch for this many frames (or units).
std::size_t blocks_of(const kernel_instance& kernel, std::size_t frames);

} // namespace gpufft
} // namespace gr

#endif
