// SPDX-License-Identifier: GPL-3.0-or-later
//
// Python class fft_pdu.

#include "settings_bindings.h"
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

)";

constexpr const char* MORE_FFT_PDU_DOC =
    R"(    engine: "auto" (the GPU where one burst of fft_size samples is sooner back from there, as
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

const auto FFT_PDU_FIELDS = std::make_tuple(
    field{ "fft_size",
           &fft_pdu_settings::fft_size,
           "N, up to 2**30; 0 is each burst's own length L" },
    field{ "forward", &fft_pdu_settings::forward, "forward FFT, else inverse" },
    field{
        "window",
        &fft_pdu_settings::window,
        "a name such as \"hann\" (symmetric, as gnuradio.fft.window) or a type such as "
        "fft.window.WIN_HANN, with as many taps as samples are taken; or fft_size taps "
        "(with fft_size 0: bursts of another length are dropped); or [] or None for none",
        field_methods::setter },
    field{ "shift",
           &fft_pdu_settings::shift,
           "DC in the middle of the spectrum: bin floor(N/2)" },
    field{ "output", &fft_pdu_settings::output, "\"complex\", \"power\" or \"db\"" });

} // namespace

void bind_fft_pdu(py::module& module)
{
    python_block<fft_pdu> python(
        module,
        "fft_pdu",
        settings_doc(FFT_PDU_DOC, FFT_PDU_FIELDS, MORE_FFT_PDU_DOC, "").c_str());
    bind_settings(python, FFT_PDU_FIELDS, std::make_tuple());
    python
        .def("dropped",
             &fft_pdu::dropped,
             without_gil(),
             "Messages dropped since start().")
        .def("plans",
             &fft_pdu::plans,
             without_gil(),
             "Plans that are kept now, one for each length and setting in use.");
}

} // namespace gpufft
} // namespace gr
