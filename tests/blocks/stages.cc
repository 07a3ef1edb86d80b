// SPDX-License-Identifier: GPL-3.0-or-later
//
// Our blocks and stock blocks, and what they make of a stream.

#include "stages.h"
#include "stage_reference.h"
#include "test_blocks.h"
#include <algorithm>
#include <cmath>
#include <gnuradio/blocks/copy.h>
#include <gnuradio/blocks/head.h>
#include <gnuradio/blocks/stream_to_vector.h>
#include <gnuradio/blocks/vector_to_stream.h>
#include <gnuradio/gpufft/dct_vff.h>
#include <gnuradio/gpufft/dst_vff.h>
#include <gnuradio/gpufft/fft2d_vcc.h>
#include <gnuradio/gpufft/fft_v.h>
#include <gnuradio/gpufft/irfft_vcf.h>
#include <gnuradio/gpufft/logpwrfft.h>
#include <gnuradio/gpufft/power_spectrum.h>
#include <gnuradio/gpufft/rfft_vfc.h>
#include <gnuradio/hier_block2.h>
#include <gnuradio/io_signature.h>
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
                                   1,
                                   "cuda",
                                   how.devices,
                                   how.on_error,
                                   what.stream ? 1 : 0);
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
                                   "spectrum",
                                   1,
                                   what.alpha,
                                   1,
                                   "cuda",
                                   how.devices,
                                   how.on_error,
                                   to_string(what.detector),
                                   to_string(what.hold));
}

template <class T>
gr::basic_block_sptr logpwr_block(const logpwr_parameters& what, const stage_options& how)
{
    return logpwrfft<T>::make(what.n * what.decimation,
                              what.n,
                              2,
                              1,
                              what.alpha,
                              what.alpha < 1,
                              what.window,
                              what.shift,
                              what.mean,
                              1,
                              "cuda",
                              how.devices,
                              how.on_error);
}

// The block's arguments behind the ones of its own.
template <class Block, class... Arguments>
gr::basic_block_sptr
transform_block(bool is_stream, const stage_options& how, const Arguments&... own)
{
    return Block::make(own..., 1, "cuda", how.devices, how.on_error, is_stream ? 1 : 0);
}

gr::basic_block_sptr
block_of(const problem& what, bool is_stream, const stage_options& how)
{
    const std::vector<std::size_t> axes = what.axes();
    const int type = static_cast<int>(what.kind) - static_cast<int>(transform_kind::dct1);
    if (what.kind == transform_kind::r2c)
        return transform_block<rfft_vfc>(is_stream, how, what.n, window_spec());
    if (what.kind == transform_kind::c2r)
        return transform_block<irfft_vcf>(is_stream, how, what.n, window_spec());
    if (what.kind == transform_kind::c2c)
        return transform_block<fft2d_vcc>(is_stream,
                                          how,
                                          axes.at(0),
                                          axes.at(1),
                                          what.dir == direction::forward,
                                          window_spec(),
                                          what.shift_output || what.shift_input);
    if (type < 4)
        return transform_block<dct_vff>(
            is_stream, how, what.n, type + 1, false, std::string("none"));
    return transform_block<dst_vff>(
        is_stream, how, what.n, type - 3, false, std::string("none"));
}

} // namespace

