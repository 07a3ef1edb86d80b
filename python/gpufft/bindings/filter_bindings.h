// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the bindings of filters share, and those of polyphase banks.

#ifndef INCLUDED_GPUFFT_FILTER_BINDINGS_H
#define INCLUDED_GPUFFT_FILTER_BINDINGS_H

#include "block_bindings.h"

namespace gr {
namespace gpufft {

// Threads, the scale, the tags of receivers, and what all blocks have.
template <class Class>
void bind_filter_engine(Class& block)
{
    typedef typename Class::type type;
    // pybind11 needs lambdas for what a virtual base has
    block
        .def(
            "set_radio_tags",
            [](type& self, bool follow) { self.set_radio_tags(follow); },
            "follow"_a,
            "Sets whether the tags rx_rate and rx_freq follow: at first both say the "
            "sample rate and the centre of the output; without follow they pass "
            "unchanged.")
        .def(
            "radio_tags",
            [](const type& self) { return self.radio_tags(); },
            "Whether rx_rate and rx_freq follow.");
    bind_output_scale(block);
    bind_nthreads(block, "n threads of the cpu engine; 0 is one for each core.");
    bind_engine_block(block);
}

// Of a block_of_core: what GNU Radio offers for every block.
template <class Class>
void bind_core(Class& block)
{
    typedef typename Class::type type;
    block
        .def(
            "declare_sample_delay",
            [](type& self, unsigned delay) { self.declare_sample_delay(delay); },
            "delay"_a,
            "Tags are delayed by `delay` items of the input, as the filter's peak is.")
        .def(
            "declare_sample_delay",
            [](type& self, int which, unsigned delay) {
                self.declare_sample_delay(which, delay);
            },
            "which"_a,
            "delay"_a,
            "The same of port `which` alone, as GNU Radio's blocks have it.")
        .def(
            "core",
            [](const type& self) { return self.core(); },
            "The block within that does the work.")
        .def(
            "__getattr__",
            [](const py::object& self, const std::string& name) -> py::object {
                const py::object core = py::cast(self.cast<const type&>().core());
                if (name.rfind("_", 0) == 0 || !py::hasattr(core, name.c_str()))
                    throw py::attribute_error(
                        py::type::of(self).attr("__name__").cast<std::string>() +
                        " has no attribute '" + name + "'");
                return core.attr(name.c_str());
            },
            "What other blocks have, and hierarchical ones have not: core()'s.")
        .def(
            "max_output_buffer",
            [](type& self, int port) { return self.max_output_buffer(port); },
            "port"_a = 0,
            "The most items that the buffer of output `port` may have.")
        .def(
            "min_output_buffer",
            [](type& self, int port) { return self.min_output_buffer(port); },
            "port"_a = 0,
            "The fewest items that the buffer of output `port` may have.");
    for (const char* name : { "set_max_output_buffer", "set_min_output_buffer" })
        block.def(
            name,
            [name](const type& self, const py::args& arguments) {
                py::cast(self.core()).attr(name)(*arguments);
            },
            "Takes a number of items, for all outputs, or a port and a number.");
}

// Most taps that take over at once.
template <class Class>
void bind_max_taps(Class& block)
{
    block.def("max_taps",
              &Class::type::max_taps,
              without_gil(),
              "The most taps that set_taps() applies at once: at first twice the first "
              "taps, and at least 4096.");
}

// Of FIR filters by the FFT.
template <class Class>
void bind_fir_filter(Class& block)
{
    typedef typename Class::type type;
    block
        .def("set_taps",
             &type::set_taps,
             without_gil(),
             "taps"_a,
             "New taps, from one output to the next; more than max_taps() take effect "
             "when enough samples have arrived.")
        .def("taps", &type::taps, without_gil(), "The taps in use, or about to be.")
        .def("decimation",
             &type::decimation,
             without_gil(),
             "Input samples for each output.");
    bind_max_taps(block);
    bind_filter_engine(block);
}

// Of polyphase banks, with the words on set_taps(), set_channel_map() and taps().
template <class Class>
void bind_polyphase(Class& block,
                    const char* set_taps,
                    const char* set_channel_map,
                    const char* taps)
{
    typedef typename Class::type type;
    block.def("set_taps", &type::set_taps, without_gil(), "taps"_a, set_taps)
        .def("set_channel_map",
             &type::set_channel_map,
             without_gil(),
             "map"_a,
             set_channel_map)
        .def("taps", &type::taps, without_gil(), taps)
        .def("print_taps", &type::print_taps, without_gil(), "Prints the arms to stdout.")
        .def("channel_map",
             &type::channel_map,
             without_gil(),
             "The channel of each stream.");
    bind_max_taps(block);
    bind_core(block);
    bind_filter_engine(block);
}

} // namespace gpufft
} // namespace gr

#endif
