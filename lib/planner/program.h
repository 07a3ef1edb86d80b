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

// What a launch reads or writes: the caller's memory, or the plan's scratch. `gathered`
// and `rows` hold the packed frames and rows of "strided"; `between_0` and `between_1`
// hold the items that one part of "row-column" passes to the next.
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

// Constant data: one of these vectors; the others are empty. set_precision() rounds
// points to the kernels' precision.
struct table {
    std::vector<std::complex<float>> points;
    std::vector<std::complex<double>> double_points;
    std::vector<std::complex<long double>> exact_points;
    std::vector<int> indices;

    const void* data() const;
    std::size_t bytes() const;
};

// For launch_step::spectrum: the kernel reads the plan's window instead of a table.
constexpr int OF_WINDOW = -2;

// One launch. Its tables are indices into program::tables, -1 for none.
//
// A launch for F frames of the problem covers F * lines lines; a frame is one line,
// except where a row-column recipe transforms the lines of a frame. Every
// `lines_together` lines become `group_frames` frames as the kernel counts them: two real
// rows become one complex vector, the outputs of an overlap-save part one part, a frame
// its rows.
struct launch_step {
    kernel_instance kernel;
    place from = place::input;
    place to = place::output;
    std::size_t lines = 1;          // lines in a frame of the program
    std::size_t lines_together = 1; // lines in a group
    std::size_t group_frames = 1;   // kernel frames that a group of lines becomes
    std::size_t row_points = 0;     // transform_arguments::hop; 0: the caller's
    int twiddles = -1;
    int more_twiddles = -1;
    int chirp = -1;
    int spectrum = -1;
    int order = -1;
    // False: the kernel gets scale 1. Only kernels that store results apply the scale.
    bool is_scaled = true;
    // Further frames that this step transforms, because a later step sums over them.
    std::size_t more_frames = 0;

    // Lines that a launch for `frames` frames of the program transforms.
    std::size_t all_lines(std::size_t frames) const
    {
        return (frames + more_frames) * lines;
    }

    // Frames that the kernel sees in that launch.
    std::size_t kernel_frames(std::size_t frames) const
    {
        return (all_lines(frames) + lines_together - 1) / lines_together * group_frames;
    }
};

struct program {
    std::vector<table> tables;
    std::vector<launch_step> steps;
    // Points in scratch_0, scratch_1, ..., for every frames_together frames.
    std::size_t scratch_points[SCRATCH_PLACES] = {};
    // Frames for which scratch_points are allocated once (the outputs of a part); a
    // launch begins at a multiple of it.
    std::size_t frames_together = 1;
    std::size_t more_frames = 0;    // frames of scratch beyond a launch's own
    std::size_t frames_at_once = 0; // largest number of frames in one launch; 0: no limit

    bool is_double = false; // see set_precision()

    // True if input and output may be the same memory: the program reads a frame's
    // samples before it overwrites them.
    bool works_in_place = true;

    // Adds a table with these values, unless there is one; returns its index.
    int add(std::vector<std::complex<float>> points);
    int add(std::vector<std::complex<double>> points);
    int add(std::vector<std::complex<long double>> points);
    int add(std::vector<int> indices);
    int add(const table& values);

    // Appends a step of another program, with the tables that the step reads.
    void take(launch_step step, const std::vector<table>& its_tables);

    // Makes all kernels compute in this precision, and rounds their tables to it.
    void set_precision(bool is_double);

    std::size_t point_bytes() const { return is_double ? 16 : 8; }
};

// The largest number of frames in one launch, if `frames` frames lie `hop` samples
// apart. A step takes the lines of several frames only if `hop` is exactly a frame's
// length: no gaps, no overlap.
std::size_t frames_allowed_by_hop(const std::vector<launch_step>& steps,
                                  std::size_t frames,
                                  std::size_t hop);

// Numbers as the kernels of a problem read them: float or double.
std::vector<unsigned char> in_working_precision(const problem& what,
                                                const std::vector<double>& numbers);

// The problem without its averages and detector: every frame's powers, unscaled, for
// average_kernel.
problem powers_of_frames(const problem& what);

// Blocks of a launch for `frames` frames (or units), rounded up to whole clusters.
std::size_t blocks_of(const kernel_instance& kernel, std::size_t frames);

} // namespace gpufft
} // namespace gr

#endif
