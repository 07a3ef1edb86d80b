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

// A filter's frames, and the items of its streams for each.
struct filter_grid {
    std::size_t frame, hop; // samples
    std::size_t items_in, items_out;
};

// The plan's rows of a stream with zeros before it: its first `hop` samples end a frame.
stream_data filtered(const stream_data& input, plan& with, const filter_grid& grid)
{
    stream_data padded = input;
    padded.tags.clear();
    padded.items.insert(padded.items.begin(),
                        (grid.frame - grid.hop) * with.what().input_item_bytes(),
                        '\0');
    stream_data output =
        transform(padded, with, { 0, grid.frame, grid.hop }, 1, grid.items_out);
    for (const tag_mark& tag : input.tags)
        output.tags.push_back({ tag.offset / grid.items_in * grid.items_out, tag.id });
    output.truncate(output.count());
    return output;
}

// A stage of one block. prepare(plan) sets what a stream begins with.
template <class Core, class Settings, class Prepare>
stage make_filter(const char* name,
                  const Settings& settings,
                  const stage_options& how,
                  const filter_grid& grid,
                  const Prepare& prepare)
{
    const plan_settings expected = settings.resolve();
    const auto core = Core::make(settings, { "cuda", how.devices, how.on_error });
    stage result;
    result.text = fmt::format("{} {}({})", name, expected.what.to_string(), text_of(how));
    result.block = core;
    result.ours = { core };
    result.out_bytes = core->output_signature()->sizeof_stream_item(0);
    result.expect = [=](const stream_data& input) {
        const plan::uptr with = reference_plan(expected.what, expected.window);
        prepare(*with);
        return filtered(input, *with, grid);
    };
    return result;
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
    const filter_grid grid = { settings.resolve().what.frame_samples(),
                               what.hop,
                               what.hop * settings.items_per_sample,
                               1 };
    return make_filter<channelizer_core>(
        "channelizer", settings, how, grid, [=](plan& with) {
            if (!what.map.empty())
                with.set_map(what.map);
            with.set_position(2 * what.hop + 1); // zeros before the stream
        });
}

stage make_synthesizer(const synthesizer_parameters& what, const stage_options& how)
{
    synthesizer_settings settings;
    settings.channels = what.channels;
    settings.hop = what.hop;
    settings.nthreads = 1;
    settings.taps = random_taps(what.taps);
    const problem expected = settings.resolve().what;
    const std::size_t vectors = expected.taps; // newest is the stream's first
    const filter_grid grid = { expected.frame_samples(), what.channels, 1, what.hop };
    return make_filter<synthesizer_core>(
        "synthesizer", settings, how, grid, [=](plan& with) {
            with.set_position((what.channels * vectors + 2 - vectors) * what.channels);
        });
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
    const std::size_t before = expected.what.n - 1; // zeros before the stream
    std::vector<plan::rotation> rotations;
    for (std::uint64_t step : expected.steps)
        rotations.push_back({ step, 0 });
    const filter_grid grid = {
        before + what.decimation, what.decimation, what.decimation, 1
    };
    return make_filter<channel_core>("channels", settings, how, grid, [=](plan& with) {
        with.set_rotations(rotations);
        with.set_position(0 - std::uint64_t(before));
    });
}

} // namespace gpufft
} // namespace gr
