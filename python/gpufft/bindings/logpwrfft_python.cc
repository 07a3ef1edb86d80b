// SPDX-License-Identifier: GPL-3.0-or-later
//
// Python classes logpwrfft_c and logpwrfft_f.

#include "settings_bindings.h"
#include <gnuradio/gpufft/logpwrfft.h>

namespace gr {
namespace gpufft {

namespace {

constexpr const char* LOGPWRFFT_DOC =
    R"(Log power FFT at a frame rate, replacing gr-fft's logpwrfft.

Every N * decimation samples give one row of N floats, with decimation =
max(1, round(sample_rate / N / frame_rate)):

    y <- y + a (|X|^2 - y),  y = 0 at first,  a = avg_alpha if average is on, else 1
    10 log10 y - 20 log10 N - 10 log10(sum w^2 / N) - 20 log10(ref_scale / 2)   [dB]

with X the FFT of the interval's last N windowed samples; or, with mean=True, |X|^2 the
mean over all the interval's frames (gr-fft's block discards the others); y then starts at
the first of these means.

After a row that is not finite (from a NaN, an infinity, or samples whose power overflows
single precision) all later rows of the average are not finite either, as in gr-fft.
reset_average(), or any message to the port "reset", restarts it with the next row as y.

)";

constexpr const char* LOGPWRFFT_RAISES = R"(
Raises:
    ValueError: a value out of range
    RuntimeError: device trouble
)";

window_spec window_of(const py::object& win, std::int64_t fft_size)
{
    if (win.is_none())
        return logpwrfft_settings().window;
    if (PyCallable_Check(win.ptr()))
        return win(fft_size).cast<window_spec>();
    return win.cast<window_spec>();
}

// The field window, which Python calls win and may also give as a function.
struct win_field {
    typedef py::object value;

    static constexpr const char* name = "win";
    static constexpr const char* words =
        "a function win(N) that returns N taps, or N taps, a name such as \"hann\", a "
        "type such as fft.window.WIN_HANN; None is blackmanharris";

    void store(logpwrfft_settings& into, const py::object& win) const
    {
        into.window = window_of(win, into.fft_size);
    }

    py::arg_v argument() const { return py::arg(name) = py::none(); }

    template <class Class>
    void bind(Class& python) const
    {
        typedef typename Class::type block;
        python.def(
            "set_window",
            [](block& self, const py::object& win) {
                const window_spec window = window_of(win, self.fft_size());
                call_without_gil([&] { self.set_window(window); });
            },
            "win"_a,
            "A function win(N) that returns N taps, N taps, a name or a type.");
    }
};

const auto LOGPWRFFT_POSITIONAL = std::make_tuple(
    required(field{ "sample_rate",
                    &logpwrfft_settings::sample_rate,
                    "in Hz",
                    field_methods::getter }),
    required(field{ "fft_size",
                    &logpwrfft_settings::fft_size,
                    "N, 1 ... 2**28: points of the FFT and numbers of a row",
                    field_methods::getter }),
    required(field{ "ref_scale",
                    &logpwrfft_settings::ref_scale,
                    "peak-to-peak amplitude that reads 0 dB",
                    field_methods::setter }),
    required(field{ "frame_rate",
                    &logpwrfft_settings::frame_rate,
                    "rows a second",
                    field_methods::none }),
    required(field{ "avg_alpha",
                    &logpwrfft_settings::avg_alpha,
                    "weight of the new row, 0 < avg_alpha <= 1" }),
    required(field{ "average", &logpwrfft_settings::average, "average over rows" }),
    win_field(),
    field{ "shift",
           &logpwrfft_settings::shift,
           "DC in bin floor(N/2), else in bin 0",
           field_methods::setter });

const auto LOGPWRFFT_KEYWORD = std::make_tuple(
    field{ "mean",
           &logpwrfft_settings::mean,
           "average all frames of an interval, else keep the last",
           field_methods::none },
    threads_field(&logpwrfft_settings::nthreads),
    field{ "input",
           &logpwrfft_settings::input,
           "format of the samples: \"\" is that of the block's name, else "
           "one item is one sample: cf32, cs16, cs12, cs8, cf16; of "
           "logpwrfft_f f32, s16, s8, f16",
           field_methods::none },
    field{ "output",
           &logpwrfft_settings::output,
           "format of the rows: \"\" or f32 is float; f16 is half "
           "precision",
           field_methods::none });

template <class T>
void bind_one_logpwrfft(py::module& module, const char* name)
{
    typedef logpwrfft<T> block;
    python_block<block> python(
        module,
        name,
        settings_doc(LOGPWRFFT_DOC,
                     std::tuple_cat(LOGPWRFFT_POSITIONAL, LOGPWRFFT_KEYWORD),
                     LOGPWRFFT_RAISES)
            .c_str());
    bind_settings(python, LOGPWRFFT_POSITIONAL, LOGPWRFFT_KEYWORD);
    python
        .def("set_decimation",
             &block::set_decimation,
             without_gil(),
             "decim"_a,
             "decim frames in an interval, rounded, at least 1.")
        .def("set_vec_rate",
             &block::set_vec_rate,
             without_gil(),
             "vec_rate"_a,
             "vec_rate rows a second; sets the decimation.")
        .def("set_sample_rate",
             &block::set_sample_rate,
             without_gil(),
             "sample_rate"_a,
             "In Hz; sets the decimation.")
        .def("set_nthreads", &block::set_nthreads, without_gil(), "n"_a, CPU_THREADS)
        .def("reset_average",
             &block::reset_average,
             without_gil(),
             "Restarts the average with the next row.")
        .def("decimation",
             &block::decimation,
             without_gil(),
             "Frames in an interval, of which a row comes.")
        .def("frame_rate",
             &block::frame_rate,
             without_gil(),
             "The actual one, sample_rate / fft_size / decimation.");
}

} // namespace

void bind_logpwrfft(py::module& module)
{
    bind_one_logpwrfft<gr_complex>(module, "logpwrfft_c");
    bind_one_logpwrfft<float>(module, "logpwrfft_f");
}

} // namespace gpufft
} // namespace gr
