// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the bindings of all blocks share.

#ifndef INCLUDED_GPUFFT_BLOCK_BINDINGS_H
#define INCLUDED_GPUFFT_BLOCK_BINDINGS_H

#include "device_caster.h"
#include "window_caster.h"
#include <cstdint>
#include <gnuradio/block.h>
#include <gnuradio/gpufft/engine_block.h>
#include <gnuradio/gpufft/item_formats.h>
#include <memory>
#include <optional>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <stdexcept>
#include <string>
#include <tuple>
#include <unistd.h>
#include <utility>

namespace gr {
namespace gpufft {

namespace py = pybind11;
using namespace pybind11::literals;

// Lets other Python threads run. A thread that comes back after Python's end (a daemon
// thread) sleeps for ever, as all of them do from Python 3.14 on. Earlier ones call
// pthread_exit(), whose unwinding would end the process at the first destructor.
class released_gil
{
public:
    released_gil() : d_state(PyEval_SaveThread()) {}
    ~released_gil()
    {
        try {
            PyEval_RestoreThread(d_state);
        } catch (...) {
            while (true)
                pause();
        }
    }
    released_gil(const released_gil&) = delete;
    released_gil& operator=(const released_gil&) = delete;

private:
    PyThreadState* d_state;
};

// Planning and locks must not hold up other Python threads.
typedef py::call_guard<released_gil> without_gil;

// Calls step() without the GIL, where only a part can go without.
template <class Step>
auto call_without_gil(Step&& step)
{
    const released_gil released;
    return step();
}

// In the docstring of every constructor, for the arguments that name the engine.
constexpr const char* ENGINE_WORDS =
    R"(    engine: "auto" (the GPU if it is usable, has the length and is faster than the CPU, as
        measured once on each machine: see gpufft advise), "cuda" or "cpu"
    device: index of the NVIDIA GPU, or a list of them that take turns. Where one is not
        there, "auto" takes the CPU, and engine_reason() says why; "cpu" uses none
    on_error: if the device fails, "stop" the flowgraph, or continue on the "cpu"
    device_timeout: seconds that the GPU may take for one chunk before that counts as a
        device failure; 0 is no limit
)";

// In the docstring of constructors with item_formats.
constexpr const char* FORMATS_WORDS =
    R"(    input: format of the samples that come: "" is that of the block's name. Else one item is
        one sample: "cf32", "cs16" (two int16: gr-uhd's sc16), "cs8", "cf16" (two halves) or
        "cs12" (12 bits each in 3 bytes, the highest first, as in UHD's sc12; only input);
        of a block from floats "f32", "s16", "s8", "f16". int16 / 32768 and int8 / 128 are read.
        Channelizers, banks, freq_xlating_fft_filter and fft_filter_fff also take "s10" (items
        of four real 10-bit integers in 5 bytes) and "s12" (two in 3 bytes), the highest bits
        first, if their decimation, or hop, is whole items
    output: format of the output: "" is that of the block's name, else one of the same
        names. Integers are rounded to the nearest, ties to even, and saturate, which
        statistics()["saturated"] counts, but for real transforms
    output_scale: factor on the output before that, any finite number
)";

// A docstring whose lines "    @engine" and "    @formats" stand for these words.
inline std::string described(std::string text)
{
    const std::pair<std::string, const char*> all[] = {
        { "    @engine\n", ENGINE_WORDS }, { "    @formats\n", FORMATS_WORDS }
    };
    for (const auto& [mark, words] : all)
        if (const std::size_t at = text.find(mark); at != std::string::npos)
            text.replace(at, mark.size(), words);
    return text;
}

inline py::dict statistics_dict(const stream_statistics& now)
{
    py::dict values;
    now.visit(
        [&](const char* name, const auto& value, const char*) { values[name] = value; });
    return values;
}

inline std::string statistics_doc()
{
    std::string text = "What the engine has processed since start(), a dict:\n";
    stream_statistics().visit([&](const char* name, const auto&, const char* words) {
        text += std::string("\n    ") + name + ": " + words;
    });
    return text;
}

// engine(), engine_reason(), describe(), error(), statistics() of engine_block.
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
            "engine_reason",
            [](const type& self) { return self.engine_reason(); },
            without_gil(),
            "Why this engine, e.g. \"auto: GPU 6 Gsps, CPU 310 Msps\".")
        .def(
            "describe",
            [](const type& self) { return self.describe(); },
            without_gil(),
            "Exactly what runs, in one line.")
        .def(
            "error",
            [](const type& self) { return self.error(); },
            without_gil(),
            "Why the block has stopped; \"\" if it has not.")
        .def(
            "statistics",
            [](const type& self) {
                return statistics_dict(
                    call_without_gil([&] { return self.statistics(); }));
            },
            statistics_doc().c_str());
}

// A block of this module with its bases.
template <class Block>
using python_block =
    py::class_<Block, gr::block, gr::basic_block, std::shared_ptr<Block>>;

