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

namespace gr {
namespace gpufft {

namespace {

constexpr int FFT_N = 4096, TAPS = 501;

// Items of so many samples come in and go out.
void run_format(bench& with,
                int size,
                int come,
                int go,
                const char* format,
                const std::string& name,
                const std::function<basic_block_sptr(const item_formats&)>& make,
                double scale)
{
    attempt(with, "formats", size, [&] {
        const std::string text = format;
        const std::size_t bytes = text == "cf32" ? 8 : text == "cs16" ? 4 : 2;
        const item_formats formats = { text, text, scale };
        const std::vector<contender> sides = { { "gpufft." + name + " " + text,
                                                 with.wanted.engine,
                                                 1,
                                                 [&]() -> block_chain {
                                                     return { make(formats) };
                                                 } } };
        stream_shape shape;
        shape.input_item_bytes = come * bytes;
        shape.output_item_bytes = go * bytes;
        shape.samples_per_input_item = come;
        shape.samples_per_output_item = go;
        shape.floats = text == "cf32";
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
                   format,
                   "fft_vcc",
                   fft,
                   0.25 / std::sqrt(double(FFT_N)));
        for (const int channels : few_if_quick(with, { 79, 128, 1024 }, { 128 })) {
            const auto channelizer = [&](const item_formats& formats) {
                return pfb_channelizer_ccf::make(
                    channels,
                    fft::window::blackmanharris(16 * channels),
                    1,
                    100,
                    1,
                    engine,
                    devices,
                    "stop",
                    channels,
                    0,
                    10,
                    formats);
            };
            run_format(with,
                       channels,
                       1,
                       channels,
                       format,
                       "pfb_channelizer_ccf",
                       channelizer,
                       0.25 / std::sqrt(4.0 * channels));
        }
        const auto filter = [&](const item_formats& formats) {
            const std::vector<gr_complex> taps(TAPS, 1.0f / TAPS);
            return fft_filter_ccc::make(1, taps, 1, engine, devices, "stop", 10, formats);
        };
        run_format(with, TAPS, 1, 1, format, "fft_filter_ccc", filter, 1);
    }
}

} // namespace gpufft
} // namespace gr
