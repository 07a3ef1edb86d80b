// SPDX-License-Identifier: GPL-3.0-or-later
//
// Makes the plan's settings, and the default filter.

#include "synthesizer_settings.h"
#include "channelizer_settings.h"
#include "problem/stream_batch.h"
#include "ranges.h"

#include <algorithm>

namespace gr {
namespace gpufft {

plan_settings synthesizer_settings::resolve() const
{
    check_range("numchans", channels, 1, MAX_FFT_SIZE);
    check_taps(taps.data(), taps.size());
    check_number_of_taps(taps.size(), hop, channels);
    plan_settings result;
    problem& what = result.what;
    what.kind = transform_kind::synthesis;
    what.n = channels;
    what.bins = hop;
    what.taps = arm_taps_of(hop, taps.size());
    what.window = true;
    apply_formats(formats, what, sample_choice::usual);
    what.batch = frames_of_stream(what.n);
    check_memory_of_taps(what);
    result.window = taps;
    result.window.resize(what.window_numbers());
    result.threads = static_cast<int>(check_range("nthreads", nthreads, 0, MAX_THREADS));
    what.validate();
    return result;
}

std::vector<float>
synthesis_filter(std::int64_t channels, std::int64_t hop, double attenuation)
{
    const double rate = static_cast<double>(channels) / static_cast<double>(hop);
    const bool gives_back = 5 * channels >= 7 * hop;
    const double stop = gives_back ? rate - CHANNEL_STOP : CHANNEL_STOP;
    const double pass = gives_back ? CHANNEL_STOP : CHANNEL_PASS;
    std::vector<float> taps = low_pass(channels, pass, stop, attenuation);
    for (float& tap : taps)
        tap *= static_cast<float>(hop);
    // The sum of both filters' delays must be `hop`, modulo the channels.
    const std::size_t delay =
        taps.size() / 2 +
        low_pass_delay(channels, CHANNEL_PASS, CHANNEL_STOP, attenuation);
    const std::size_t n = channels;
    taps.insert(taps.begin(), (hop % n + n - delay % n) % n, 0.0f);
    return taps;
}

} // namespace gpufft
} // namespace gr
