// SPDX-License-Identifier: GPL-3.0-or-later
//
// The Python class limiter_cc: a device_block around a limiter.

#include "limiter.h"
#include <pybind11/pybind11.h>

namespace py = pybind11;
using namespace pybind11::literals;
using gr::gpufft::device_block;

PYBIND11_MODULE(own_module_python, module)
{
    py::module::import("gnuradio.gpufft"); // the class device_block
    typedef py::call_guard<py::gil_scoped_release> without_gil;
    py::class_<own::limiter, std::shared_ptr<own::limiter>>(module, "limiter")
        .def(py::init<float>(), "limit"_a)
        .def("set_limit", &own::limiter::set_limit, without_gil(), "limit"_a);
    module.def(
        "limiter_block",
        [](const std::shared_ptr<own::limiter>& limiter, const std::string& engine) {
            gr::gpufft::engine_options options;
            options.engine = engine;
            return device_block::make("limiter_cc", limiter, {}, options);
        },
        without_gil(),
        "limiter"_a,
        "engine"_a);
}
