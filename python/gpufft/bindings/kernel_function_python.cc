// SPDX-License-Identifier: GPL-3.0-or-later
//
// Python class kernel_function: what kernel_block (kernel_block.py) launches.

#include "block_bindings.h"
#include "engine/user_kernel.h"
#include <array>
#include <gnuradio/gpufft/kernel_function.h>

namespace gr {
namespace gpufft {

namespace {

constexpr const char* KERNEL_DOC = R"(The kernel in a kernel_block, which see.

Args:
    text: CUDA C++
    name: of the kernel in it
    inputs: bytes of an item, decimation and history of each input
    outputs: bytes of an item and interpolation of each output
    threads: threads of a block of threads, 1 ... 1024
    threads_per_frame: threads that each frame has, at least
    frames_per_thread: or frames of each thread
    parameters: bytes of each parameter
)";

typedef std::vector<std::vector<char>> values;

values values_of(const std::vector<py::bytes>& parameters)
{
    values all;
    for (const py::bytes& each : parameters) {
        const std::string text = each;
        all.emplace_back(text.begin(), text.end());
    }
    return all;
}

} // namespace

void bind_kernel_function(py::module& module)
{
    py::class_<kernel_function, kernel_function::sptr>(
        module, "kernel_function", KERNEL_DOC)
        .def(py::init([](const std::string& text,
                         const std::string& name,
                         const std::vector<std::array<std::size_t, 3>>& inputs,
                         const std::vector<std::array<std::size_t, 2>>& outputs,
                         std::size_t threads,
                         std::size_t threads_per_frame,
                         std::size_t frames_per_thread,
                         const std::vector<py::bytes>& parameters) {
                 device_ports ports;
                 ports.inputs.clear();
                 ports.outputs.clear();
                 for (const auto& [bytes, decimation, history] : inputs)
                     ports.inputs.push_back({ bytes, decimation, history });
                 for (const auto& [bytes, interpolation] : outputs)
                     ports.outputs.push_back({ bytes, interpolation });
                 return kernel_function::make(
                     text,
                     name,
                     ports,
                     { threads, threads_per_frame, frames_per_thread },
                     values_of(parameters));
             }),
             "text"_a,
             "name"_a,
             "inputs"_a,
             "outputs"_a,
             "threads"_a = 256,
             "threads_per_frame"_a = 1,
             "frames_per_thread"_a = 1,
             "parameters"_a = std::vector<py::bytes>())
        .def(
            "set_parameters",
            [](kernel_function& self, const std::vector<py::bytes>& parameters) {
                self.set_parameters(values_of(parameters));
            },
            "parameters"_a,
            "Other bytes, as many for each parameter.")
        .def_static(
            "check",
            &check_user_kernel,
            without_gil(),
            "text"_a,
            "name"_a,
            "architecture"_a = 90,
            "Compiles the kernel `name` of the text for GPUs of this architecture, "
            "without a GPU. Raises ValueError with the compiler's messages.");
}

} // namespace gpufft
} // namespace gr
