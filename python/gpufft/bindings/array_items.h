// SPDX-License-Identifier: GPL-3.0-or-later
//
// What arrays of numpy a problem's samples and bins are.

#ifndef INCLUDED_GPUFFT_ARRAY_ITEMS_H
#define INCLUDED_GPUFFT_ARRAY_ITEMS_H

#include <gnuradio/gpufft/problem.h>
#include <pybind11/numpy.h>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

namespace py = pybind11;

// Numbers of numpy that one sample or bin is made of.
struct array_item {
    const char* type; // of numpy
    std::size_t numbers;
};

array_item input_item_of(const problem& what);
array_item output_item_of(const problem& what);

// The numbers of one frame or row along each axis, the last one with all numbers of an
// item.
std::vector<py::ssize_t> frame_shape(const problem& what);
std::vector<py::ssize_t>
item_shape(std::vector<std::size_t> lengths, bool halved, std::size_t numbers);

std::string shape_text(const std::vector<py::ssize_t>& shape); // "3 by 5"
std::string name_of(const py::dtype& type);

} // namespace gpufft
} // namespace gr

#endif
