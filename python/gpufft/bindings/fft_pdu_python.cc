// SPDX-License-Identifier: GPL-3.0-or-later
//
// Python class fft_pdu.

#include "settings_bindings.h"
#include <gnuradio/gpufft/fft_pdu.h>

namespace gr {
namespace gpufft {

namespace {

constexpr const char* FFT_PDU_DOC =
    R"(FFT of bursts that arrive as PDUs: pairs of metadata and a vector of complex or floats.

Of a burst of L samples the block takes the first min(L, N), padded with zeros to N, and
outputs X[k] = sum_m w[m] x[m] exp(-+j 2 pi m k / N), unscaled, or |X[k]|^2, or
10 log10 |X[k]|^2: all N bins, for real samples, too. Port "pdu_in" takes the bursts, "pdu_out"
gives the spectra in their order, with the burst's metadata and the keys

    fft_size       N
    fft_samples    min(L, N)
    fft_output     "complex", "power" or "db"
    fft_bin_width  from bin to bin in Hz, if the metadata has "sample_rate"

A message that is no such PDU, or that has no samples, is dropped and counted in dropped().
The first one, the tenth, the hundredth ... are logged, with the reason.

)";

constexpr const char* MORE_FFT_PDU_DOC =
    R"(    engine: "auto" (the GPU if one burst of fft_size samples returns sooner from it, as
        measured once on each machine; with fft_size 0 the CPU, because the GPU compiles
        kernels for each new length), "cuda" or "cpu"
    device: index of the NVIDIA GPU
    on_error: if the device fails, "stop" the block, or continue on the "cpu"
    device_timeout: seconds that the GPU may take for one chunk before that counts as a
        device failure; 0 is no limit

All but the engine can be set while the flowgraph runs, from the next burst on.

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
        "fft.window.WIN_HANN, with min(L, N) taps; or fft_size taps "
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
