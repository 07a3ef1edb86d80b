// SPDX-License-Identifier: GPL-3.0-or-later
//
// The same blocks with 8, 4 and 2 bytes a sample at both ends. Scales keep the noise of
// the source within the range.

#include "format_contests.h"
#include "contest_tools.h"
#include <cmath>
#include <gnuradio/fft/window.h>
#include <gnuradio/gpufft/fft_filter.h>
#include <gnuradio/gpufft/fft_v.h>
#include <gnuradio/gpufft/pfb_channelizer.h>
#include <gnuradio/gpufft/power_spectrum.h>
#include <string>

namespace gr {
namespace gpufft {

namespace {

constexpr int FFT_N = 4096, TAPS = 501;

double bytes_of(const std::string& format)
{
    return format == "cf32"                      ? 8
           : format == "cs16" || format == "f32" ? 4
           : format == "s8"                      ? 1
                                                 : 2;
}

// Items of so many samples, of which `numbers` go out, come in and go out.
void run_format(bench& with,
                int size,
                int come,
                double samples_per_output,
                int numbers,
                const item_formats& formats,
                const std::string& name,
                const std::function<basic_block_sptr(const item_formats&)>& make)
{
    attempt(with, "formats", size, [&] {
        const bool alike = formats.input == formats.output;
        const std::vector<contender> sides = {
            { "gpufft." + name + " " + formats.input +
                  (alike ? "" : " to " + formats.output),
              with.wanted.engine,
              1,
              [&]() -> block_chain { return { make(formats) }; } }
        };
        stream_shape shape;
        shape.input_item_bytes = come * bytes_of(formats.input);
        shape.output_item_bytes = numbers * bytes_of(formats.output);
        shape.samples_per_input_item = come;
        shape.samples_per_output_item = samples_per_output;
        shape.floats = formats.input == "cf32";
        shape.buffer_bytes = SOURCE_BUFFER_BYTES;
        const auto results = compete(shape, sides, with.length());
        add_rows(with,
                 "formats",
                 size,
                 shape,
                 sides,
                 results,
                 link_limits(with, with.link, shape, results.front().chunk_bytes));
    });
}

// Critically sampled, to vectors, with 16 taps an arm.
basic_block_sptr make_channelizer(const bench& with,
                                  int channels,
                                  int outputs,
                                  const item_formats& formats)
{
    return pfb_channelizer_ccf::make(channels,
                                     fft::window::blackmanharris(16 * channels),
                                     1,
                                     100,
                                     1,
                                     with.wanted.engine,
                                     with.wanted.devices,
                                     "stop",
                                     outputs,
                                     0,
                                     10,
                                     formats);
}

// Real samples, as of a digitiser.
void run_real(bench& with)
{
    const std::string& engine = with.wanted.engine;
    const device_list devices = with.wanted.devices;
    const int average = with.wanted.quick ? 20 : 1000, bins = FFT_N / 2 + 1;
    const auto spectrum = [&](const item_formats& formats) {
        power_spectrum_settings what;
        what.fft_size = FFT_N;
        what.window = fft::window::blackmanharris(FFT_N);
        what.average = average;
        what.mode = "linear";
        what.input = formats.input;
        engine_options options;
        options.engine = engine;
        options.device = devices;
        return power_spectrum_sf::make(what, options);
    };
    run_format(with,
               FFT_N,
               1,
               double(FFT_N) * average,
               bins,
               { "s16", "f32", 1 },
               "power_spectrum",
               spectrum);
    const int channels = 1024;
    const auto channelizer = [&](const item_formats& formats) {
        return make_channelizer(with, channels, channels / 2 + 1, formats);
    };
    run_format(with,
               channels,
               1,
               channels,
               channels / 2 + 1,
               { "s16", "cs8", 0.25 / std::sqrt(4.0 * channels) },
               "pfb_channelizer_ccf",
               channelizer);
}

} // namespace

void run_formats(bench& with)
{
    const std::string& engine = with.wanted.engine;
    const device_list devices = with.wanted.devices;
    for (const char* format : { "cf32", "cs16", "cs8" }) {
        const auto fft = [&](const item_formats& formats) {
            return fft_vcc_fwd::make(
                FFT_N, {}, false, 1, engine, devices, "stop", 0, 10, formats);
        };
        run_format(with,
                   FFT_N,
                   FFT_N,
                   FFT_N,
                   FFT_N,
                   { format, format, 0.25 / std::sqrt(double(FFT_N)) },
                   "fft_vcc",
                   fft);
        for (const int channels : few_if_quick(with, { 79, 128, 1024 }, { 128 })) {
            const auto channelizer = [&](const item_formats& formats) {
                return make_channelizer(with, channels, channels, formats);
            };
            run_format(with,
                       channels,
                       1,
                       channels,
                       channels,
                       { format, format, 0.25 / std::sqrt(4.0 * channels) },
                       "pfb_channelizer_ccf",
                       channelizer);
        }
        const auto filter = [&](const item_formats& formats) {
            const std::vector<gr_complex> taps(TAPS, 1.0f / TAPS);
            return fft_filter_ccc::make(1, taps, 1, engine, devices, "stop", 10, formats);
        };
        run_format(with, TAPS, 1, 1, 1, { format, format, 1 }, "fft_filter_ccc", filter);
    }
    run_real(with);
}

} // namespace gpufft
} // namespace gr