stage make_transform(const problem& what, bool is_stream, const stage_options& how)
{
    stage result;
    result.text = fmt::format(
        "{}{}({})", what.to_string(), is_stream ? " of a stream" : "", text_of(how));
    result.block = block_of(what, is_stream, how);
    result.ours = { std::dynamic_pointer_cast<engine_block>(result.block) };
    const std::size_t frame = what.frame_samples();
    const std::size_t items = is_stream ? what.row_bins() : 1; // of a row
    result.out_bytes = what.row_bins() / items * what.output_item_bytes();
    result.expect = [=](const stream_data& input) {
        const plan::uptr with = reference_plan(what, {});
        stream_data output = transform(input, *with, { 0, frame, frame }, 1, items);
        if (!is_stream)
            output.tags = input.tags; // item for item
        return output;
    };
    return result;
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

    stage result;
    result.text = fmt::format("{}{}({})",
                              expected.to_string(),
                              what.stream ? " of a stream" : "",
                              text_of(how));
    if (what.real)
        result.block = what.forward ? fft_block<float, true>(what, how)
                                    : fft_block<float, false>(what, how);
    else
        result.block = what.forward ? fft_block<gr_complex, true>(what, how)
                                    : fft_block<gr_complex, false>(what, how);
    const std::size_t items = what.stream ? what.n : 1; // of a row
    result.ours = { std::dynamic_pointer_cast<engine_block>(result.block) };
    result.out_bytes = what.n / items * sizeof(gr_complex);
    result.expect = [=](const stream_data& input) {
        const plan::uptr with = reference_plan(expected, taps);
        if (what.stream)
            return transform(input, *with, { 0, what.n, what.n }, 1, what.n);
        stream_data output = transform(input, *with, { 0, what.n, what.n }, 1, 1);
        output.tags = input.tags; // item for item
        return output;
    };
    return result;
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
    const std::vector<float> taps = taps_of(what.window, what.n);
    expected.window = !taps.empty();
    expected.scale = 1 / std::pow(sum_of_powers(taps, what.n, 1), 2);

    stage result;
    result.text =
        fmt::format("power_spectrum {}({})", expected.to_string(), text_of(how));
    if (what.input == sample_format::cs16)
        result.block = spectrum_block<std::int16_t>(what, how);
    else if (what.input == sample_format::cs8)
        result.block = spectrum_block<std::int8_t>(what, how);
    else
        result.block = spectrum_block<gr_complex>(what, how);
    const std::size_t items = what.input == sample_format::cf32 ? 1 : 2; // of a sample
    result.ours = { std::dynamic_pointer_cast<engine_block>(result.block) };
    result.out_bytes = what.n * sizeof(float);
    result.expect = [=](const stream_data& input) {
        const plan::uptr with = reference_plan(expected, taps);
        return transform(input, *with, { 0, what.n, what.hop }, items, 1);
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
    expected.scale = 1 / (what.n * sum_of_powers(taps, what.n, 2));

    stage result;
    result.text = fmt::format("logpwrfft {}({})", expected.to_string(), text_of(how));
    result.block =
        what.real ? logpwr_block<float>(what, how) : logpwr_block<gr_complex>(what, how);
    result.ours = { std::dynamic_pointer_cast<engine_block>(result.block) };
    result.out_bytes = what.n * sizeof(float);
    result.expect = [=](const stream_data& input) {
        const plan::uptr with = reference_plan(expected, taps);
        if (what.alpha < 1 && !what.mean) { // the average starts at 0
            const std::vector<gr_complex> silence(what.n);
            std::vector<float> row(what.n);
            with->execute(silence.data(), row.data(), 1);
        }
        return transform(
            input, *with, { expected.hop - what.n, what.n, expected.hop }, 1, 1);
    };
    return result;
}

stage make_head(std::size_t item_bytes, std::size_t count)
{
    stage result;
    result.text = fmt::format("head({})", count);
    result.block = gr::blocks::head::make(item_bytes, count);
    result.out_bytes = item_bytes;
    result.expect = [count](stream_data stream) {
        stream.truncate(count);
        return stream;
    };
    return result;
}

// A block of others that gives what it gets.
static stage
pass(const std::string& text, const basic_block_sptr& block, std::size_t item_bytes)
{
    stage result;
    result.text = text;
    result.block = block;
    result.out_bytes = item_bytes;
    result.expect = [](const stream_data& stream) { return stream; };
    return result;
}

stage make_copy(std::size_t item_bytes)
{
    return pass("copy", gr::blocks::copy::make(item_bytes), item_bytes);
}

stage make_custom_copy(std::size_t item_bytes)
{
    return pass("custom_copy", std::make_shared<custom_copy>(item_bytes), item_bytes);
}

stage make_vector_to_stream(std::size_t item_bytes, std::size_t n)
{
    stage result;
    result.text = fmt::format("vector_to_stream({})", n);
    result.block = gr::blocks::vector_to_stream::make(item_bytes, n);
    result.out_bytes = item_bytes;
    result.expect = [=](stream_data stream) {
        stream.item_bytes = item_bytes;
        for (tag_mark& tag : stream.tags)
            tag.offset *= n;
        return stream;
    };
    return result;
}

stage make_stream_to_vector(std::size_t item_bytes, std::size_t n)
{
    stage result;
    result.text = fmt::format("stream_to_vector({})", n);
    result.block = gr::blocks::stream_to_vector::make(item_bytes, n);
    result.out_bytes = item_bytes * n;
    result.expect = [=](stream_data stream) {
        const std::size_t count = stream.count() / n;
        stream.item_bytes = item_bytes * n;
        stream.items.resize(count * stream.item_bytes);
        for (tag_mark& tag : stream.tags)
            tag.offset = (2 * tag.offset + n) / (2 * n); // GNU Radio's rule: the nearest
        stream.truncate(count);
        return stream;
    };
    return result;
}

stage make_hier(const std::vector<stage>& inside, std::size_t in_bytes)
{
    stage result;
    result.out_bytes = inside.back().out_bytes;
    const auto hier = gr::make_hier_block2(
        "hier",
        gr::io_signature::make(1, 1, static_cast<int>(in_bytes)),
        gr::io_signature::make(1, 1, static_cast<int>(result.out_bytes)));
    gr::basic_block_sptr last = hier;
    for (const stage& each : inside) {
        hier->connect(last, 0, each.block, 0);
        last = each.block;
        result.ours.insert(result.ours.end(), each.ours.begin(), each.ours.end());
        result.text += (result.text.empty() ? "hier(" : " -> ") + each.text;
    }
    hier->connect(last, 0, hier, 0);
    result.text += ")";
    result.block = hier;
    result.expect = [inside](stream_data stream) {
        for (const stage& each : inside)
            stream = each.expect(stream);
        return stream;
    };
    return result;
}

stream_data connect_chain(const top_block_sptr& flowgraph,
                          const basic_block_sptr& source,
                          const stream_data& data,
                          const std::vector<stage>& stages,
                          const std::vector<int>& buffers,
                          const basic_block_sptr& sink)
{
    stream_data expected = data;
    basic_block_sptr last = source;
    for (std::size_t i = 0; i < stages.size(); i++) {
        std::dynamic_pointer_cast<gr::block>(stages[i].block)
            ->set_max_output_buffer(buffers[std::min(i, buffers.size() - 1)]);
        flowgraph->connect(last, 0, stages[i].block, 0);
        last = stages[i].block;
        expected = stages[i].expect(expected);
    }
    flowgraph->connect(last, 0, sink, 0);
    return expected;
}

} // namespace gpufft
} // namespace gr
