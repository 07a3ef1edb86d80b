// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where the tiles of the tensor algorithm's steps lie in memory: kernels/axes/tensor.cuh.

#ifndef INCLUDED_GPUFFT_TENSOR_STEPS_H
#define INCLUDED_GPUFFT_TENSOR_STEPS_H

#include "planner/recipe.h"
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

// A digit of a point's position in the frame, with `length` values. Consecutive values
// are in_stride points apart where the tile is read, and out_stride where it is written.
struct frame_digit {
    std::size_t length, in_stride, out_stride;
};

// One step. It transforms along whole axes, or along digit a of an axis of N = R M
// points, which has R values.
struct tensor_step {
    std::vector<frame_digit> tile; // its axes, slowest first, then its columns
    std::size_t axes = 0;          // number of axes in `tile`
    std::vector<frame_digit> grid; // digits that number the tiles of a frame
    // m > 1: the points are multiplied by roots of R M; consecutive b are `stride` points
    // apart
    std::size_t r = 1, m = 1, stride = 1;

    std::size_t elements() const;
    std::size_t tiles() const;
};

// One step of a cut: the lengths along its axes, slowest first, and its columns.
struct tensor_cut {
    std::vector<int> lengths;
    int columns = 1;
};

// The steps for axes of these lengths, last axes first. Throws std::invalid_argument if
// the cuts do not divide the axes.
std::vector<tensor_step> tensor_steps(const std::vector<std::size_t>& lengths,
                                      const std::vector<tensor_cut>& cuts);

// The steps of a recipe.
std::vector<tensor_step> tensor_steps(const recipe& how);

// Whether the fastest digits of the grid can make up `columns` columns.
bool has_columns(const tensor_step& step, std::size_t columns);

// Points that lie side by side in memory where the tile is read, or written.
std::size_t run_read(const tensor_step& step);
std::size_t run_written(const tensor_step& step);

// Offset in the frame of an element of the tile.
std::size_t read_at(const tensor_step& step, std::size_t element);
std::size_t written_at(const tensor_step& step, std::size_t element);

// In the notation of Gu, Li and Siegel, d(length, stride read, stride written, from, to)
// with I, S, C and O for input, scratch, shared memory of a cluster, and output:
// "tensor(256x256: {d(16,4096,4096,I,S) d(256,1,1,I,S), d(16,256,4096,S,O)} by ..."
std::string tensor_expression(const recipe& how);

} // namespace gpufft
} // namespace gr

#endif
