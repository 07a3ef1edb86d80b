// SPDX-License-Identifier: GPL-3.0-or-later
//
// How errors show a value of Python.

#ifndef INCLUDED_GPUFFT_SHOWN_H
#define INCLUDED_GPUFFT_SHOWN_H

#include <pybind11/pybind11.h>
#include <string>

namespace gr {
namespace gpufft {

// Its repr() as one line, cut if it is long.
inline std::string shown(pybind11::handle value)
{
    namespace py = pybind11;
    const py::object words = py::repr(value).attr("split")();
    const py::object line = py::str(" ").attr("join")(words);
    if (py::len(line) <= 60)
        return line.cast<std::string>();
    return line[py::slice(0, 57, 1)].cast<std::string>() + "...";
}

} // namespace gpufft
} // namespace gr

#endif
