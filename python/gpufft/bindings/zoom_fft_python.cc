// SPDX-License-Identifier: GPL-3.0-or-later
//
// Python class zoom_fft_vcc.

#include "block_bindings.h"
#include <gnuradio/gpufft/zoom_fft_vcc.h>

namespace gr {
namespace gpufft {

namespace {

constexpr const char* ZOOM_FFT_DOC =
    R"(The spectrum of vectors of N complex samples in a band only, in B bins at any spacing.

X[k] = sum_m w[m] x[m] exp(-j 2 pi f_k m), f_k = f_start + k (f_stop - f_start) / B,
k = 0 ... B-1, unscaled: scipy.signal.zoom_fft(w * x, [f_start, f_stop], B, fs=1).

Args:
    fft_size: N, 1 or more
    bins: B, 1 or more, N + B at most 2**30
    f_start: frequency of the first bin in cycles per sample, any finite number
    f_stop: that of the bin after the last one, at most 1 from f_start
    window: N taps; or a name such as "hann", a type such as fft.window.WIN_HANN or
        ("kaiser", 8.6); or [] or None for none
    nthreads: threads of the cpu engine, 1 ... 1024
    @engine
    vlen: None or fft_size for vector ports; 1 for plain streams, which the block cuts into
        frames itself. A tag then moves to the first item of its frame's row.

Raises:
    ValueError: a value out of range or a window that does not fit
    RuntimeError: device trouble
)";

} // namespace

void bind_zoom_fft(py::module& module)
{
    typedef zoom_fft_vcc block;
    python_block<block> python(module, "zoom_fft_vcc", described(ZOOM_FFT_DOC).c_str());
    bind_transform(python,
                   &block::make,
                   "fft_size",
                   "fft_size"_a,
                   "bins"_a,
                   "f_start"_a,
                   "f_stop"_a,
                   "window"_a = py::none());
    python
        .def("set_band",
             &block::set_band,
             without_gil(),
             "f_start"_a,
             "f_stop"_a,
             "Sets the band f_start ... f_stop in cycles per sample; bins do not change.")
        .def("f_start",
             &block::f_start,
             without_gil(),
             "Frequency of the first bin, in cycles per sample.")
        .def("f_stop",
             &block::f_stop,
             without_gil(),
             "Frequency after the last bin, in cycles per sample.")
        .def("set_window",
             &block::set_window,
             without_gil(),
             "window"_a,
             "Another window: fft_size taps, a name, a type, or none.");
}

} // namespace gpufft
} // namespace gr
