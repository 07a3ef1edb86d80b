// SPDX-License-Identifier: GPL-3.0-or-later
//
// Python classes power_spectrum_cf, power_spectrum_sf, power_spectrum_bf.

#include "settings_bindings.h"
#include <gnuradio/gpufft/power_spectrum.h>

namespace gr {
namespace gpufft {

namespace {

constexpr const char* POWER_SPECTRUM_DOC =
    R"(Stream of samples -> averaged power spectra, float vectors of fft_size.

_cf takes complex64 samples; _sf and _bf take interleaved I, Q, I, Q, ... of int16 or
int8, two items a sample, and full scale (32768, 128) reads 1. Frame f has the N samples from
sample f hop on; a row is

    P[k] = c mean |sum_m w[m] x[m] exp(-j 2 pi m k / N)|^2    over `average` frames
    P   <- alpha P + (1 - alpha) P of the row before
    10 log10 P                                                 if mode is "db"

As in a spectrum analyser, the detector says how a row combines its frames, and the hold how
rows are combined. The spectral kurtosis (Nita & Gary, MNRAS 406, L60, 2010),

    SK[k] = (M + 1) / (M - 1) (M S2 / S1^2 - 1),    M = average >= 2,

S1 the sum of the frames' powers, S2 that of their squares, has no unit and is the same in
either mode: Gaussian noise reads 1, with standard deviation
2 M / sqrt((M - 1) (M + 2) (M + 3)), about 2 / sqrt(M), for frames that do not overlap; a
steady tone 0, like silence; a tone that is on for a fraction d of the frames 1 / d - 1.

)";

constexpr const char* MORE_POWER_SPECTRUM_DOC = R"(
With density_columns a row has row_floats() numbers: fft_size of the detector, fft_size of
the largest and fft_size of the smallest of the frames' powers (in the unit of `mode`), then
density_columns * density_levels counts, column after column, then the first bin, bins, low
and high that the counts cover, then zeros. Column c of C = min(density_columns, bins)
has the bins from first + c * bins // C up to those of the next; all of these bins are counted
in every frame, except NaN. set_density_span() and set_density_range() act while the flowgraph runs
and begin a new row. gpufft.spectrum_view reads such rows; not with detector "kurtosis".

All but fft_size, density_columns and density_levels, the port's size, can be set while
the flowgraph runs. reset_hold(), or any message to the port "reset", begins a new row
and a new hold with the next frame; so does a change of what is held (window, scaling,
samp_rate, mode, shift, average, detector, hold). Detectors "max" and "min" and holds
leave out NaN. With alpha < 1, after a row that is not finite (from a NaN, an infinity, or
samples whose power overflows single precision) all later rows are not finite either, until
reset_hold(), which also restarts the average. A tag moves to the row of the last
frame that starts at or before its sample.

Raises:
    ValueError: a value out of range
    RuntimeError: device trouble
)";

constexpr const char* STARTS_NEW_MEAN = "; starts a new mean";
constexpr const char* STARTS_NEW_ROW = "; starts a new row";

const auto POWER_SPECTRUM_POSITIONAL = std::make_tuple(
    required(field{ "fft_size",
                    &power_spectrum_settings::fft_size,
                    "N, 1 ... 2**28: points of the FFT and bins of a row",
                    field_methods::getter }),
    field{ "hop",
           &power_spectrum_settings::hop,
           "samples from frame to frame, at least 1; None is fft_size",
           field_methods::none },
    field{ "window",
           &power_spectrum_settings::window,
           "N taps, a name such as \"hann\" (symmetric, as gnuradio.fft.window), a type "
           "such as fft.window.WIN_HANN, (\"kaiser\", 8.6), or [] or None for none",
           field_methods::setter },
    field{ "average",
           &power_spectrum_settings::average,
           "frames in a row, at least 1",
           field_methods::both,
           STARTS_NEW_MEAN },
    field{ "mode",
           &power_spectrum_settings::mode,
           "\"linear\" or \"db\"",
           field_methods::both,
           STARTS_NEW_MEAN },
    field{ "shift",
           &power_spectrum_settings::shift,
           "DC in bin floor(N/2), else in bin 0",
           field_methods::both,
           STARTS_NEW_MEAN });

const auto POWER_SPECTRUM_KEYWORD = std::make_tuple(
    field{ "scaling",
           &power_spectrum_settings::scaling,
           "\"spectrum\": c = 1 / (sum w)^2, a tone of amplitude A reads A^2; "
           "\"density\": c = 1 / (samp_rate sum w^2), power per Hz as "
           "scipy.signal.welch(detrend=False, return_onesided=False); \"none\": c = 1" },
    field{ "samp_rate",
           &power_spectrum_settings::samp_rate,
           "in Hz, used by scaling \"density\"; sample_rate is an older name of it" },
    field{ "alpha",
           &power_spectrum_settings::alpha,
           "weight of the new row in the exponential average, 0 < alpha <= 1; 1 is off" },
    field{ "detector",
           &power_spectrum_settings::detector,
           "\"mean\", \"max\" (positive peak), \"min\" (negative peak) or spectral "
           "\"kurtosis\" of a row's frames in each bin",
           field_methods::both,
           STARTS_NEW_ROW },
    field{ "hold",
           &power_spectrum_settings::hold,
           "\"max\" or \"min\" of all rows since the start or the last reset, where "
           "alpha has no effect; \"none\" is off",
           field_methods::both,
           STARTS_NEW_ROW },
    field{ "density_columns",
           &power_spectrum_settings::density_columns,
           "0, or 1 ... 65536: rows also count how often each frequency was at each "
           "level",
           field_methods::getter },
    field{ "density_levels",
           &power_spectrum_settings::density_levels,
           "levels of the density, 1 ... 256",
           field_methods::getter },
    field{ "density_low",
           &power_spectrum_settings::density_low,
           "lower end of the first level in dB; lower powers count in it",
           field_methods::getter },
    field{ "density_high",
           &power_spectrum_settings::density_high,
           "upper end of the last level in dB; higher powers count in it",
           field_methods::getter },
    field{ "density_first_bin",
           &power_spectrum_settings::density_first_bin,
           "the first bin that is counted, by its place in the row",
           field_methods::getter },
    field{ "density_bins",
           &power_spectrum_settings::density_bins,
           "bins that are counted; None is all from the first on, 0 is none",
           field_methods::none },
    field{ "overlap",
           &power_spectrum_settings::overlap,
           "instead of hop: the share of a frame that the next one repeats, "
           "0 <= overlap < 1; hop is then fft_size (1 - overlap), rounded",
           field_methods::none },
    field{
        "input",
        &power_spectrum_settings::input,
        "format of the samples: \"\" is that of the block's name, else one item is one "
        "sample: cf32, cs16, cs12, cs8, cf16, or real f32, s16, s8, f16, s10, s12 (4 in "
        "5 bytes, 2 in 3), of which a row "
        "has the bins 0 ... N/2, without shift and not doubled",
        field_methods::none },
    field{ "output",
           &power_spectrum_settings::output,
           "format of the rows: \"\" or f32 is float; f16 is half precision, "
           "up to 65504",
           field_methods::none },
    threads_field(&power_spectrum_settings::nthreads));

template <class T>
void bind_one_power_spectrum(py::module& module, const char* name)
{
    typedef power_spectrum<T> block;
    python_block<block> python(
        module,
        name,
        settings_doc(POWER_SPECTRUM_DOC,
                     std::tuple_cat(POWER_SPECTRUM_POSITIONAL, POWER_SPECTRUM_KEYWORD),
                     MORE_POWER_SPECTRUM_DOC)
            .c_str());
    bind_settings(python, POWER_SPECTRUM_POSITIONAL, POWER_SPECTRUM_KEYWORD);
    bind_nthreads(python, CPU_THREADS);
    python
        .def(
            "set_density_span",
            &block::set_density_span,
            without_gil(),
            "first_bin"_a,
            "bins"_a,
            "The density counts `bins` bins of the row from first_bin on; None is all of "
            "them, 0 is none. Starts a new row.")
        .def(
            "set_density_range",
            &block::set_density_range,
            without_gil(),
            "low"_a,
            "high"_a,
            "The density's first level begins at low dB, its last ends at high; starts a "
            "new row.")
        .def("reset_hold",
             &block::reset_hold,
             without_gil(),
             "Begins a new row and a new hold with the next frame.")
        .def("set_hop",
             &block::set_hop,
             without_gil(),
             "hop"_a,
             "Samples from frame to frame, at least 1; None is fft_size.")
        .def("set_overlap",
             &block::set_overlap,
             without_gil(),
             "overlap"_a,
             "Sets the hop to fft_size (1 - overlap), 0 <= overlap < 1; None is 0.")
        .def("set_sample_rate",
             &block::set_sample_rate,
             without_gil(),
             "sample_rate"_a,
             "Older name of set_samp_rate().")
        .def("sample_rate",
             &block::sample_rate,
             without_gil(),
             "Older name of samp_rate().")
        .def("hop", &block::hop, without_gil(), "Samples from frame to frame.")
        .def(
            "density_bins", &block::density_bins, without_gil(), "Bins that are counted.")
        .def("row_floats",
             &block::row_floats,
             without_gil(),
             "Numbers of a row: fft_size, of real samples fft_size // 2 + 1, or more "
             "with a density.");
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
