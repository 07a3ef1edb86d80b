// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rates in integers, and the default filter.

#include "channelizer_settings.h"
#include "channel_map.h"
#include "plan/stream_batch.h"
#include "ranges.h"

#include <algorithm>
#include <cmath>

namespace gr {
namespace gpufft {

namespace {

// Rates come as numbers of single precision, too.
constexpr double RATE_ERROR = 1e-6;

constexpr double LEAST_ATTENUATION = 20, MOST_ATTENUATION = 200;

// Kaiser's window at x = -1 ... 1.
double kaiser(double x, double beta)
{
    return std::cyl_bessel_i(0.0, beta * std::sqrt(std::max(1 - x * x, 0.0))) /
           std::cyl_bessel_i(0.0, beta);
}

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

std::vector<float>
low_pass(std::int64_t channels, double pass, double stop, double attenuation)
{
    check_range("numchans", channels, 1, MAX_FFT_SIZE);
    if (!(attenuation >= LEAST_ATTENUATION && attenuation <= MOST_ATTENUATION))
        throw std::invalid_argument(fmt::format("atten is {}: must be {} ... {} dB",
                                                attenuation,
                                                LEAST_ATTENUATION,
                                                MOST_ATTENUATION));
    const double pi = std::acos(-1.0), spacing = 1 / static_cast<double>(channels);
    const double band = (pass + stop) * spacing; // between the ends, both sides
    // No less than a plain sinc has; Kaiser's formulas are up to 1 dB off.
    const double above = std::max(attenuation, 21.0) + 1;
    const double transition = 2 * pi * (stop - pass) * spacing;
    const std::int64_t half =
        std::llround(std::ceil((above - 7.95) / (2.285 * transition) / 2));
    const double beta = kaiser_beta(above);
    std::vector<double> exact;
    double sum = 0;
    for (std::int64_t m = -half; m <= half; ++m) {
        const double t = static_cast<double>(m);
        const double sinc = m == 0 ? band : std::sin(pi * band * t) / (pi * t);
        exact.push_back(sinc * kaiser(t / static_cast<double>(half), beta));
        sum += exact.back();
    }
    std::vector<float> taps;
    for (double tap : exact)
        taps.push_back(static_cast<float>(tap / sum));
    return taps;
}

std::size_t channelizer_settings::sample_bytes() const
{
    problem what;
    what.input = format;
    return what.input_item_bytes();
}

plan_settings channelizer_settings::resolve() const
{
    check_range("numchans", channels, 1, MAX_FFT_SIZE);
    check_channels(map, channels);
    check_number_of_taps(taps.size(), channels, channels);
    plan_settings result;
    problem& what = result.what;
    what.n = channels;
    what.taps = arm_taps_of(channels, taps.size());
    what.hop = hop;
    what.input = format;
    what.window = what.running = true;
    what.bins = map.size();
    result.map = map;
    what.batch = frames_of_stream(what.n);
    result.window.assign(what.frame_samples(), 0.0f);
    std::copy(taps.begin(), taps.end(), result.window.rbegin());
    result.threads = static_cast<int>(check_range("nthreads", nthreads, 0, MAX_THREADS));
    what.validate();
    return result;
}

} // namespace gpufft
} // namespace gr
