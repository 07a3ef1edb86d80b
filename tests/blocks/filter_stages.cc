// SPDX-License-Identifier: GPL-3.0-or-later
//
// Filters and filter banks, and what they make of a stream.

#include "blocks/bank_core.h"
#include "blocks/channel_core.h"
#include "stage_reference.h"
#include <algorithm>
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

} // namespace

stage make_channelizer(const channelizer_parameters& what, const stage_options& how)
{
    channelizer_settings settings;
    settings.channels = what.channels;
    settings.hop = what.hop;
    settings.format = what.input;
    settings.items_per_sample = what.input == sample_format::cf32 ? 1 : 2;
    settings.nthreads = 1;
    settings.taps = random_taps(what.taps);
    settings.map = what.map;
    const plan_settings expected = settings.resolve();
    const std::size_t items = settings.items_per_sample;

    stage result;
    result.text =
        fmt::format("channelizer {}({})", expected.what.to_string(), text_of(how));
    const auto core =
        channelizer_core::make(settings, { "cuda", how.devices, how.on_error });
    result.block = core;
    result.ours = { core };
    result.out_bytes = settings.output_item_bytes();
    result.expect = [=](const stream_data& input) {
        const plan::uptr with = reference_plan(expected.what, expected.window);
        if (!what.map.empty())
            with->set_map(what.map);
        with->set_position(2 * what.hop + 1); // zeros before the stream
        const std::size_t frame = expected.what.frame_samples();
        stream_data padded = input;
        padded.tags.clear();
        padded.items.insert(padded.items.begin(),
                            (frame - what.hop) * expected.what.input_item_bytes(),
                            '\0');
        stream_data output = transform(padded, *with, { 0, frame, what.hop }, items, 1);
        for (const tag_mark& tag : input.tags)
            output.tags.push_back({ tag.offset / items / what.hop, tag.id });
        output.truncate(output.count());
        return output;
    };
    return result;
}

stage make_synthesizer(const synthesizer_parameters& what, const stage_options& how)
{
    synthesizer_settings settings;
    settings.channels = what.channels;
    settings.hop = what.hop;
    settings.nthreads = 1;
    settings.taps = random_taps(what.taps);
    const plan_settings expected = settings.resolve();

    stage result;
    result.text =
        fmt::format("synthesizer {}({})", expected.what.to_string(), text_of(how));
    const auto core =
        synthesizer_core::make(settings, { "cuda", how.devices, how.on_error });
    result.block = core;
    result.ours = { core };
    result.out_bytes = sizeof(gr_complex);
    result.expect = [=](const stream_data& input) {
        const plan::uptr with = reference_plan(expected.what, expected.window);
        const std::size_t vectors = expected.what.taps; // newest is the stream's first
        with->set_position((what.channels * vectors + 2 - vectors) * what.channels);
        stream_data padded = input;
        padded.tags.clear();
        const std::size_t frame = expected.what.frame_samples();
        padded.items.insert(
            padded.items.begin(), (frame - what.channels) * sizeof(gr_complex), '\0');
        stream_data output =
            transform(padded, *with, { 0, frame, what.channels }, 1, what.hop);
        for (const tag_mark& tag : input.tags)
            output.tags.push_back({ tag.offset * what.hop, tag.id });
        output.truncate(output.count());
        return output;
    };
    return result;
}

stage make_channels(const channel_parameters& what, const stage_options& how)
{
    channel_settings settings;
    settings.decimation = what.decimation;
    settings.centers = what.centers;
    settings.samp_rate = 1;
    settings.nthreads = 1;
    std::minstd_rand random(11);
    std::uniform_real_distribution<float> uniform(-1, 1);
    for (std::size_t k = 0; k < what.taps; ++k)
        settings.taps.emplace_back(uniform(random), uniform(random));
    const plan_settings expected = settings.resolve();

    stage result;
    result.text = fmt::format("channels {}({})", expected.what.to_string(), text_of(how));
    const auto core = channel_core::make(settings, { "cuda", how.devices, how.on_error });
    result.block = core;
    result.ours = { core };
    result.out_bytes = what.centers.size() * sizeof(gr_complex);
    result.expect = [=](const stream_data& input) {
        const plan::uptr with = reference_plan(expected.what, expected.window);
        std::vector<plan::rotation> rotations;
        for (std::uint64_t step : expected.steps)
            rotations.push_back({ step, 0 });
        with->set_rotations(rotations);
        const std::size_t before = expected.what.n - 1; // zeros before the stream
        with->set_position(0 - std::uint64_t(before));
        stream_data padded = input;
        padded.tags.clear();
        padded.items.insert(
            padded.items.begin(), before * expected.what.input_item_bytes(), '\0');
        stream_data output = transform(
            padded, *with, { 0, before + what.decimation, what.decimation }, 1, 1);
        for (const tag_mark& tag : input.tags)
            output.tags.push_back({ tag.offset / what.decimation, tag.id });
        output.truncate(output.count());
        return output;
    };
    return result;
}

} // namespace gpufft
} // namespace gr
