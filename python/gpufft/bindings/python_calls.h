// SPDX-License-Identifier: GPL-3.0-or-later
//
// Calls of Python functions from the threads of blocks.

#ifndef INCLUDED_GPUFFT_PYTHON_CALLS_H
#define INCLUDED_GPUFFT_PYTHON_CALLS_H

#include <pybind11/pybind11.h>
#include <string>

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

} // namespace gpufft
} // namespace gr

#endif
