// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a polyphase channelizer is asked for, and the filter bank that computes it.

#ifndef INCLUDED_GPUFFT_CHANNELIZER_SETTINGS_H
#define INCLUDED_GPUFFT_CHANNELIZER_SETTINGS_H

#include "stream/live_plan.h"
#include <complex>
#include <cstdint>
#include <vector>

namespace gr {
namespace gpufft {

struct channelizer_settings {
    static constexpr const char* NAME = "pfb_channelizer";

    std::int64_t channels;
    std::vector<float> taps; // of the prototype filter, at least one
    std::int64_t hop;        // input samples from output sample to output sample
    sample_format format = sample_format::cf32;
    int items_per_sample = 1; // of the input stream, 2 for interleaved integers
    int nthreads = 0;
    std::vector<int> map; // channels of the outputs; empty: all, in order

    // Throws std::invalid_argument for a value out of range.
    plan_settings resolve() const;

    // For bank_core: an arm a channel, and an output item a vector of the outputs.
    std::int64_t arms() const { return channels; }
    std::size_t sample_bytes() const;
    std::size_t input_item_bytes() const { return sample_bytes() / items_per_sample; }
    std::size_t outputs() const { return map.empty() ? channels : map.size(); }
    std::size_t output_item_bytes() const
    {
        return outputs() * sizeof(std::complex<float>);
    }

    // Phases of all channels count from hop + 1 samples before the stream's first, which
    // so many zeros are before.
    std::uint64_t origin(std::uint64_t zeros) const
    {
        return channels - zeros % channels + hop + 1;
    }
};

// Input samples for each output sample, channels / oversample_rate. Throws
// std::invalid_argument unless that is a whole number from 1 to channels.
std::int64_t hop_of(std::int64_t channels, double oversample_rate);

// Taps of each arm for a filter of so many.
std::int64_t arm_taps_of(std::int64_t channels, std::size_t taps);

// Throws std::invalid_argument for more than frames of so many channels can have, and for
// none.
void check_number_of_taps(std::size_t taps, std::int64_t arms, std::int64_t channels);

// The default filter's pass and stop band, of the channels' spacing.
constexpr double CHANNEL_PASS = 0.4, CHANNEL_STOP = 0.6;

// A low-pass filter with a gain of 1 whose bands end at these parts of 1 / channels of
// the sample rate; attenuates by `attenuation` dB; windowed by Kaiser's window.
std::vector<float>
low_pass(std::int64_t channels, double pass, double stop, double attenuation);

// The taps in front of its middle one. Throws std::invalid_argument for values out of
// range, and for more taps than are designed here.
std::size_t
low_pass_delay(std::int64_t channels, double pass, double stop, double attenuation);

// low_pass() for channels of a bank: each passes its band, and meets the next one
// half-way.
std::vector<float> channel_filter(std::int64_t channels, double attenuation);

} // namespace gpufft
} // namespace gr

#endif
