// SPDX-License-Identifier: GPL-3.0-or-later
//
// The run-time arguments of the kernels, one struct for each, passed by value. Plain data
// that the host code includes too.

#ifndef INCLUDED_GPUFFT_KERNELS_ARGUMENTS_CUH
#define INCLUDED_GPUFFT_KERNELS_ARGUMENTS_CUH

#include "precision.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// How stockham_power_kernel divides frames: see transform_arguments.
struct power_units {
    unsigned group;
    unsigned parts;
};

// For every kernel that transforms; each uses what it names in its comment. The tables
// are those of lib/planner/program.h. The layout in memory is the same in both
// precisions.
struct transform_arguments {
    const void* input;
    void* output;
    const real* window;           // n taps, or null
    const complex* twiddles;      // see lib/planner/kernel_instance.h
    const complex* more_twiddles; // of a second shape
    const complex* chirp;         // of Bluestein's algorithm
    const complex* spectrum;      // of the filter of a convolution
    const int* order;             // a permutation
    const double* kept;           // [n] values of the group that a unit may continue
    unsigned long long frames;    // in this launch
    unsigned long long hop;       // samples from frame to frame

    // Real transforms: `average` is the number of rows.
    // Filter banks: `position` is where frame 0 begins in the stream; `slots` are those
    // of store_picked.
    // stockham_power_kernel: unit u sums the frames of part u % parts of row u / parts.
    // A row has `average` frames; the first row already has `frames_in_row` of them. A
    // part is a group of `group` frames (see kernels/frame_units.cuh). Unit u stores its
    // partial sum at output + u * n floats, for all rows that the frames touch.
    unsigned long long average;
    union {
        unsigned long long frames_in_row;
        unsigned long long position;
    };
    union {
        power_units units;
        const int* slots;
    };

    // Factor on X (complex) or |X|^2 (power), see scale_of(): in single and in double
    // precision.
    union {
        float scale;
        double double_scale;
    };
};

// The compiler keeps larger structs in memory when functions take them by reference: with
// 136 bytes, kernels at their register bound spill.
static_assert(sizeof(transform_arguments) <= 128, "too large to be kept in registers");

// For average_kernel.
struct average_arguments {
    // [rows_touched][parts][n], from stockham_power_kernel; with parts = 0 [frames][n],
    // the powers of every frame.
    const float* partial;
    float* output; // [rows finished][row_items], of which n are written
    // [n] state of the unfinished row, with detect_kurtosis [2][n]; read if frames_in_row
    // > 0.
    const double* sum;
    double* next_sum;   // the same for the next launch, written if a row stays unfinished
    const double* kept; // as `sum`, for the row's open group
    double* next_kept;  // the same for the next launch
    float* smoothed;    // [n] previous row, read and written; or null
    unsigned long long n;
    unsigned long long row_items; // floats from row to row
    unsigned long long frames;    // as in transform_arguments
    unsigned long long average;
    unsigned long long frames_in_row;
    unsigned long long parts;
    unsigned long long group; // frames of a part, with parts > 0
    float scale;
    float smoothing;
    // 0: smoothed by `smoothing`; 1: holds the largest power; -1: the smallest.
    int hold;
    int first; // 1: smoothed is empty, the first row starts it
};

// What a density counts: see density_grid in problem.h.
struct counted_grid {
    unsigned long long first, bins; // places in a row
    unsigned long long columns;     // that have bins, 1 ... bins
    unsigned levels;
    float scale;         // of the powers
    float slope, offset; // level = floor(log2(power scale) slope + offset)
};

// For density_kernel.
struct density_arguments {
    const float* powers; // [frames][n]
    const double* kept;  // [3][n], see average_arguments
    float* partial;      // [3][units][n]: Detector's value, largest, smallest
    unsigned* counts;    // [rows touched][cells], adds to columns * levels
    unsigned long long n, cells;
    unsigned long long frames, average, frames_in_row; // as in transform_arguments
    unsigned long long unit_count;
    power_units units;
    unsigned units_of_block; // which a block does in turn
    int in_memory;           // 1: counts in `counts`, 0: first in shared memory
    counted_grid grid;
};

// For density_rows_kernel.
struct density_rows_arguments {
    const unsigned* counts; // [rows touched][cells]
    float* output;          // where the first row's cells begin
    const double* sum;      // [cells] of the unfinished row; read if frames_in_row > 0
    double* next_sum;       // for the next launch, written if a row stays unfinished
    unsigned long long cells, filled; // filled: floats of a row from its cells on
    unsigned long long row_items;     // from row to row
    unsigned long long frames, average, frames_in_row;
    float facts[4]; // behind the cells; then zeros
};

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
