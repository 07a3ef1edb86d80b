// SPDX-License-Identifier: GPL-3.0-or-later
//
// Python classes power_spectrum_cf, power_spectrum_sf, power_spectrum_bf.

#include "block_bindings.h"
#include <gnuradio/gpufft/power_spectrum.h>

namespace gr {
namespace gpufft {

namespace {

constexpr const char* POWER_SPECTRUM_DOC =
    R"(Stream of samples -> averaged power spectra, float vectors of fft_size.

_cf takes complex64 samples; _sf and _bf take interleaved I, Q, I, Q, ... of int16 or
int8, two items a sample, and full scale (32768, 128) reads 1. Frame f has the N samples from
f hop on; a row is

    P[k] = c mean |sum_m w[m] x[m] exp(-j 2 pi m k / N)|^2    over `average` frames
    P   <- alpha P + (1 - alpha) P of the row before
    10 log10 P                                                 if mode is "db"

As in a spectrum analyser, the detector says what a row takes of its frames, and the hold
what the rows together show. The spectral kurtosis (Nita & Gary, MNRAS 406, L60, 2010),

    SK[k] = (M + 1) / (M - 1) (M S2 / S1^2 - 1),    M = average >= 2,

S1 the sum of the frames' powers, S2 that of their squares, has no unit and is the same in
either mode: Gaussian noise reads 1, with standard deviation
2 M / sqrt((M - 1) (M + 2) (M + 3)), about 2 / sqrt(M), for frames that do not overlap; a
steady tone 0, like silence; a tone that is on for a fraction d of the frames 1 / d - 1.

Args:
    fft_size: N, 1 ... 2**28
    hop: samples from frame to frame, at least 1; None is fft_size
    window: N taps, a name such as "hann" (symmetric, as gnuradio.fft.window), a type such
        as fft.window.WIN_HANN, ("kaiser", 8.6), or [] or None for none
    average: frames in a row, at least 1
    mode: "linear" or "db"
    shift: DC in bin floor(N/2), else in bin 0
    scaling: "spectrum": c = 1 / (sum w)^2, a tone of amplitude A reads A^2;
        "density": c = 1 / (sample_rate sum w^2), power per Hz as
        scipy.signal.welch(detrend=False, return_onesided=False); "none": c = 1
    sample_rate: in Hz, used by "density"
    alpha: weight of the new row in the exponential average, 0 < alpha <= 1; 1 is off
    detector: of a row's frames in each bin: their "mean", the "max" (positive peak), the "min"
        (negative peak), or their spectral "kurtosis"
    hold: "max" or "min" of all rows since the start or the last reset, where alpha does
        not act; "none" is off
    density_columns: 0, or 1 ... 65536: rows also count how often each frequency was at
        each level, see below
    density_levels: 1 ... 256
    density_low, density_high: the first level begins at low dB, the last one ends at high; what
        is beyond is counted in them
    density_first_bin, density_bins: what is counted, by places in the row; None is all from the
        first bin on, 0 is none
    nthreads: threads of the cpu engine, 1 ... 1024; 0 is one for each core
    engine: "auto" (the GPU where it is usable, has the length and is faster than the CPU, as
        measured once on a machine: see gpufft advise), "cuda" or "cpu"
    device: index of the NVIDIA GPU, or a list of them that take turns
    on_error: on device trouble "stop" the flowgraph, or go on with the "cpu"
    device_timeout: seconds for which the GPU may work on one chunk before that is device
        trouble; 0 is for ever

With density_columns a row has row_floats() numbers: fft_size of the detector, fft_size of
the largest and fft_size of the smallest of the frames' powers (in the unit of `mode`), then
density_columns * density_levels counts, levels of one column after another, then first bin,
bins, low and high of what they count, then zeros. Column c of C = min(density_columns, bins)
has the bins first + c * bins // C up to those of the next; all of them are counted, in every
frame, but for NaN. set_density_span() and set_density_range() act while the flowgraph runs
and begin a new row. gpufft.spectrum_view reads such rows; not with detector "kurtosis".

All but fft_size, density_columns and density_levels, the port's size, can be set while the flowgraph runs. reset_hold(), or any
message to the port "reset", begins a new row and a new hold with the next frame; so does a
change of what is held (window, scaling, sample_rate, mode, shift, average, detector, hold).
Detectors "max" and "min" and holds leave out NaN. With alpha < 1 a row that is not finite
(of a NaN, an infinity, or samples whose power overflows single precision) makes the later
ones not finite, until reset_hold(), which begins the average anew, too. A tag moves to
the row of the last frame that starts at or before its sample.

Raises:
    ValueError: a value out of range
    RuntimeError: device trouble
)";

template <class Block, class... Base>
void bind_setters(py::class_<Block, Base...>& python)
{
    python
        .def("set_hop",
             &Block::set_hop,
             without_gil(),
             "hop"_a,
             "Samples from frame to frame; None is fft_size.")
        .def("set_window",
             &Block::set_window,
             without_gil(),
             "window"_a,
             "fft_size taps, a name, a type, or none.")
        .def("set_average",
             &Block::set_average,
             without_gil(),
             "average"_a,
             "Frames in a row; starts a new mean.")
        .def("set_mode",
             &Block::set_mode,
             without_gil(),
             "mode"_a,
             "\"linear\" or \"db\"; starts a new mean.")
        .def("set_shift",
             &Block::set_shift,
             without_gil(),
             "shift"_a,
             "DC in bin floor(N/2), else in bin 0; starts a new mean.")
        .def("set_scaling",
             &Block::set_scaling,
             without_gil(),
             "scaling"_a,
             "\"spectrum\", \"density\" or \"none\".")
        .def("set_sample_rate",
             &Block::set_sample_rate,
             without_gil(),
             "sample_rate"_a,
             "In Hz; used by scaling \"density\".")
        .def("set_alpha",
             &Block::set_alpha,
             without_gil(),
             "alpha"_a,
             "Weight of the new row, 0 < alpha <= 1.")
        .def("set_detector",
             &Block::set_detector,
             without_gil(),
             "detector"_a,
             "\"mean\", \"max\", \"min\" or \"kurtosis\"; starts a new row.")
        .def("set_hold",
             &Block::set_hold,
             without_gil(),
             "hold"_a,
             "\"none\", \"max\" or \"min\"; starts a new row.")
        .def("set_density_span",
             &Block::set_density_span,
             without_gil(),
             "first_bin"_a,
             "bins"_a,
             "The density counts `bins` bins of the row from first_bin on, None is all "
             "there are, 0 is none; starts a new row.")
        .def(
            "set_density_range",
            &Block::set_density_range,
            without_gil(),
            "low"_a,
            "high"_a,
            "The density's first level begins at low dB, its last ends at high; starts a "
            "new row.")
        .def("reset_hold",
             &Block::reset_hold,
             without_gil(),
             "Begins a new row and a new hold with the next frame.")
        .def("set_nthreads",
             &Block::set_nthreads,
             without_gil(),
             "n"_a,
             "n threads of the cpu engine; 0 is one for each core.");
}

template <class Block, class... Base>
void bind_getters(py::class_<Block, Base...>& python)
{
    python
        .def("fft_size",
             &Block::fft_size,
             without_gil(),
             "Points of the FFT, and bins of a row.")
        .def("row_floats",
             &Block::row_floats,
             without_gil(),
             "Numbers of a row: fft_size, or more with a density.")
        .def("density_columns",
             &Block::density_columns,
             without_gil(),
             "Of the density; 0 is none.")
        .def("density_levels", &Block::density_levels, without_gil(), "Of the density.")
        .def("density_first_bin",
             &Block::density_first_bin,
             without_gil(),
             "The first bin that is counted.")
        .def(
            "density_bins", &Block::density_bins, without_gil(), "Bins that are counted.")
        .def("density_low",
             &Block::density_low,
             without_gil(),
             "Where the first level begins, in dB.")
        .def("density_high",
             &Block::density_high,
             without_gil(),
             "Where the last level ends, in dB.")
        .def("hop", &Block::hop, without_gil(), "Samples from frame to frame.")
        .def("average", &Block::average, without_gil(), "Frames in a row.")
        .def("mode", &Block::mode, without_gil(), "\"linear\" or \"db\".")
        .def("shift",
             &Block::shift,
             without_gil(),
             "Whether DC is in bin floor(N/2), else in bin 0.")
        .def("scaling",
             &Block::scaling,
             without_gil(),
             "\"spectrum\", \"density\" or \"none\".")
        .def("sample_rate", &Block::sample_rate, without_gil(), "In Hz.")
        .def("alpha",
             &Block::alpha,
             without_gil(),
             "Weight of the new row, 0 < alpha <= 1.")
        .def("detector",
             &Block::detector,
             without_gil(),
             "\"mean\", \"max\", \"min\" or \"kurtosis\".")
        .def("hold", &Block::hold, without_gil(), "\"none\", \"max\" or \"min\".")
        .def("nthreads",
             &Block::nthreads,
             without_gil(),
             "Threads of the cpu engine; 0 is one for each core.");
}

template <class T>
void bind_one_power_spectrum(py::module& module, const char* name)
{
    typedef power_spectrum<T> block;
    py::class_<block, gr::block, gr::basic_block, std::shared_ptr<block>> python(
        module, name, POWER_SPECTRUM_DOC);
    python.def(py::init([](std::int64_t fft_size,
                           std::optional<std::int64_t> hop,
                           const window_spec& window,
                           std::int64_t average,
                           const std::string& mode,
                           bool shift,
                           const std::string& scaling,
                           double sample_rate,
                           double alpha,
                           const std::string& detector,
                           const std::string& hold,
                           std::int64_t density_columns,
                           std::int64_t density_levels,
                           double density_low,
                           double density_high,
                           std::int64_t density_first_bin,
                           std::optional<std::int64_t> density_bins,
                           int nthreads,
                           const std::string& engine,
                           const device_list& device,
                           const std::string& on_error,
                           double device_timeout) {
                   return call_without_gil([&] {
                       return block::make(fft_size,
                                          hop,
                                          window,
                                          average,
                                          mode,
                                          shift,
                                          scaling,
                                          sample_rate,
                                          alpha,
                                          nthreads,
                                          engine,
                                          device,
                                          on_error,
                                          detector,
                                          hold,
                                          density_columns,
                                          density_levels,
                                          density_low,
                                          density_high,
                                          density_first_bin,
                                          density_bins,
                                          device_timeout);
                   });
               }),
               "fft_size"_a,
               "hop"_a = py::none(),
               "window"_a = "hann",
               "average"_a = 1,
               "mode"_a = "linear",
               "shift"_a = true,
               py::kw_only(),
               "scaling"_a = "spectrum",
               "sample_rate"_a = 1.0,
               "alpha"_a = 1.0,
               "detector"_a = "mean",
               "hold"_a = "none",
               "density_columns"_a = 0,
               "density_levels"_a = 128,
               "density_low"_a = -140.0,
               "density_high"_a = 0.0,
               "density_first_bin"_a = 0,
               "density_bins"_a = py::none(),
               "nthreads"_a = 0,
               "engine"_a = "auto",
               "device"_a = device_list(),
               "on_error"_a = "stop",
               "device_timeout"_a = 10.0);
    bind_setters(python);
    bind_getters(python);
    bind_engine_block(python);
}

} // namespace

void bind_power_spectrum(py::module& module)
{
    bind_one_power_spectrum<gr_complex>(module, "power_spectrum_cf");
    bind_one_power_spectrum<std::int16_t>(module, "power_spectrum_sf");
    bind_one_power_spectrum<std::int8_t>(module, "power_spectrum_bf");
}

} // namespace gpufft
} // namespace gr
