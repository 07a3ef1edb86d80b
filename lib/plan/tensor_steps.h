// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where the tiles of the tensor algorithm's steps lie in memory: kernels/tensor.cuh.

#ifndef INCLUDED_GPUFFT_TENSOR_STEPS_H
#define INCLUDED_GPUFFT_TENSOR_STEPS_H

#include "recipe.h"
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

// A digit of a point's position in the frame: so many values, a value counts so many
// points where it is read and where it is written.
struct frame_digit {
    std::size_t length, in_stride, out_stride;
};

// What a step transforms: points of all of an axis, or of its digit a, R of N = R M.
struct tensor_step {
    std::vector<frame_digit> tile; // its axes, slowest first, and the columns
    std::size_t axes = 0;          // how many of them are axes
    std::vector<frame_digit> grid; // the tiles of a frame
    // M > 1: the points are multiplied by roots of R M, where b counts so many points
    std::size_t r = 1, m = 1, stride = 1;

    std::size_t elements() const;
    std::size_t tiles() const;
};

// How the axes are cut: the lengths of each step's axes, slowest first, and its columns.
struct tensor_cut {
    std::vector<int> lengths;
    int columns = 1;
};

// The steps for axes of these lengths, the last axes first. Throws std::invalid_argument
// if they do not cut them into whole parts.
std::vector<tensor_step> tensor_steps(const std::vector<std::size_t>& lengths,
                                      const std::vector<tensor_cut>& cuts);

// Those of a recipe.
std::vector<tensor_step> tensor_steps(const recipe& how);

// Whether the fastest digits of the grid make up so many columns.
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
