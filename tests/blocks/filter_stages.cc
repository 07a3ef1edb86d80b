// SPDX-License-Identifier: GPL-3.0-or-later
//
// Filters and polyphase banks, and what they make of a stream.

#include "blocks/bank_core.h"
#include "blocks/channel_core.h"
#include "filter_reference.h"
#include "stage_reference.h"
#include <algorithm>
#include <gnuradio/gpufft/channel_bank_cc.h>
#include <gnuradio/gpufft/fft_filter.h>
#include <gnuradio/gpufft/freq_xlating_fft_filter.h>
#include <gnuradio/gpufft/pfb_channelizer.h>
#include <gnuradio/gpufft/pfb_synthesizer.h>
#include <gnuradio/hier_block2.h>
#include <gnuradio/io_signature.h>
#include <random>
#include <spdlog/fmt/fmt.h>

namespace gr {
namespace gpufft {

namespace {

std::vector<float> random_taps(std::size_t count)
{
    std::minstd_rand random(7);
    std::uniform_real_distribution<float> uniform(-1, 1);
    std::vector<float> taps(count);
    std::generate(taps.begin(), taps.end(), [&] { return uniform(random); });
    return taps;
}

std::vector<gr_complex> random_complex_taps(std::size_t count)
{
    std::minstd_rand random(11);
    std::uniform_real_distribution<float> uniform(-1, 1);
    std::vector<gr_complex> taps;
    for (std::size_t k = 0; k < count; ++k)
        taps.emplace_back(uniform(random), uniform(random));
    return taps;
}

std::vector<gr_complex> taps_of(const channel_parameters& what)
{
    const std::vector<float> real = random_taps(what.taps);
    return what.real_taps ? std::vector<gr_complex>(real.begin(), real.end())
                          : random_complex_taps(what.taps);
}

template <class Tap>
basic_block_sptr xlating_block(const channel_parameters& what,
                               const std::vector<Tap>& taps,
                               const stage_options& how)
{
    constexpr double RATE = 48e3;
    return freq_xlating_fft_filter<Tap>::make(what.decimation,
                                              taps,
                                              RATE * what.centers[0],
                                              RATE,
                                              how.threads,
                                              how.engine,
                                              how.devices,
                                              how.on_error,
                                              how.device_timeout,
                                              how.formats);
}

template <class T, class Tap>
stage filter_stage(const char* name,
                   const filter_parameters& what,
                   const std::vector<Tap>& taps,
                   const stage_options& how)
{
    const auto block = fft_filter<T, Tap>::make(what.decimation,
                                                taps,
                                                how.threads,
                                                how.engine,
                                                how.devices,
                                                how.on_error,
                                                how.device_timeout,
                                                how.formats);
    stage result;
    result.text = fmt::format(
        "{}({} taps, decimation {}, {})", name, what.taps, what.decimation, text_of(how));
    set_block(result, block);
    result.out_bytes = sizeof(T);
    const complex_taps numbers(taps.begin(), taps.end());
    const sample_format format = what.real ? what.input : sample_format::cf32;
    result.expect = [=](const stream_data& input) {
        return filtered(input, format, numbers, what.decimation);
    };
    return result;
}

// With the format of real samples, which no block's name says.
stage_options from_samples(sample_format input, stage_options how)
{
    if (!is_complex(input))
        how.formats.input = to_string(input);
    return how;
}

template <class T>
basic_block_sptr channelizer_block(const channelizer_parameters& what,
                                   const std::vector<float>& taps,
                                   const stage_options& how)
{
    const double rate = double(what.channels) / double(what.hop);
    const item_formats formats = from_samples(what.input, how).formats;
    const auto block = pfb_channelizer<T>::make(what.channels,
                                                taps,
                                                rate,
                                                100,
                                                how.threads,
                                                how.engine,
                                                how.devices,
                                                how.on_error,
                                                1,
                                                what.map.size(),
                                                how.device_timeout,
                                                formats);
    block->set_channel_map(what.map);
    return block;
}

} // namespace

stage make_filter(const filter_parameters& what, const stage_options& how)
{
    const std::vector<float> real = random_taps(what.taps);
    if (what.real)
        return filter_stage<float>(
            "fft_filter_fff",
            what,
            real,
            what.input == sample_format::f32 ? how : from_samples(what.input, how));
    if (what.real_taps)
        return filter_stage<gr_complex>("fft_filter_ccf", what, real, how);
    return filter_stage<gr_complex>(
        "fft_filter_ccc", what, random_complex_taps(what.taps), how);
}

stage make_channelizer(const channelizer_parameters& what, const stage_options& how)
{
    channelizer_settings settings;
    settings.channels = what.channels;
    settings.hop = what.hop;
    const bool is_real = !is_complex(what.input);
    settings.format = is_real ? sample_format::cf32 : what.input;
    settings.items_per_sample = is_real || what.input == sample_format::cf32 ? 1 : 2;
    settings.nthreads = how.threads;
    settings.formats = from_samples(what.input, how).formats;
    const std::vector<float> taps = settings.taps = random_taps(what.taps);
    settings.map = what.map;
    stage result;
    result.text =
        fmt::format("channelizer({}{} channels, hop {}, {} taps, {} of a map, {})",
                    is_real ? "real, " : "",
                    what.channels,
                    what.hop,
                    what.taps,
                    what.map.size(),
                    text_of(how));
    set_block(
        result,
        channelizer_core::make(
            settings, { how.engine, how.devices, how.on_error, how.device_timeout }));
    result.out_bytes = settings.output_item_bytes();
    result.expect = [=](const stream_data& input) {
        return channelized(input, what.input, taps, what.channels, what.hop, what.map);
    };
    return result;
}

stage make_synthesizer(const synthesizer_parameters& what, const stage_options& how)
{
    synthesizer_settings settings;
    settings.channels = what.channels;
    settings.hop = what.hop;
    settings.nthreads = how.threads;
    settings.formats = how.formats;
    const std::vector<float> taps = settings.taps = random_taps(what.taps);
    stage result;
    result.text = fmt::format("synthesizer({} channels, hop {}, {} taps, {})",
                              what.channels,
                              what.hop,
                              what.taps,
                              text_of(how));
    set_block(
        result,
        synthesizer_core::make(
            settings, { how.engine, how.devices, how.on_error, how.device_timeout }));
    result.out_bytes = sizeof(gr_complex);
    result.expect = [=](const stream_data& input) {
        return synthesized(input, taps, what.channels, what.hop);
    };
    return result;
}

stage make_channels(const channel_parameters& what, const stage_options& how)
{
    channel_settings settings;
    settings.decimation = what.decimation;
    settings.centers = what.centers;
    settings.samp_rate = 1;
    settings.nthreads = how.threads;
    settings.formats = from_samples(what.input, how).formats;
    settings.taps = taps_of(what);
    const complex_taps taps(settings.taps.begin(), settings.taps.end());
    stage result;
    result.text = fmt::format("channels({} of {} taps, decimation {}, {})",
                              what.centers.size(),
                              what.taps,
                              what.decimation,
                              text_of(how));
    set_block(
        result,
        channel_core::make(
            settings, { how.engine, how.devices, how.on_error, how.device_timeout }));
    result.out_bytes = what.centers.size() * sizeof(gr_complex);
    result.expect = [=](const stream_data& input) {
        return filtered_channels(input, what.input, taps, what.decimation, what.centers);
    };
    return result;
}

stage make_channelizer_streams(const channelizer_parameters& what,
                               const stage_options& how)
{
    const std::vector<float> taps = random_taps(what.taps);
    stage result = make_channelizer(what, how); // which has the same vectors
    set_block(result,
              what.input == sample_format::cs16
                  ? channelizer_block<std::int16_t>(what, taps, how)
              : what.input == sample_format::cs8
                  ? channelizer_block<std::int8_t>(what, taps, how)
                  : channelizer_block<gr_complex>(what, taps, how));
    result.text = "streams of " + result.text;
    result.outputs = static_cast<int>(what.outputs());
    result.out_bytes = sizeof(gr_complex);
    return result;
}

stage make_channel_streams(const channel_parameters& what, const stage_options& how)
{
    stage result = make_channels(what, how);
    const auto streams = static_cast<int>(what.centers.size());
    const stage_options given = from_samples(what.input, how);
    const bool is_filter = what.is_filter && streams == 1;
    if (is_filter)
        set_block(result,
                  what.real_taps ? xlating_block(what, random_taps(what.taps), given)
                                 : xlating_block(what, taps_of(what), given));
    else
        set_block(result,
                  channel_bank_cc::make(what.decimation,
                                        taps_of(what),
                                        what.centers,
                                        1,
                                        how.threads,
                                        how.engine,
                                        how.devices,
                                        how.on_error,
                                        how.device_timeout,
                                        given.formats));
    result.text = (is_filter ? what.real_taps ? "xlating with real taps, " : "xlating "
                             : "streams of ") +
                  result.text;
    result.outputs = streams;
    result.out_bytes = sizeof(gr_complex);
    return result;
}

stage make_synthesizer_streams(const synthesizer_parameters& what,
                               const stage_options& how)
{
    stage result = make_synthesizer(what, how);
    const double rate = double(what.channels) / double(what.hop);
    const auto block = pfb_synthesizer_ccf::make(what.channels / (what.twox ? 2 : 1),
                                                 random_taps(what.taps),
                                                 what.twox,
                                                 what.twox ? 1 : rate,
                                                 100,
                                                 how.threads,
                                                 how.engine,
                                                 how.devices,
                                                 how.on_error,
                                                 1,
                                                 how.device_timeout,
                                                 how.formats);
    set_block(result, block);
    result.text = (what.twox ? "streams to twox " : "streams to ") + result.text;
    result.inputs = static_cast<int>(what.channels);
    const auto expect = result.expect;
    result.expect = [=](const stream_data& input) {
        stream_data output = expect(input);
        const std::vector<tag_mark> tags = output.tags; // each stream has them
        for (std::size_t i = 1; i < what.channels; ++i)
            output.tags.insert(output.tags.end(), tags.begin(), tags.end());
        return output;
    };
    return result;
}

} // namespace gpufft
} // namespace gr
