// SPDX-License-Identifier: GPL-3.0-or-later
//
// The run-time arguments of the kernels, which are passed by value. Plain data that host
// code also includes.

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

// For every kernel that transforms; the kernel's comment names the members that it uses.
// The tables are those of lib/planner/program.h. The layout in memory is the same in both
// precisions.
struct transform_arguments {
    const void* input;
    void* output;
    const real* window;           // n taps, or null
    const complex* twiddles;      // see lib/planner/kernel_instance.h
    const complex* more_twiddles; // twiddles of a second shape
    const complex* chirp;         // Bluestein's chirp, or the roots of a real transform
    const complex* spectrum;      // spectrum of a convolution's filter
    const int* order;             // a permutation
    union {
        const double* kept; // [n] values of the group that a unit may continue
        // How many stored integers were beyond their range, see count_saturated().
        unsigned long long* saturated;
    };
    unsigned long long frames; // in this launch
    unsigned long long hop;    // samples from frame to frame

    // Launches of a launch_step: `average` is the exact number of lines, while `frames`
    // is rounded up to whole groups of lines. The kernel leaves out what the last group
    // lacks: real rows, outputs of a filter.
    // Polyphase banks: `position` is the stream position of frame 0; `slots` are those of
    // store_picked. stockham_power_kernel: unit u sums the frames of part u % parts of
    // row u / parts. A row has `average` frames; the first row already has
    // `frames_in_row` of them. A part is a group of `group` frames (see
    // kernels/frame_units.cuh). Unit u stores its partial sum at output + u * n floats.
    // There are units for all rows that the frames touch.
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

// The compiler keeps larger structs in memory if functions take them by reference: with
// 136 bytes, kernels at their register bound spill.
static_assert(sizeof(transform_arguments) <= 128, "too large to be kept in registers");

// For average_kernel.
struct average_arguments {
    // [rows_touched][parts][n], from stockham_power_kernel; with parts = 0 [frames][n],
    // the powers of every frame.
    const float* partial;
    float* output; // [rows finished][row_items], n written in each row
    // [n] state of the unfinished row, [2][n] with detect_kurtosis; read if frames_in_row
    // > 0.
    const double* sum;
    double* next_sum;   // for the next launch, written if a row stays unfinished
    const double* kept; // like `sum`, for the row's current group
    double* next_kept;  // `kept` of the next launch
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
    int first; // 1: `smoothed` is empty, and the first row starts it
};

// What a density counts: see density_grid in problem.h.
struct counted_grid {
    unsigned long long first, bins; // places in a row
    unsigned long long columns;     // columns with bins, 1 ... bins
    unsigned levels;
    float scale;         // factor of the powers
    float slope, offset; // level = floor(log2(power scale) slope + offset)
};

// For density_kernel.
struct density_arguments {
    const float* powers; // [frames][n]
    const double* kept;  // [3][n], see average_arguments
    float* partial;      // [3][units][n]: the detector's value, the largest, the smallest
    unsigned* counts;    // [rows touched][cells], adds to columns * levels
    unsigned long long n, cells;
    unsigned long long frames, average, frames_in_row; // as in transform_arguments
    unsigned long long unit_count;
    power_units units;
    unsigned units_of_block; // units that a block takes one after the other
    int in_memory;           // 1: counts in `counts`; 0: counts in shared memory first
    counted_grid grid;
};

// For density_rows_kernel.
struct density_rows_arguments {
    const unsigned* counts; // [rows touched][cells]
    float* output;          // where the first row's cells begin
    const double* sum;      // [cells] of the unfinished row; read if frames_in_row > 0
    double* next_sum;       // for the next launch, written if a row stays unfinished
    unsigned long long cells, filled; // filled: floats of a row from its cells on
    unsigned long long row_items;     // floats from row to row
    unsigned long long frames, average, frames_in_row;
    float facts[4]; // follow the cells; then zeros
};

// See lib/engine/async_device.h.
struct stream_place {
    void* memory;
    unsigned long long items, start;
    unsigned item;
};

// For vectors_to_streams_kernel and streams_to_vectors_kernel.
struct streams_arguments {
    void* items; // [vectors][vector_items]
    const stream_place* places;
    unsigned long long vectors;
    unsigned long long begin; // item of every stream where vector 0 goes
    unsigned vector_items, streams;
    unsigned lead; // see stream_tile
};

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
