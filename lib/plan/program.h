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
// Frames without gaps and rows without gaps are those of the "strided" algorithm,
// `between` are those of "row-column".
enum class place {
    input,
    output,
    scratch_0,
    scratch_1,
    scratch_2,
    gathered,
    rows,
    between_0,
    between_1
};

constexpr int SCRATCH_PLACES = 7;

// Constant data: one of these, the others are empty. set_precision() rounds points to the
// kernels' precision.
struct table {
    std::vector<std::complex<float>> points;
    std::vector<std::complex<double>> double_points;
    std::vector<std::complex<long double>> exact_points;
    std::vector<int> indices;

    const void* data() const;
    std::size_t bytes() const;
};

// For launch_step::spectrum: what stands in the place of the window.
constexpr int OF_WINDOW = -2;

// One launch; its tables by their position in program::tables, -1 for none.
struct launch_step {
    kernel_instance kernel;
    place from = place::input;
    place to = place::output;
    std::size_t lines = 1;          // of each frame, which the step takes for frames, ...
    std::size_t lines_together = 1; // ... of which the kernel takes so many for one
    std::size_t rows = 1;       // of each of those, which the kernel takes for frames ...
    std::size_t row_points = 0; // ... of so many points, one after the other; 0: as the
                                // caller's frames lie
    int twiddles = -1;
    int more_twiddles = -1;
    int chirp = -1;
    int spectrum = -1;
    int order = -1;
    bool is_scaled = true;       // by the problem's factor; else by 1
    std::size_t more_frames = 0; // than the program's: later steps need them

    // Its lines in a launch for so many frames of the program.
    std::size_t all_lines(std::size_t frames) const
    {
        return (frames + more_frames) * lines;
    }

    // Frames that the kernel sees in that launch.
    std::size_t kernel_frames(std::size_t frames) const
    {
        return (all_lines(frames) + lines_together - 1) / lines_together * rows;
    }
};

struct program {
    std::vector<table> tables;
    std::vector<launch_step> steps;
    // of scratch_0, scratch_1, ..., for each frame
    std::size_t scratch_points[SCRATCH_PLACES] = {};
    std::size_t frames_together = 1; // so many share the scratch of one; launches begin
                                     // at a multiple
    std::size_t more_frames = 0;     // whose points a launch has beside its own
    std::size_t frames_at_once = 0;  // most frames of a launch; 0: any number

    bool is_double = false; // see set_precision()

    // Whatever it writes of a row, it has read of the frame: both may lie in one place.
    bool works_in_place = true;

    // Position of a table that holds these values; an equal one is shared.
    int add(std::vector<std::complex<float>> points);
    int add(std::vector<std::complex<double>> points);
    int add(std::vector<std::complex<long double>> points);
    int add(std::vector<int> indices);
    int add(const table& values);

    // Makes all kernels compute in this precision, and rounds their tables to it.
    void set_precision(bool is_double);

    std::size_t point_bytes() const { return is_double ? 16 : 8; }
};

// Most frames of a launch, of so many frames `hop` samples apart: lines of several frames
// are taken together only where the frames lie one after the other.
std::size_t frames_at_once(const std::vector<launch_step>& steps,
                           std::size_t frames,
                           std::size_t hop);

// Numbers as the kernels of a problem read them: float or double.
std::vector<unsigned char> in_working_precision(const problem& what,
                                                const std::vector<double>& numbers);

// The problem without its averages and detector: every frame's powers, unscaled, for
// average_kernel.
problem powers_of_frames(const problem& what);

// Blocks of a launch for this many frames (or units), whole clusters.
std::size_t blocks_of(const kernel_instance& kernel, std::size_t frames);

} // namespace gpufft
} // namespace gr

#endif
