// SPDX-License-Identifier: GPL-3.0-or-later
//
// Checks of rates, and the default filter.

#include "channelizer_settings.h"
#include "engine/memory_check.h"
#include "kaiser.h"
#include "problem/stream_batch.h"
#include "ranges.h"
#include "stream/channel_map.h"

#include <algorithm>
#include <cmath>

namespace gr {
namespace gpufft {

namespace {

// Rates may be given in single precision.
constexpr double RATE_ERROR = 1e-6;

constexpr double LEAST_ATTENUATION = 20, MOST_ATTENUATION = 200;

// Half the taps of the longest filter designed here, which takes about 5 s.
constexpr double MAX_DELAY = 1 << 25;

// At least that of a plain sinc, plus 1 dB for the error of Kaiser's formulas.
double design_attenuation(double attenuation) { return std::max(attenuation, 21.0) + 1; }

double kaiser_beta(double attenuation)
{
    return attenuation > 50
               ? 0.1102 * (attenuation - 8.7)
               : 0.5842 * std::pow(attenuation - 21, 0.4) + 0.07886 * (attenuation - 21);
}

} // namespace

std::int64_t hop_of(std::int64_t channels, double oversample_rate)
{
    check_range("numchans", channels, 1, MAX_FFT_SIZE);
    check_positive("oversample_rate", oversample_rate);
    const double exact = static_cast<double>(channels) / oversample_rate;
    const double whole = std::round(exact);
    if (!(whole >= 1 && whole <= static_cast<double>(channels)) ||
        std::abs(exact - whole) > RATE_ERROR * whole)
        throw std::invalid_argument(fmt::format(
            "oversample_rate is {}: must be numchans / i, i = 1 ... numchans, "
            "of {} channels, as {}",
            oversample_rate,
            channels,
            static_cast<double>(channels) /
                std::clamp(whole, 1.0, static_cast<double>(channels))));
    return static_cast<std::int64_t>(whole);
}

std::int64_t arm_taps_of(std::int64_t channels, std::size_t taps)
{
    return (static_cast<std::int64_t>(taps) + channels - 1) / channels;
}

void check_number_of_taps(std::size_t taps, std::int64_t arms, std::int64_t channels)
{
    check_range("number of taps", taps, 1, MAX_FFT_SIZE / channels * arms);
}

std::vector<float> channel_filter(std::int64_t channels, double attenuation)
{
    return low_pass(channels, CHANNEL_PASS, CHANNEL_STOP, attenuation);
}

std::size_t
low_pass_delay(std::int64_t channels, double pass, double stop, double attenuation)
{
    check_range("numchans", channels, 1, MAX_FFT_SIZE);
    if (!(attenuation >= LEAST_ATTENUATION && attenuation <= MOST_ATTENUATION))
        throw std::invalid_argument(fmt::format("atten is {}: must be {} ... {} dB",
                                                attenuation,
                                                LEAST_ATTENUATION,
                                                MOST_ATTENUATION));
    const double spacing = 1 / static_cast<double>(channels);
    const double transition = 2 * std::acos(-1.0) * (stop - pass) * spacing;
    const double delay =
        std::ceil((design_attenuation(attenuation) - 7.95) / (2.285 * transition) / 2);
    if (delay > MAX_DELAY)
        throw std::invalid_argument(fmt::format(
            "numchans is {}: must be 1 ... {} for default taps of {} dB; "
            "give taps",
            channels,
            static_cast<std::int64_t>(MAX_DELAY / delay * static_cast<double>(channels)),
            attenuation));
    return static_cast<std::size_t>(delay);
}

std::vector<float>
low_pass(std::int64_t channels, double pass, double stop, double attenuation)
{
    const std::size_t delay = low_pass_delay(channels, pass, stop, attenuation);
    const kaiser window(kaiser_beta(design_attenuation(attenuation)));
    const double pi = std::acos(-1.0);
    const double band = (pass + stop) / static_cast<double>(channels); // both sides
    std::vector<double> right{ band }; // from the middle on; the left half mirrors it
    double sum = band;
    for (std::size_t m = 1; m <= delay; ++m) {
        const double t = static_cast<double>(m);
        right.push_back(std::sin(pi * band * t) / (pi * t) *
                        window(t / static_cast<double>(delay)));
        sum += 2 * right.back();
    }
    std::vector<float> taps(2 * delay + 1);
    for (std::size_t m = 0; m <= delay; ++m)
        taps[delay + m] = taps[delay - m] = static_cast<float>(right[m] / sum);
    return taps;
}

void check_memory_of_taps(const problem& what)
{
    constexpr std::size_t COPIES = 3; // the new settings, those in use, the plan's
    check_memory(fmt::format("numchans is {}", what.n),
                 least_memory(what) + COPIES * sizeof(float) * what.window_numbers());
}

plan_settings channelizer_settings::resolve() const
{
    check_range("numchans", channels, 1, MAX_FFT_SIZE);
    check_channels(map, bands());
    check_taps(taps.data(), taps.size());
    check_number_of_taps(taps.size(), channels, channels);
    plan_settings result;
    problem& what = result.what;
    what.n = channels;
    what.taps = arm_taps_of(channels, taps.size());
    what.hop = hop;
    what.input = format;
    apply_formats(formats, what, sample_choice::packed_real);
    if (!is_complex(what.input)) // one transform of half the length
        what.kind = transform_kind::r2c;
    while (what.frame_samples() % what.samples_in_item() != 0)
        ++what.taps; // zeros, so that frames begin with an item
    what.window = what.running = true;
    what.bins = map.size();
    result.map = map;
    what.batch = frames_of_stream(what.n);
    check_memory_of_taps(what);
    result.window.assign(what.frame_samples(), 0.0f);
    std::copy(taps.begin(), taps.end(), result.window.rbegin());
    result.threads = static_cast<int>(check_range("nthreads", nthreads, 0, MAX_THREADS));
    what.validate();
    return result;
}

} // namespace gpufft
} // namespace gr
