// SPDX-License-Identifier: GPL-3.0-or-later
//
// Drawing channelizers and synthesizers.

#include "random_stages.h"
#include <algorithm>

namespace gr {
namespace gpufft {

namespace {

// Channels and the samples from one of their samples to the next.
struct bank {
    std::size_t channels, hop;
};
constexpr bank BANKS[] = { { 1, 1 },   { 4, 4 },   { 5, 3 },   { 8, 4 },    { 12, 5 },
                           { 16, 16 }, { 20, 15 }, { 79, 40 }, { 128, 128 } };
constexpr std::size_t MOST_STREAMS = 8; // of one block: each has a sink of its own

} // namespace

random_stage stage_lottery::channelizer()
{
    static constexpr std::size_t ARMS[] = { 1, 3, 8 };
    const bank each = one_of(d_random, BANKS);
    channelizer_parameters what{ each.channels, each.hop };
    what.taps = std::max<std::size_t>(
        one_of(d_random, ARMS) * each.channels - pick(d_random, 0, 1), 1);
    what.input = d_items.type == samples::int16  ? sample_format::cs16
                 : d_items.type == samples::int8 ? sample_format::cs8
                 : d_items.type == samples::real ? sample_format::f32
                                                 : sample_format::cf32;
    if (flip(40)) {
        what.map.resize(pick(d_random, 1, std::min<std::size_t>(what.bands(), 5)));
        for (int& channel : what.map)
            channel = static_cast<int>(pick(d_random, 0, what.bands() - 1));
    }
    const std::size_t outputs = what.outputs();
    if (rows(each.hop) * outputs > 2 * MOST_SAMPLES)
        return d_items.is_integer() ? spectrum() : fft();
    if (outputs > MOST_STREAMS || flip(40))
        return { in_formats(make_channelizer, what), { samples::complex, outputs } };
    if (!what.map.empty() || flip(60) || d_items.type != samples::complex)
        return { make_channelizer_streams(what, pick_options()),
                 stream_of(samples::complex) };
    synthesizer_parameters back{ each.channels, each.hop, what.taps };
    back.twox = each.channels == 2 * each.hop && flip(50);
    return { make_hier({ make_channelizer_streams(what, pick_options()),
                         make_synthesizer_streams(back, pick_options()) },
                       sizeof(gr_complex)),
             stream_of(samples::complex) };
}

random_stage stage_lottery::synthesizer()
{
    const std::size_t channels = d_items.n;
    const std::size_t hop = flip(40) ? channels : pick(d_random, 1, channels);
    const bool is_usual = channels == 16 || channels == 60 || channels == 64;
    if (!is_usual && (channels > 128 || flip(50)))
        return fft();
    if (double(d_samples) * double(channels) > MOST_WORK)
        return fft();
    const synthesizer_parameters what{ channels,
                                       is_usual ? channels / 2 : hop,
                                       3 * channels - 1 };
    return { in_formats(make_synthesizer, what), stream_of(samples::complex) };
}

random_stage stage_lottery::synthesizer_streams()
{
    bank each = BANKS[pick(d_random, 0, 4)];
    const bool twox = each.channels % 2 == 0 && flip(40);
    if (twox)
        each.hop = each.channels / 2;
    if (d_samples * each.hop > MOST_SAMPLES)
        return fft();
    const synthesizer_parameters what{ each.channels, each.hop, 3 * each.channels, twox };
    const int copied = flip(50) ? 0 : static_cast<int>(pick(d_random, 1, 4));
    const stage_maker make = [=](const stage_options& how) {
        return make_fan_in(make_synthesizer_streams(what, how), copied);
    };
    return { in_formats(make), stream_of(samples::complex) };
}

} // namespace gpufft
} // namespace gr
