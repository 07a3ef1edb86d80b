// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the array functions are called with: numpy arrays, axes, lengths and norms.

#ifndef INCLUDED_GPUFFT_ARRAY_ARGUMENTS_H
#define INCLUDED_GPUFFT_ARRAY_ARGUMENTS_H

#include "array_transform.h"

#include <optional>
#include <pybind11/numpy.h>
#include <vector>

namespace gr {
namespace gpufft {

namespace py = pybind11;

enum class norm { backward, ortho, forward };

// Nothing if it is none of SciPy's.
std::optional<norm> read_norm(const py::handle& name);

// Real or complex, single or double, of this machine's byte order and aligned.
struct sample_type {
    bool is_complex, is_double;
};

// Nothing if the array has other samples.
std::optional<sample_type> type_of(const py::array& x);

py::array
make_array(bool is_complex, bool is_double, const std::vector<std::size_t>& shape);

host_array view_of(const py::array& array);

// Throws std::out_of_range or std::invalid_argument unless the axes are different ones of
// x and have the samples that the transform reads.
void check_request(const array_request& what,
                   const py::array& x,
                   const sample_type& type);

// Throws std::out_of_range unless the result can be written there.
void check_output(const py::array& out,
                  const sample_type& wanted,
                  const std::vector<std::size_t>& shape);

// The axes named by an int, or, of functions of several, a tuple of different ints, or
// None for all. Nothing if they are something else.
std::optional<std::vector<std::size_t>>
read_axes(const py::handle& named, long ndim, bool several);

// The lengths along the axes; `n` is None or that of the last one. Nothing if they are
// out of range or ask for more samples than there are.
std::optional<std::vector<std::size_t>> read_lengths(const py::handle& n,
                                                     const py::array& x,
                                                     const std::vector<std::size_t>& axes,
                                                     transform_kind kind);

} // namespace gpufft
} // namespace gr

#endif
