// SPDX-License-Identifier: GPL-3.0-or-later
//
// Python class correlator_bank.

#include "settings_bindings.h"
#include <gnuradio/gpufft/correlator_bank.h>
#include <pybind11/complex.h>

namespace gr {
namespace gpufft {

namespace {

constexpr const char* CORRELATOR_BANK_DOC =
    R"(Searches a stream for K templates at D frequency shifts and U delays.

Frame f has the samples from f hop on: `noncoherent` blocks of `coherent` periods of
N = fft_size samples. With t_k the template, ended with zeros if it has L < N samples,

    y[m] = sum_c x[m + c N] exp(-j 2 pi shifts[d] (m + c N) / samp_rate),  c < coherent
    P[k, d, u] = sum |sum_i y[(u + i) mod N] conj(t_k[i])|^2    over the blocks

A row, a float vector of row_floats(), has five numbers for each template, or with
peaks="best" for the template with the largest peak alone:

    template k, number d of the shift, delay u, ratio, power P[k, d, u]

of the template's largest P. ratio is P over the mean of the template's D U powers, 0 in
silence. With peaks="grid" a row has all powers instead, of shape (K, D, U).

With N = L the correlation is circular: the template repeats in the stream, or a frame begins
within a cyclic prefix. With N > L it finds a template that begins at sample f hop + u; with
the default hop every sample of the stream is a delay of one frame.

In white noise alone each of a template's D U powers exceeds r times their mean with the
probability exp(-M r) sum_{i<M} (M r)^i / i! = scipy.stats.gamma.sf(M r, M), M = noncoherent.

)";

constexpr const char* MORE_CORRELATOR_BANK_DOC = R"(
set_templates(), set_shifts(), set_samp_rate(), set_hop() and set_parameters() act while the flowgraph runs;
the sizes cannot change. A tag moves to the row of the last frame that starts at or before
its sample. A GPU takes N up to 16384 with prime factors up to 61, and any other with
N + delays up to 16385, except with product=.

Raises:
    ValueError: a value out of range
    RuntimeError: device trouble
)";

const auto CORRELATOR_BANK_POSITIONAL = std::make_tuple(
    required(field{ "templates",
                    &correlator_bank_settings::templates,
                    "K sequences of L complex samples, e.g. an array of shape (K, L)",
                    field_methods::setter }),
    field{ "shifts",
           &correlator_bank_settings::shifts,
           "D evenly spaced frequencies in Hz, e.g. numpy.arange(-10e3, 10.5e3, 500); "
           "D times their spacing is at most samp_rate" },
    field{ "samp_rate", &correlator_bank_settings::samp_rate, "of the stream in Hz" });

const auto CORRELATOR_BANK_KEYWORD = std::make_tuple(
    field{ "fft_size",
           &correlator_bank_settings::fft_size,
           "N, at least L; None is L, or with delays the next fast size for a search "
           "without wrap-around",
           field_methods::none },
    field{ "delays",
           &correlator_bank_settings::delays,
           "U, up to N if N is L, else up to N - L + 1; None is that",
           field_methods::none },
    field{
        "hop",
        &correlator_bank_settings::hop,
        "samples from frame to frame, at least 1; None is a frame's, or delays if N > L "
        "and a frame is one period",
        field_methods::setter },
    field{ "coherent",
           &correlator_bank_settings::coherent,
           "periods of N samples that are added before the correlation",
           field_methods::getter },
    field{ "noncoherent",
           &correlator_bank_settings::noncoherent,
           "blocks of such periods whose powers are added",
           field_methods::getter },
    field{ "peaks",
           &correlator_bank_settings::peaks,
           "what a row has: the peaks of all \"templates\", the \"best\" of them, or the "
           "whole \"grid\"",
           field_methods::getter },
    field{ "input",
           &correlator_bank_settings::input,
           "format of the samples: \"\" or cf32 is complex64; or cs16, cs12, cs8, cf16",
           field_methods::none },
    field{ "load",
           &correlator_bank_settings::load,
           "expression of each sample x before all else, e.g. \"x / (1e-9 + abs(x))\"; "
           "\"\" is none",
           field_methods::getter },
    field{ "product",
           &correlator_bank_settings::product,
           "expression of a bin x of a block's spectrum and the bin h of a template's "
           "conjugate spectrum, e.g. \"x * h / (tiny + abs(x * h))\"; \"\" is x * h",
           field_methods::getter },
    field{ "parameters",
           &correlator_bank_settings::parameters,
           "dict of names in these expressions and numbers; those not given are 1" },
    threads_field(&correlator_bank_settings::nthreads));

} // namespace

void bind_correlator_bank(py::module& module)
{
    typedef correlator_bank block;
    python_block<block> python(
        module,
        "correlator_bank",
        settings_doc(CORRELATOR_BANK_DOC,
                     std::tuple_cat(CORRELATOR_BANK_POSITIONAL, CORRELATOR_BANK_KEYWORD),
                     MORE_CORRELATOR_BANK_DOC)
            .c_str());
    bind_settings(python, CORRELATOR_BANK_POSITIONAL, CORRELATOR_BANK_KEYWORD);
    bind_nthreads(python, CPU_THREADS);
    python.def("set_parameter",
               &block::set_parameter,
               without_gil(),
               "name"_a,
               "value"_a,
               "Changes the parameter `name` to `value`.");
    python.def("fft_size", &block::fft_size, without_gil(), "N, samples of a period.")
        .def("delays", &block::delays, without_gil(), "U, delays that are searched.")
        .def("hop", &block::hop, without_gil(), "Samples from frame to frame.")
        .def("row_floats",
             &block::row_floats,
             without_gil(),
             "Floats in a row: 5 K, 5 with peaks=\"best\", K D U with \"grid\".");
}

} // namespace gpufft
} // namespace gr
