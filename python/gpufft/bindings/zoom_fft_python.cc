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

X[k] = sum_m w[m] x[m] exp(-j 2 pi m f_k / samp_rate), f_k = f_start + k span / B,
k = 0 ... B-1, unscaled: scipy.signal.zoom_fft(w * x, [f_start, f_stop], B, fs=samp_rate).

The band is given by samp_rate, center_freq and span in Hz, or by f_start and f_stop. With
samp_rate 1 all frequencies are in cycles per sample.

Args:
    fft_size: N, 1 or more
    bins: B, 1 or more, N + B at most 2**30
    f_start: frequency of the first bin, any finite number: center_freq - span / 2
    f_stop: that of the bin after the last one: center_freq + span / 2
    window: N taps; or a name such as "hann", a type such as fft.window.WIN_HANN or
        ("kaiser", 8.6); or [] or None for none
    nthreads: threads of the cpu engine, 1 ... 1024
    samp_rate: of the input in Hz
    center_freq: middle of the band
    span: width of the band, at most samp_rate; bin B / 2 is at center_freq
    @engine
    @formats
    vlen: None or fft_size for vector ports; 1 for plain streams, which the block cuts into
        frames itself. A tag then moves to the first item of its frame's row.

Raises:
    ValueError: a value out of range or a window that does not fit
    RuntimeError: device trouble
)";

struct frequency_band {
    double start, stop;
};

frequency_band band_of(std::optional<double> f_start,
                       std::optional<double> f_stop,
                       std::optional<double> center_freq,
                       std::optional<double> span)
{
    const bool has_ends = f_start && f_stop, has_center = center_freq && span;
    if (has_ends == has_center || f_start.has_value() != f_stop.has_value() ||
        center_freq.has_value() != span.has_value())
        throw py::type_error("zoom_fft_vcc() takes its band either as center_freq and "
                             "span, or as f_start and f_stop");
    if (has_ends)
        return { *f_start, *f_stop };
    return { *center_freq - *span / 2, *center_freq + *span / 2 };
}

zoom_fft_vcc::sptr make_zoom_fft(std::int64_t fft_size,
                                 std::int64_t bins,
                                 std::optional<double> f_start,
                                 std::optional<double> f_stop,
                                 const window_spec& window,
                                 int nthreads,
                                 double samp_rate,
                                 std::optional<double> center_freq,
                                 std::optional<double> span,
                                 const std::string& engine,
                                 const device_list& device,
                                 const std::string& on_error,
                                 std::optional<std::int64_t> vlen,
                                 double device_timeout,
                                 const std::string& input,
                                 const std::string& output,
                                 double output_scale)
{
    const frequency_band band = band_of(f_start, f_stop, center_freq, span);
    return call_without_gil([&] {
        return zoom_fft_vcc::make(fft_size,
                                  bins,
                                  band.start,
                                  band.stop,
                                  window,
                                  nthreads,
                                  engine,
                                  device,
                                  on_error,
                                  vlen_of(vlen, "fft_size"),
                                  device_timeout,
                                  samp_rate,
                                  item_formats{ input, output, output_scale });
    });
}

} // namespace

void bind_zoom_fft(py::module& module)
{
    typedef zoom_fft_vcc block;
    python_block<block> python(module, "zoom_fft_vcc", described(ZOOM_FFT_DOC).c_str());
    const formats_arguments formats;
    python.def(py::init(&make_zoom_fft),
               "fft_size"_a,
               "bins"_a,
               "f_start"_a = py::none(),
               "f_stop"_a = py::none(),
               "window"_a = py::none(),
               "nthreads"_a = 1,
               py::kw_only(),
               "samp_rate"_a = 1.0,
               "center_freq"_a = py::none(),
               "span"_a = py::none(),
               "engine"_a = "auto",
               "device"_a = device_list(),
               "on_error"_a = "stop",
               "vlen"_a = py::none(),
               "device_timeout"_a = 10.0,
               formats.input,
               formats.output,
               formats.scale);
    bind_nthreads(python);
    bind_output_scale(python);
    bind_engine_block(python);
    python
        .def("set_band",
             &block::set_band,
             without_gil(),
             "f_start"_a,
             "f_stop"_a,
             "samp_rate"_a = py::none(),
             "Sets the band f_start ... f_stop, and the sample rate unless samp_rate is "
             "None; the number of bins stays.")
        .def("set_center_freq",
             &block::set_center_freq,
             without_gil(),
             "center_freq"_a,
             "Moves the band; its width stays.")
        .def("set_span",
             &block::set_span,
             without_gil(),
             "span"_a,
             "Sets the width of the band; its middle stays.")
        .def("f_start", &block::f_start, without_gil(), "Frequency of the first bin.")
        .def("f_stop", &block::f_stop, without_gil(), "Frequency after the last bin.")
        .def("center_freq", &block::center_freq, without_gil(), "Middle of the band.")
        .def("span", &block::span, without_gil(), "Width of the band.")
        .def("samp_rate", &block::samp_rate, without_gil(), "Of the input, in Hz.")
        .def("set_window",
             &block::set_window,
             without_gil(),
             "window"_a,
             "Another window: fft_size taps, a name, a type, or none.");
}

} // namespace gpufft
} // namespace gr
