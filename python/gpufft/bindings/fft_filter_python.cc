// SPDX-License-Identifier: GPL-3.0-or-later
//
// Python classes fft_filter_ccc, fft_filter_ccf, fft_filter_fff.

#include "filter_bindings.h"
#include <gnuradio/gpufft/fft_filter.h>
#include <pybind11/complex.h>

namespace gr {
namespace gpufft {

namespace {

constexpr const char* FFT_FILTER_DOC =
    R"(FIR filter by the FFT, replacing gnuradio.filter.fft_filter_ccc, _ccf and _fff.

    y[f] = sum_k taps[k] x[f decimation - k],   x = 0 before the stream

_ccc and _ccf filter complex64 samples with complex and real taps, _fff float samples.
Every whole group of `decimation` samples gives its output, to the end of the stream. A tag
moves to output floor(offset / decimation).

Args:
    decimation: input samples for each output, 1 ... 2**20
    taps: 1 ... 2**24 of them
    nthreads: threads of the cpu engine, 1 ... 1024; 0 is one for each core
    @engine
    @formats

Raises:
    ValueError: a value out of range
    RuntimeError: device trouble
)";

template <class T, class Tap>
void bind_one_fft_filter(py::module& module, const char* name)
{
    typedef fft_filter<T, Tap> block;
    python_block<block> python(module, name, described(FFT_FILTER_DOC).c_str());
    const formats_arguments formats;
    python
        .def(init_of_formatted(&block::make),
             "decimation"_a,
             "taps"_a,
             "nthreads"_a = 1,
             py::kw_only(),
             "engine"_a = "auto",
             "device"_a = device_list(),
             "on_error"_a = "stop",
             "device_timeout"_a = 10.0,
             formats.input,
             formats.output,
             formats.scale)
        .def("set_decimation",
             &block::set_decimation,
             without_gil(),
             "decimation"_a,
             "Sets the decimation, from one output to the next.");
    bind_fir_filter(python);
}

} // namespace

void bind_fft_filter(py::module& module)
{
    bind_one_fft_filter<gr_complex, gr_complex>(module, "fft_filter_ccc");
    bind_one_fft_filter<gr_complex, float>(module, "fft_filter_ccf");
    bind_one_fft_filter<float, float>(module, "fft_filter_fff");
}

} // namespace gpufft
} // namespace gr