// set_nthreads() and nthreads() of the blocks that have them.
template <class Class>
void bind_nthreads(Class& block,
                   const char* words = "n threads of the cpu engine, 1 ... 1024.")
{
    typedef typename Class::type type;
    block.def("set_nthreads", &type::set_nthreads, without_gil(), "n"_a, words)
        .def("nthreads", &type::nthreads, without_gil(), "Threads of the cpu engine.");
}

// What make() takes for Python's vlen. Throws std::invalid_argument for 0.
inline std::int64_t vlen_of(const std::optional<std::int64_t>& vlen, const char* frame)
{
    if (vlen == 0)
        throw std::invalid_argument(std::string("vlen is 0: must be None, ") + frame +
                                    " or 1");
    return vlen.value_or(0);
}

// make() as a constructor that lets other Python threads run.
template <class Result, class... Argument>
auto init_of(Result (*make)(Argument...))
{
    return py::init([make](Argument... arguments) {
        return call_without_gil([&] { return make(arguments...); });
    });
}

// The same where make() ends with item_formats, whose fields Python gives one by one.
template <class Result, class... Argument, std::size_t... i>
auto init_of_formatted(Result (*make)(Argument...), std::index_sequence<i...>)
{
    typedef std::tuple<Argument...> all;
    return py::init([=](std::tuple_element_t<i, all>... arguments,
                        const std::string& input,
                        const std::string& output,
                        double output_scale) {
        return call_without_gil([&] {
            return make(arguments..., item_formats{ input, output, output_scale });
        });
    });
}

template <class Result, class... Argument>
auto init_of_formatted(Result (*make)(Argument...))
{
    return init_of_formatted(make, std::make_index_sequence<sizeof...(Argument) - 1>());
}

// The last arguments of such a constructor.
struct formats_arguments {
    py::arg_v input = "input"_a = "", output = "output"_a = "",
              scale = "output_scale"_a = 1.0;
};

template <class Class>
void bind_output_scale(Class& block)
{
    typedef typename Class::type type;
    block
        .def(
            "set_output_scale",
            [](type& self, double factor) { self.set_output_scale(factor); },
            without_gil(),
            "factor"_a,
            "Sets the factor on the output, from one output to the next.")
        .def(
            "output_scale",
            [](const type& self) { return self.output_scale(); },
            without_gil(),
            "Factor on the output.");
}

// The same where make() ends with vlen, of `frame` items, device_timeout and formats.
template <class Result, class... Argument, std::size_t... i>
auto init_of_transform(Result (*make)(Argument...),
                       const char* frame,
                       std::index_sequence<i...>)
{
    typedef std::tuple<Argument...> all;
    return py::init([=](std::tuple_element_t<i, all>... arguments,
                        const std::optional<std::int64_t>& vlen,
                        double device_timeout,
                        const std::string& input,
                        const std::string& output,
                        double output_scale) {
        return call_without_gil([&] {
            return make(arguments...,
                        vlen_of(vlen, frame),
                        device_timeout,
                        item_formats{ input, output, output_scale });
        });
    });
}

// The constructor of a transform: its own arguments, then those that all transforms have.
template <class Class, class Result, class... Argument, class... Own>
void bind_transform(Class& block,
                    Result (*make)(Argument...),
                    const char* frame,
                    const Own&... own)
{
    const formats_arguments formats;
    block.def(init_of_transform(
                  make, frame, std::make_index_sequence<sizeof...(Argument) - 3>()),
              own...,
              "nthreads"_a = 1,
              py::kw_only(),
              "engine"_a = "auto",
              "device"_a = device_list(),
              "on_error"_a = "stop",
              "vlen"_a = py::none(),
              "device_timeout"_a = 10.0,
              formats.input,
              formats.output,
              formats.scale);
    bind_nthreads(block);
    bind_output_scale(block);
    bind_engine_block(block);
}

void bind_array_block(py::module& module);
void bind_array_functions(py::module& module);
void bind_break_even(py::module& module);
void bind_channel_bank(py::module& module);
void bind_correlator_bank(py::module& module);
void bind_dct(py::module& module);
void bind_device_array(py::module& module);
void bind_fft2d(py::module& module);
void bind_fft_pdu(py::module& module);
void bind_fft_v(py::module& module);
void bind_flowgraph(py::module& module);
void bind_kernel_function(py::module& module);
void bind_logpwrfft(py::module& module);
void bind_fft_filter(py::module& module);
void bind_pfb_channelizer(py::module& module);
void bind_pfb_synthesizer(py::module& module);
void bind_machine(py::module& module);
void bind_plan(py::module& module);
void bind_power_spectrum(py::module& module);
void bind_rfft(py::module& module);
void bind_spectrum_view(py::module& module);
void bind_zoom_fft(py::module& module);

} // namespace gpufft
} // namespace gr

#endif
