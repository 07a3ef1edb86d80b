// SPDX-License-Identifier: GPL-3.0-or-later
//
// Transforms and spectra, and what they make of a stream.

#include "stage_reference.h"
#include <algorithm>
#include <cmath>
#include <gnuradio/gpufft/dct_vff.h>
#include <gnuradio/gpufft/dst_vff.h>
#include <gnuradio/gpufft/fft2d_vcc.h>
#include <gnuradio/gpufft/fft_v.h>
#include <gnuradio/gpufft/irfft_vcf.h>
#include <gnuradio/gpufft/logpwrfft.h>
#include <gnuradio/gpufft/power_spectrum.h>
#include <gnuradio/gpufft/rfft_vfc.h>
#include <gnuradio/gpufft/zoom_fft_vcc.h>
#include <spdlog/fmt/fmt.h>

namespace gr {
namespace gpufft {

namespace {

std::vector<float> taps_of(const std::string& window, std::size_t n)
{
    return window_spec(window).build(n);
}

double sum_of_powers(const std::vector<float>& taps, std::size_t n, int power)
{
    double sum = taps.empty() ? n : 0;
    for (double tap : taps)
        sum += std::pow(tap, power);
    return sum;
}

template <class T, bool forward>
gr::basic_block_sptr fft_block(const fft_parameters& what, const stage_options& how)
{
    return fft_v<T, forward>::make(what.n,
                                   what.window,
                                   what.shift,
                                   how.threads,
                                   how.engine,
                                   how.devices,
                                   how.on_error,
                                   what.stream ? 1 : 0,
                                   how.device_timeout,
                                   how.formats);
}

template <class T>
gr::basic_block_sptr spectrum_block(const spectrum_parameters& what,
                                    const stage_options& how)
{
    return power_spectrum<T>::make(what.n,
                                   what.hop,
                                   what.window,
                                   what.average,
                                   what.decibel ? "db" : "linear",
                                   what.shift,
                                   what.scaling,
                                   what.sample_rate,
                                   what.alpha,
                                   how.threads,
                                   how.engine,
                                   how.devices,
                                   how.on_error,
                                   to_string(what.detector),
                                   to_string(what.hold),
                                   what.density.columns,
                                   std::max<std::size_t>(what.density.levels, 1),
                                   what.density.low,
                                   what.density.high,
                                   what.density.first,
                                   what.density.columns > 0
                                       ? std::optional<std::int64_t>(what.density.bins)
                                       : std::nullopt,
                                   how.device_timeout);
}

template <class T>
gr::basic_block_sptr logpwr_block(const logpwr_parameters& what, const stage_options& how)
{
    return logpwrfft<T>::make(what.n * what.decimation,
                              what.n,
                              what.ref_scale,
                              1,
                              what.alpha,
                              what.alpha < 1,
                              what.window,
                              what.shift,
                              what.mean,
                              how.threads,
                              how.engine,
                              how.devices,
                              how.on_error,
                              how.device_timeout);
}

// The block's arguments behind the ones of its own.
template <class Block, class... Arguments>
gr::basic_block_sptr
transform_block(bool is_stream, const stage_options& how, const Arguments&... own)
{
    return Block::make(own...,
                       how.threads,
                       how.engine,
                       how.devices,
                       how.on_error,
                       is_stream ? 1 : 0,
                       how.device_timeout,
                       how.formats);
}

// Of the samples of a frame; a matrix has the window along both axes.
std::vector<float> taps_of_frame(const problem& what, const std::string& window)
{
    if (what.kind != transform_kind::c2c)
        return taps_of(window, what.frame_samples());
    const std::vector<float> down = taps_of(window, what.axes().at(0));
    const std::vector<float> across = taps_of(window, what.axes().at(1));
    std::vector<float> taps;
    for (const float of_row : down)
        for (const float of_column : across)
            taps.push_back(of_row * of_column);
    return taps;
}

gr::basic_block_sptr block_of(const problem& what,
                              bool is_stream,
                              const stage_options& how,
                              const window_spec& window)
{
    const std::vector<std::size_t> axes = what.axes();
    const kind_properties& kind = properties_of(what.kind);
    if (what.kind == transform_kind::r2c)
        return transform_block<rfft_vfc>(is_stream, how, what.n, window);
    if (what.kind == transform_kind::c2r)
        return transform_block<irfft_vcf>(is_stream, how, what.n, window);
    if (what.kind == transform_kind::c2c)
        return transform_block<fft2d_vcc>(is_stream,
                                          how,
                                          axes.at(0),
                                          axes.at(1),
                                          what.dir == direction::forward,
                                          window,
                                          what.shift_output || what.shift_input);
    if (kind.is_sine)
        return transform_block<dst_vff>(
            is_stream, how, what.n, kind.type, false, std::string("none"));
    return transform_block<dct_vff>(
        is_stream, how, what.n, kind.type, false, std::string("none"));
}

// The problem that SciPy's dct, idct, dst and idst solve.
problem problem_of(const dct_parameters& what)
{
    const int inverse[] = { 1, 3, 2, 4 };
    const int type = what.inverse ? inverse[what.type - 1] : what.type;
    problem result = problem::make(real_to_real_kind(what.is_sine, type), { what.n });
    if (what.ortho) {
        const double n = what.n + (type > 1 ? 0 : what.is_sine ? 1 : -1);
        result.orthogonal = type != 4;
        result.scale = 1 / std::sqrt(2 * n);
    }
    return result;
}

// Rows of vectors, or of frames of a stream.
stage transform_stage(const problem& what,
                      const std::vector<float>& window,
                      bool is_stream,
                      const stage_options& how,
                      const gr::basic_block_sptr& block)
{
    stage result;
    result.text = fmt::format(
        "{}{}({})", what.to_string(), is_stream ? " of a stream" : "", text_of(how));
    set_block(result, block);
    const std::size_t frame = what.frame_samples();
    const std::size_t items = is_stream ? what.row_bins() : 1; // of a row
    result.out_bytes = what.row_bins() / items * what.output_item_bytes();
    result.expect = [=](const stream_data& input) {
        stream_data output = transform(input, what, window, { 0, frame, frame }, items);
        if (!is_stream)
            output.tags = input.tags; // item for item
        return output;
    };
    return result;
}

} // namespace

stage make_transform(const problem& what,
                     bool is_stream,
                     const stage_options& how,
                     const std::string& window)
{
    problem expected = what;
    const std::vector<float> taps = taps_of_frame(what, window);
    expected.window = !taps.empty();
    return transform_stage(
        expected, taps, is_stream, how, block_of(what, is_stream, how, window));
}

stage make_dct(const dct_parameters& what, const stage_options& how)
{
    const std::string norm = what.ortho ? "ortho" : "none";
    const auto block = what.is_sine
                           ? transform_block<dst_vff>(
                                 what.stream, how, what.n, what.type, what.inverse, norm)
                           : transform_block<dct_vff>(
                                 what.stream, how, what.n, what.type, what.inverse, norm);
    return transform_stage(problem_of(what), {}, what.stream, how, block);
}

stage make_zoom(const zoom_parameters& what, const stage_options& how)
{
    problem expected;
    expected.kind = transform_kind::zoom;
    expected.n = what.n;
    expected.bins = what.bins;
    expected.f_start = what.f_start;
    expected.f_stop = what.f_stop;
    const std::vector<float> taps = taps_of(what.window, what.n);
    expected.window = !taps.empty();
    return transform_stage(expected,
                           taps,
                           what.stream,
                           how,
                           zoom_fft_vcc::make(what.n,
                                              what.bins,
                                              what.f_start,
                                              what.f_stop,
                                              window_spec(what.window),
                                              how.threads,
                                              how.engine,
                                              how.devices,
                                              how.on_error,
                                              what.stream ? 1 : 0,
                                              how.device_timeout,
                                              1,
                                              how.formats));
}

stage make_fft(const fft_parameters& what, const stage_options& how)
{
    problem expected;
    expected.dir = what.forward ? direction::forward : direction::inverse;
    expected.n = what.n;
    expected.input = what.real ? sample_format::f32 : sample_format::cf32;
    expected.shift_output = what.shift && what.forward;
    expected.shift_input = what.shift && !what.forward;
    const std::vector<float> taps = taps_of(what.window, what.n);
    expected.window = !taps.empty();
    gr::basic_block_sptr block;
    if (what.real)
        block = what.forward ? fft_block<float, true>(what, how)
                             : fft_block<float, false>(what, how);
    else
        block = what.forward ? fft_block<gr_complex, true>(what, how)
                             : fft_block<gr_complex, false>(what, how);
    return transform_stage(expected, taps, what.stream, how, block);
}

stage make_spectrum(const spectrum_parameters& what, const stage_options& how)
{
    problem expected;
    expected.n = what.n;
    expected.input = what.input;
    expected.hop = what.hop;
    expected.average = what.average;
    expected.output = what.decibel ? output_kind::decibel : output_kind::power;
    expected.shift_output = what.shift;
    expected.smoothing = what.alpha;
    expected.detector = what.detector;
    expected.hold = what.hold;
    expected.density = what.density;
    const std::vector<float> taps = taps_of(what.window, what.n);
    expected.window = !taps.empty();
    if (what.scaling == "spectrum")
        expected.scale = 1 / std::pow(sum_of_powers(taps, what.n, 1), 2);
    else if (what.scaling == "density")
        expected.scale = 1 / (what.sample_rate * sum_of_powers(taps, what.n, 2));

    stage result;
    result.text =
        fmt::format("power_spectrum {}({})", expected.to_string(), text_of(how));
    set_block(result,
              what.input == sample_format::cs16  ? spectrum_block<std::int16_t>(what, how)
              : what.input == sample_format::cs8 ? spectrum_block<std::int8_t>(what, how)
                                                 : spectrum_block<gr_complex>(what, how));
    const std::size_t items = what.input == sample_format::cf32 ? 1 : 2; // of a sample
    result.out_bytes = expected.row_items() * sizeof(float);
    result.expect = [=](const stream_data& input) {
        return power_rows(input, expected, taps, { 0, what.n, what.hop }, items, false);
    };
    return result;
}

stage make_logpwr(const logpwr_parameters& what, const stage_options& how)
{
    problem expected;
    expected.n = what.n;
    expected.input = what.real ? sample_format::f32 : sample_format::cf32;
    expected.hop = what.mean ? what.n : what.n * what.decimation;
    expected.average = what.mean ? what.decimation : 1;
    expected.output = output_kind::decibel;
    expected.shift_output = what.shift;
    expected.smoothing = what.alpha;
    const std::vector<float> taps = taps_of(what.window, what.n);
    expected.window = !taps.empty();
    expected.scale =
        1 / (what.n * sum_of_powers(taps, what.n, 2)) / std::pow(what.ref_scale / 2, 2);

    stage result;
    result.text = fmt::format("logpwrfft {}({})", expected.to_string(), text_of(how));
    set_block(result,
              what.real ? logpwr_block<float>(what, how)
                        : logpwr_block<gr_complex>(what, how));
    result.out_bytes = what.n * sizeof(float);
    result.expect = [=](const stream_data& input) {
        const bool from_silence = what.alpha < 1 && !what.mean;
        return power_rows(input,
                          expected,
                          taps,
                          { expected.hop - what.n, what.n, expected.hop },
                          1,
                          from_silence);
    };
    return result;
}

} // namespace gpufft
} // namespace gr
