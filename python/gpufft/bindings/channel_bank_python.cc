// SPDX-License-Identifier: GPL-3.0-or-later
//
// Python classes channel_bank_cc, freq_xlating_fft_filter_ccc,
// freq_xlating_fft_filter_ccf.

#include "filter_bindings.h"
#include <gnuradio/gpufft/channel_bank_cc.h>
#include <gnuradio/gpufft/freq_xlating_fft_filter.h>
#include <gnuradio/hier_block2.h>
#include <pybind11/complex.h>

namespace gr {
namespace gpufft {

namespace {

constexpr const char* CHANNEL_BANK_DOC =
    R"(Extracts channels around any frequencies from one stream of complex64 samples.

It equals one freq_xlating_fft_filter_ccc for each channel, but one transform of the input
serves all. With f_c = centers[c] / samp_rate, sample m of output c is

    y_c[m] = sum_k taps[k] x[n - k] exp(-j 2 pi f_c (n - k)),   n = m decimation

with x = 0 before the stream: the band around centers[c] is shifted to 0, filtered, and
decimated. The phases are exact for streams of any length. Every whole group of `decimation`
samples gives its output samples, to the end of the stream. A tag moves to output sample
floor(offset / decimation) of every channel.

Args:
    decimation: input samples for each output sample, 1 ... 2**20
    taps: low-pass filter at the input's rate, real or complex, 1 ... 2**24 of them
    centers: of the channels in Hz, one or more, each within half the sample rate of 0
    samp_rate: of the input in Hz; 1 for centers in cycles per sample
    nthreads: threads of the cpu engine, 1 ... 1024; 0 is one for each core
    @engine
    @formats

Raises:
    ValueError: a value out of range
    RuntimeError: device trouble
)";

constexpr const char* FREQ_XLATING_DOC =
    R"(Extracts the band around any frequency from a stream of complex64 samples, replacing
gnuradio.filter.freq_xlating_fft_filter_ccc; _ccf has real taps.

    y[m] = sum_k taps[k] x[n - k] exp(-j 2 pi f (n - k)),   n = m decim

with f = center_freq / samp_rate and x = 0 before the stream: the band around center_freq is
shifted to 0, filtered, and decimated. The phase is exact for streams of any length. Every
whole group of `decim` samples gives its output, to the end of the stream. A tag moves to
output floor(offset / decim).

The message port `freq` sets center_freq, as that of gr-filter's freq_xlating_fir_filter: a
pair whose second part is the frequency in Hz, such as those that GNU Radio's displays send
for a double click, or a dictionary with the key freq.

Args:
    decim: input samples for each output, 1 ... 2**20
    taps: low-pass filter at the input's rate, 1 ... 2**24 of them
    center_freq: Hz
    samp_rate: of the input in Hz
    nthreads: threads of the cpu engine, 1 ... 1024; 0 is one for each core
    @engine
    @formats

Raises:
    ValueError: a value out of range
    RuntimeError: device trouble
)";

void bind_bank(py::module& module)
{
    typedef channel_bank_cc block;
    py::class_<block, gr::hier_block2, gr::basic_block, std::shared_ptr<block>> python(
        module, "channel_bank_cc", described(CHANNEL_BANK_DOC).c_str());
    const formats_arguments formats;
    python
        .def(init_of_formatted(&block::make),
             "decimation"_a,
             "taps"_a,
             "centers"_a,
             "samp_rate"_a = 1.0,
             py::kw_only(),
             "nthreads"_a = 0,
             "engine"_a = "auto",
             "device"_a = device_list(),
             "on_error"_a = "stop",
             "device_timeout"_a = 10.0,
             formats.input,
             formats.output,
             formats.scale)
        .def("set_center",
             &block::set_center,
             without_gil(),
             "channel"_a,
             "center"_a,
             "Sets the center of one channel in Hz; the phase continues.")
        .def("set_centers",
             &block::set_centers,
             without_gil(),
             "centers"_a,
             "Sets the centers in Hz, one for each channel; phases continue.")
        .def("centers", &block::centers, without_gil(), "Center of each channel in Hz.")
        .def("samp_rate", &block::samp_rate, without_gil(), "Of the input, in Hz.");
    bind_core(python);
    bind_fir_filter(python);
}

template <class Tap>
void bind_freq_xlating(py::module& module, const char* name)
{
    typedef freq_xlating_fft_filter<Tap> block;
    python_block<block> python(module, name, described(FREQ_XLATING_DOC).c_str());
    const formats_arguments formats;
    python
        .def(init_of_formatted(&block::make),
             "decim"_a,
             "taps"_a,
             "center_freq"_a,
             "samp_rate"_a,
             py::kw_only(),
             "nthreads"_a = 1,
             "engine"_a = "auto",
             "device"_a = device_list(),
             "on_error"_a = "stop",
             "device_timeout"_a = 10.0,
             formats.input,
             formats.output,
             formats.scale)
        .def("set_center_freq",
             &block::set_center_freq,
             without_gil(),
             "center_freq"_a,
             "Sets the frequency in Hz; the phase continues.")
        .def("center_freq", &block::center_freq, without_gil(), "In Hz.");
    bind_fir_filter(python);
}

} // namespace

void bind_channel_bank(py::module& module)
{
    bind_bank(module);
    bind_freq_xlating<gr_complex>(module, "freq_xlating_fft_filter_ccc");
    bind_freq_xlating<float>(module, "freq_xlating_fft_filter_ccf");
}

} // namespace gpufft
} // namespace gr
