// SPDX-License-Identifier: GPL-3.0-or-later
//
// Python classes logpwrfft_c and logpwrfft_f.

#include "block_bindings.h"
#include <gnuradio/gpufft/logpwrfft.h>

namespace gr {
namespace gpufft {

namespace {

constexpr const char* LOGPWRFFT_DOC =
    R"(Log power FFT at a frame rate, in the place of gr-fft's logpwrfft.

Out of every N * decimation samples comes one row of N floats; decimation =
max(1, round(sample_rate / N / frame_rate)):

    y <- y + a (|X|^2 - y),  y = 0 at first,  a = avg_alpha if average is on, else 1
    10 log10 y - 20 log10 N - 10 log10(sum w^2 / N) - 20 log10(ref_scale / 2)   [dB]

with X the FFT of the interval's last N windowed samples; or, with mean=True, |X|^2 the
mean over all the interval's frames (gr-fft's block throws the others away), and y the
first of them at first.

A row that is not finite (of a NaN, an infinity, or samples whose power overflows single
precision) makes the average's later rows not finite, as gr-fft's. reset_average(), or any
message to the port "reset", begins it anew, with the next row as y.

Args:
    sample_rate: in Hz
    fft_size: N, 1 ... 2**28
    ref_scale: peak-to-peak amplitude that reads 0 dB
    frame_rate: rows a second
    avg_alpha: weight of the new row, 0 < avg_alpha <= 1
    average: average over rows
    win: a function win(N) that returns N taps, or N taps, a name such as "hann", a type
        such as fft.window.WIN_HANN; None is blackmanharris
    shift: DC in bin floor(N/2), else in bin 0
    mean: average all frames of an interval, else keep the last
    nthreads: threads of the cpu engine, 1 ... 1024; 0 is one for each core
    engine: "auto" (the GPU where it is usable, has the length and is faster than the CPU, as
        measured once on a machine: see gpufft advise), "cuda" or "cpu"
    device: index of the NVIDIA GPU, or a list of them that take turns
    on_error: on device trouble "stop" the flowgraph, or go on with the "cpu"
    device_timeout: seconds for which the GPU may work on one chunk before that is device
        trouble; 0 is for ever

Raises:
    ValueError: a value out of range
    RuntimeError: device trouble
)";

window_spec window_of(const py::object& win, std::int64_t fft_size)
{
    if (win.is_none())
        return "blackmanharris";
    if (PyCallable_Check(win.ptr()))
        return win(fft_size).cast<window_spec>();
    return win.cast<window_spec>();
}

template <class Block, class... Base>
void bind_methods(py::class_<Block, Base...>& python)
{
    python
        .def("set_decimation",
             &Block::set_decimation,
             without_gil(),
             "decim"_a,
             "decim frames in an interval, rounded, at least 1.")
        .def("set_vec_rate",
             &Block::set_vec_rate,
             without_gil(),
             "vec_rate"_a,
             "vec_rate rows a second; sets the decimation.")
        .def("set_sample_rate",
             &Block::set_sample_rate,
             without_gil(),
             "sample_rate"_a,
             "In Hz; sets the decimation.")
        .def("set_average",
             &Block::set_average,
             without_gil(),
             "average"_a,
             "Average over rows.")
        .def("set_avg_alpha",
             &Block::set_avg_alpha,
             without_gil(),
             "avg_alpha"_a,
             "Weight of the new row, 0 < avg_alpha <= 1.")
        .def("set_ref_scale",
             &Block::set_ref_scale,
             without_gil(),
             "ref_scale"_a,
             "Peak-to-peak amplitude that reads 0 dB.")
        .def("set_shift",
             &Block::set_shift,
             without_gil(),
             "shift"_a,
             "DC in bin floor(N/2), else in bin 0.")
        .def("set_nthreads",
             &Block::set_nthreads,
             without_gil(),
             "n"_a,
             "n threads of the cpu engine; 0 is one for each core.")
        .def("reset_average",
             &Block::reset_average,
             without_gil(),
             "Begins the average anew, with the next row.")
        .def("sample_rate", &Block::sample_rate, without_gil(), "In Hz.")
        .def("decimation",
             &Block::decimation,
             without_gil(),
             "Frames in an interval, of which a row comes.")
        .def("frame_rate",
             &Block::frame_rate,
             without_gil(),
             "The actual one, sample_rate / fft_size / decimation.")
        .def("average", &Block::average, without_gil(), "Whether rows are averaged.")
        .def("avg_alpha",
             &Block::avg_alpha,
             without_gil(),
             "Weight of the new row, 0 < avg_alpha <= 1.")
        .def("fft_size",
             &Block::fft_size,
             without_gil(),
             "Points of the FFT, and numbers of a row.");
}

template <class T>
void bind_one_logpwrfft(py::module& module, const char* name)
{
    typedef logpwrfft<T> block;
    py::class_<block, gr::block, gr::basic_block, std::shared_ptr<block>> python(
        module, name, LOGPWRFFT_DOC);
    python.def(py::init([](double sample_rate,
                           std::int64_t fft_size,
                           double ref_scale,
                           double frame_rate,
                           double avg_alpha,
                           bool average,
                           const py::object& win,
                           bool shift,
                           bool mean,
                           int nthreads,
                           const std::string& engine,
                           const device_list& device,
                           const std::string& on_error,
                           double device_timeout) {
                   const window_spec window = window_of(win, fft_size);
                   return call_without_gil([&] {
                       return block::make(sample_rate,
                                          fft_size,
                                          ref_scale,
                                          frame_rate,
                                          avg_alpha,
                                          average,
                                          window,
                                          shift,
                                          mean,
                                          nthreads,
                                          engine,
                                          device,
                                          on_error,
                                          device_timeout);
                   });
               }),
               "sample_rate"_a,
               "fft_size"_a,
               "ref_scale"_a,
               "frame_rate"_a,
               "avg_alpha"_a,
               "average"_a,
               "win"_a = py::none(),
               "shift"_a = false,
               py::kw_only(),
               "mean"_a = false,
               "nthreads"_a = 0,
               "engine"_a = "auto",
               "device"_a = device_list(),
               "on_error"_a = "stop",
               "device_timeout"_a = 10.0);
    python.def(
        "set_window",
        [](block& self, const py::object& win) {
            const window_spec window = window_of(win, self.fft_size());
            py::gil_scoped_release release;
            self.set_window(window);
        },
        "win"_a,
        "A function win(N) that returns N taps, N taps, a name or a type.");
    bind_methods(python);
    bind_engine_block(python);
}

} // namespace

void bind_logpwrfft(py::module& module)
{
    bind_one_logpwrfft<gr_complex>(module, "logpwrfft_c");
    bind_one_logpwrfft<float>(module, "logpwrfft_f");
}

} // namespace gpufft
} // namespace gr
