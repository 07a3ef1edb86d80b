// SPDX-License-Identifier: GPL-3.0-or-later
//
// Calls of Python functions from the threads of blocks.

#ifndef INCLUDED_GPUFFT_PYTHON_CALLS_H
#define INCLUDED_GPUFFT_PYTHON_CALLS_H

#include <pybind11/pybind11.h>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

namespace py = pybind11;

// Keeps Python from its end, where a thread that waits for Python's lock would be ended
// with it, which no C++ survives. Throws std::runtime_error if Python has ended.
class call_of_python
{
public:
    call_of_python();
    ~call_of_python();
    call_of_python(const call_of_python&) = delete;
    call_of_python& operator=(const call_of_python&) = delete;
};

// Python calls it before it ends. Waits for calls that have begun.
void end_calls();

// The error as Python prints it.
std::string text_of(const py::error_already_set& error);

// Gives a warning of Python if a function keeps arrays of a call that has ended, also by
// views of them: its next samples come into their memory, which goes with the flowgraph.
// The caller has one reference to each. True if it is not worth asking again.
bool warn_of_kept(const std::string& function, const std::vector<py::object>& arrays);

} // namespace gpufft
} // namespace gr

#endif
