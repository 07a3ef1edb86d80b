// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the bindings of all blocks share.

#ifndef INCLUDED_GPUFFT_BLOCK_BINDINGS_H
#define INCLUDED_GPUFFT_BLOCK_BINDINGS_H

#include "window_caster.h"
#include <gnuradio/block.h>
#include <memory>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <string>

namespace gr {
namespace gpufft {

namespace py = pybind11;
using namespace pybind11::literals;

// Planning and locks must not hold up other Python threads.
typedef py::call_guard<py::gil_scoped_release> without_gil;

// Calls step() without the GIL, where only a part can go without.
template <class Step>
auto call_without_gil(Step&& step)
{
    py::gil_scoped_release release;
    return step();
}

// engine(), describe(), error() of engine_block.
template <class Class>
void bind_engine_block(Class& block)
{
    typedef typename Class::type type;
    block
        .def(
            "engine",
            [](const type& self) { return self.engine(); },
            without_gil(),
            "The engine in use: \"cuda\" or \"cpu\".")
        .def(
            "describe",
            [](const type& self) { return self.describe(); },
            without_gil(),
            "Exactly what runs, in one line.")
        .def(
            "error",
            [](const type& self) { return self.error(); },
            without_gil(),
            "Why the block has stopped; \"\" if it has not.");
}

void bind_fft_v(py::module& module);
void bind_logpwrfft(py::module& module);
void bind_plan(py::module& module);
void bind_power_spectrum(py::module& module);

} // namespace gpufft
} // namespace gr

#endif
