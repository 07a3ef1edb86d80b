// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which calls have begun, and whether Python is about to end.

#include "python_calls.h"
#include "block_bindings.h"
#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

namespace gr {
namespace gpufft {

namespace {

std::atomic<bool> s_ends{ false };
std::atomic<int> s_calls{ 0 };

} // namespace

call_of_python::call_of_python()
{
    ++s_calls;
    if (s_ends) {
        --s_calls;
        throw std::runtime_error("Python has ended");
    }
}

call_of_python::~call_of_python() { --s_calls; }

void end_calls()
{
    s_ends = true;
    const released_gil released;
    while (s_calls > 0)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

std::string text_of(const py::error_already_set& error)
{
    try {
        const py::object lines =
            py::module::import("traceback")
                .attr("format_exception")(error.type(), error.value(), error.trace());
        std::string text = py::cast<std::string>(py::str("").attr("join")(lines));
        while (!text.empty() && text.back() == '\n')
            text.pop_back();
        return text;
    } catch (const std::exception&) {
        return error.what();
    }
}

bool warn_of_kept(const std::string& function, const std::vector<py::object>& arrays)
{
    const auto any = [&] {
        return std::any_of(arrays.begin(), arrays.end(), [](const py::object& array) {
            return array.ref_count() > 1;
        });
    };
    if (!any())
        return false;
    py::module::import("gc").attr("collect")(); // what only cycles keep is never read
    const std::string words = function + " keeps x or out after its call, where other "
                                         "samples come: keep a copy, as x.copy()";
    if (any() && PyErr_WarnEx(PyExc_RuntimeWarning, words.c_str(), 1) < 0)
        throw py::error_already_set();
    return true;
}

} // namespace gpufft
} // namespace gr
