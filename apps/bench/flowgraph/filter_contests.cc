// SPDX-License-Identifier: GPL-3.0-or-later
//
// Channelizers with 16 taps an arm, critically sampled and with about twice the samples
// (R = (M + 1) / 2), to all channels and to some, and filters.

#include "filter_contests.h"
#include "contest_tools.h"
#include <gnuradio/blocks/stream_to_streams.h>
#include <gnuradio/fft/window.h>
#include <gnuradio/filter/fft_filter_ccc.h>
#include <gnuradio/filter/pfb_channelizer_ccf.h>
#include <gnuradio/filter/pfb_synthesizer_ccf.h>
#include <gnuradio/gpufft/fft_filter.h>
#include <gnuradio/gpufft/pfb_channelizer.h>
#include <gnuradio/gpufft/pfb_synthesizer.h>

namespace gr {
namespace gpufft {

namespace {

constexpr int TAPS_IN_AN_ARM = 16;

std::vector<float> taps_for(int channels)
{
    std::vector<float> taps = fft::window::blackmanharris(TAPS_IN_AN_ARM * channels);
    for (float& tap : taps)
        tap /= static_cast<float>(channels);
    return taps;
}

// Input samples for each of a channel.
int decimation_of(int channels, bool is_oversampled)
{
    return is_oversampled ? (channels + 1) / 2 : channels;
}

// `some` channels, 0: all.
contender our_channelizer(const settings& wanted,
                          int channels,
                          int decimation,
                          int vlen,
                          int some = 0)
{
    const double rate = static_cast<double>(channels) / decimation;
    return { "gpufft.pfb_channelizer_ccf" + std::string(rate > 1 ? " 2x" : "") +
                 (some > 0 ? " outchans=" + std::to_string(some) : ""),
             wanted.engine,
             0,
             [=]() -> block_chain {
                 return { pfb_channelizer_ccf::make(channels,
                                                    taps_for(channels),
                                                    rate,
                                                    100,
                                                    0,
                                                    wanted.engine,
                                                    wanted.devices,
                                                    "stop",
                                                    vlen,
                                                    some) };
             } };
}

contender stock_channelizer(int channels, int decimation)
{
    const float rate = static_cast<float>(channels) / static_cast<float>(decimation);
    return { "filter.pfb_channelizer_ccf", "", 1, [=]() -> block_chain {
                return { blocks::stream_to_streams::make(sizeof(gr_complex), channels),
                         filter::pfb_channelizer_ccf::make(
                             channels, taps_for(channels), rate) };
            } };
}

// gr-filter's channelizer needs two buffers a channel; of their segments of shared
// memory, Linux gives 4096.
constexpr int MOST_STOCK_STREAMS = 512;

// gr-filter decides in floats whether a ratio is legal, and refuses some that are.
bool stock_takes(int channels, int decimation)
{
    if (channels > MOST_STOCK_STREAMS)
        return false;
    try {
        filter::pfb_channelizer_ccf::make(channels,
                                          taps_for(channels),
                                          static_cast<float>(channels) /
                                              static_cast<float>(decimation));
        return true;
    } catch (const std::invalid_argument&) {
        return false;
    }
}

// The shape of `channels` channels that come out.
stream_shape channels_of(int channels, int decimation, bool vectors)
{
    stream_shape shape;
    shape.input_item_bytes = sizeof(gr_complex);
    shape.output_item_bytes = (vectors ? channels : 1) * sizeof(gr_complex);
    shape.samples_per_output_item = decimation;
    shape.output_streams = vectors ? 1 : channels;
    shape.buffer_bytes = SOURCE_BUFFER_BYTES;
    return shape;
}

void run_channelizers(bench& with, const char* contest, const sizes& all, bool vectors)
{
    for (const bool is_oversampled : { false, true })
        for (const int channels : few_if_quick(with, all, { 79 }))
            attempt(with, contest, channels, [&] {
                const int decimation = decimation_of(channels, is_oversampled);
                std::vector<contender> sides = { our_channelizer(
                    with.wanted, channels, decimation, vectors ? channels : 1) };
                if (!vectors && stock_takes(channels, decimation))
                    sides.push_back(stock_channelizer(channels, decimation));
                const stream_shape shape = channels_of(channels, decimation, vectors);
                const auto results = compete(shape, sides, with.length());
                const double chunk = results.front().chunk_bytes;
                add_rows(with,
                         contest,
                         channels,
                         shape,
                         sides,
                         results,
                         link_limits(with, with.link, shape, chunk));
            });
}

void run_some_channels_of(bench& with, int channels, int some)
{
    attempt(with, "some_channels", channels, [&] {
        const std::vector<contender> sides = { our_channelizer(
            with.wanted, channels, channels, some, some) };
        const stream_shape shape = channels_of(some, channels, true);
        const auto results = compete(shape, sides, with.length());
        add_rows(with,
                 "some_channels",
                 channels,
                 shape,
                 sides,
                 results,
                 link_limits(with, with.link, shape, results.front().chunk_bytes));
    });
}

std::vector<gr_complex> random_taps(int count)
{
    std::vector<gr_complex> taps(count);
    unsigned state = 1;
    for (gr_complex& tap : taps) {
        float parts[2];
        for (float& part : parts) {
            state = 1664525 * state + 1013904223;
            part = (static_cast<float>(state >> 8) / (1 << 23) - 1) / count;
        }
        tap = { parts[0], parts[1] };
    }
    return taps;
}

} // namespace

void run_channelizer(bench& with)
{
    run_channelizers(with, "channelizer", { 79, 128, 839, 1024, 4096 }, true);
}

void run_channelizer_streams(bench& with)
{
    run_channelizers(with, "channelizer_streams", { 4, 7, 16, 79, 128, 1024 }, false);
}

void run_synthesizer_streams(bench& with)
{
    for (const int channels : few_if_quick(with, { 16, 79, 128, 1024 }, { 79 }))
        attempt(with, "synthesizer_streams", channels, [&] {
            const std::vector<float> taps = taps_for(channels);
            std::vector<contender> sides = { { "gpufft.pfb_synthesizer_ccf",
                                               with.wanted.engine,
                                               0,
                                               [&]() -> block_chain {
                                                   return { pfb_synthesizer_ccf::make(
                                                       channels,
                                                       taps,
                                                       false,
                                                       1,
                                                       100,
                                                       0,
                                                       with.wanted.engine,
                                                       with.wanted.devices) };
                                               } } };
            if (channels <= MOST_STOCK_STREAMS)
                sides.push_back(
                    { "filter.pfb_synthesizer_ccf", "", 1, [&]() -> block_chain {
                         return { filter::pfb_synthesizer_ccf::make(channels, taps) };
                     } });
            stream_shape shape;
            shape.input_item_bytes = shape.output_item_bytes = sizeof(gr_complex);
            shape.samples_per_input_item = channels;
            shape.input_streams = channels;
            shape.buffer_bytes = SOURCE_BUFFER_BYTES;
            const auto results = compete(shape, sides, with.length());
            add_rows(with,
                     "synthesizer_streams",
                     channels,
                     shape,
                     sides,
                     results,
                     link_limits(with, with.link, shape, results.front().chunk_bytes));
        });
}

void run_some_channels(bench& with)
{
    for (const int some : few_if_quick(with, { 16, 128, 1024 }, { 16 }))
        run_some_channels_of(with, 1024, some);
}

void run_fft_filter(bench& with)
{
    for (const int count : few_if_quick(with, { 33, 501, 1001, 5001, 100001 }, { 501 }))
        attempt(with, "fft_filter", count, [&] {
            const std::vector<gr_complex> taps = random_taps(count);
            const std::vector<contender> sides = {
                { "gpufft.fft_filter_ccc",
                  with.wanted.engine,
                  1,
                  [&]() -> block_chain {
                      return { fft_filter_ccc::make(
                          1, taps, 1, with.wanted.engine, with.wanted.devices) };
                  } },
                { "filter.fft_filter_ccc",
                  "",
                  1,
                  [&]() -> block_chain {
                      return { filter::fft_filter_ccc::make(1, taps) };
                  } }
            };
            stream_shape shape;
            shape.input_item_bytes = shape.output_item_bytes = sizeof(gr_complex);
            shape.buffer_bytes = SOURCE_BUFFER_BYTES;
            const auto results = compete(shape, sides, with.length());
            add_rows(with,
                     "fft_filter",
                     count,
                     shape,
                     sides,
                     results,
                     link_limits(with, with.link, shape, results.front().chunk_bytes));
        });
}

} // namespace gpufft
} // namespace gr
