// SPDX-License-Identifier: GPL-3.0-or-later
//
// Python class fft_pdu.

#include "block_bindings.h"
#include <gnuradio/gpufft/fft_pdu.h>

namespace gr {
namespace gpufft {

namespace {

constexpr const char* FFT_PDU_DOC =
    R"(FFT of bursts that come as PDUs: pairs of metadata and a vector of complex or floats.

Of a burst of L samples the first min(L, N) are taken, zeros follow up to N, and
X[k] = sum_m w[m] x[m] exp(-+j 2 pi m k / N) comes out, unscaled, or |X[k]|^2, or
10 log10 |X[k]|^2: all N bins, of real samples too. Port "pdu_in" takes the bursts, "pdu_out"
gives the spectra in their order, with the metadata that came and the keys

    fft_size       N
    fft_samples    min(L, N)
    fft_output     "complex", "power" or "db"
    fft_bin_width  from bin to bin in Hz, if "sample_rate" came along

A message that is no such PDU, or that has no samples, is dropped and counted in dropped().
The first one, the tenth, the hundredth ... are logged, with the reason.

Args:
    fft_size: N, up to 2**30; 0 is each burst's own length L
    forward: direction
    window: a name such as "hann" (symmetric, as gnuradio.fft.window) or a type such as
        fft.window.WIN_HANN, with as many taps as samples are taken; or fft_size taps (with
        fft_size 0: bursts of another length are dropped); or [] or None for none
    shift: DC in the middle of the spectrum: bin floor(N/2)
    output: "complex", "power" or "db"
    engine: "auto" (the GPU where one burst of fft_size samples is sooner back from there, as
        measured once on a machine; with fft_size 0 the CPU, because the GPU compiles for
        each new length), "cuda" or "cpu"
    device: index of the NVIDIA GPU
    on_error: on device trouble "stop" the block, or go on with the "cpu"
    device_timeout: seconds for which the GPU may work on one chunk before that is device
        trouble; 0 is for ever

All but the engine can be set while the flowgraph runs, and counts from the next burst on.

Raises:
    ValueError: a value out of range
    RuntimeError: device trouble
)";

} // namespace

void bind_fft_pdu(py::module& module)
{
    typedef fft_pdu block;
    python_block<block> python(module, "fft_pdu", FFT_PDU_DOC);
    python.def(py::init([](std::int64_t fft_size,
                           bool forward,
                           const window_spec& window,
                           bool shift,
                           const std::string& output,
                           const std::string& engine,
                           const device_list& device,
                           const std::string& on_error,
                           double device_timeout) {
                   return call_without_gil([&] {
                       return block::make(fft_size,
                                          forward,
                                          window,
                                          shift,
                                          output,
                                          engine,
                                          device,
                                          on_error,
                                          device_timeout);
                   });
               }),
               "fft_size"_a = 0,
               "forward"_a = true,
               "window"_a = py::none(),
               "shift"_a = false,
               "output"_a = "complex",
               py::kw_only(),
               "engine"_a = "auto",
               "device"_a = device_list(),
               "on_error"_a = "stop",
               "device_timeout"_a = 10.0);
    python
        .def("set_fft_size",
             &block::set_fft_size,
             without_gil(),
             "fft_size"_a,
             "N, or 0 for each burst's own length.")
        .def("set_forward", &block::set_forward, without_gil(), "forward"_a, "Direction.")
        .def("set_window",
             &block::set_window,
             without_gil(),
             "window"_a,
             "fft_size taps, a name, a type, or none.")
        .def("set_shift",
             &block::set_shift,
             without_gil(),
             "shift"_a,
             "DC in the middle of the spectrum.")
        .def("set_output",
             &block::set_output,
             without_gil(),
             "output"_a,
             "\"complex\", \"power\" or \"db\".")
        .def("fft_size",
             &block::fft_size,
             without_gil(),
             "N; 0 is each burst's own length.")
        .def("forward",
             &block::forward,
             without_gil(),
             "Whether the FFT is forward, else inverse.")
        .def("shift",
             &block::shift,
             without_gil(),
             "Whether DC is in the middle of the spectrum.")
        .def("output", &block::output, without_gil(), "\"complex\", \"power\" or \"db\".")
        .def("dropped", &block::dropped, without_gil(), "Messages dropped since start().")
        .def("plans",
             &block::plans,
             without_gil(),
             "Plans that are kept now, one for each length and setting in use.");
    bind_engine_block(python);
}

} // namespace gpufft
} // namespace gr
