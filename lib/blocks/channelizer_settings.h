// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a polyphase channelizer is asked for, and the filter bank that computes it.

#ifndef INCLUDED_GPUFFT_CHANNELIZER_SETTINGS_H
#define INCLUDED_GPUFFT_CHANNELIZER_SETTINGS_H

#include "stream/live_plan.h"
#include <cstdint>
#include <vector>

namespace gr {
namespace gpufft {

struct channelizer_settings {
    std::int64_t channels;
    std::vector<float> taps; // of the prototype filter, at least one
    std::int64_t hop;        // input samples from output sample to output sample
    std::int64_t arm_taps;   // that the plan has room for in each arm
    int nthreads;

    // Throws std::invalid_argument for a value out of range.
    plan_settings resolve(sample_format format) const;

    // Zeros that the stream begins behind: what the first output sample needs more.
    std::int64_t history() const { return channels * arm_taps - hop; }

    // Phases of all channels count from so many samples before the stream's first.
    std::int64_t phase_lead() const { return hop + 1; }
};

// Input samples for each output sample, channels / oversample_rate. Throws
// std::invalid_argument unless that is a whole number from 1 to channels.
std::int64_t hop_of(std::int64_t channels, double oversample_rate);

// Taps of each arm for a filter of so many.
std::int64_t arm_taps_of(std::int64_t channels, std::size_t taps);

// A low-pass filter for so many channels: within 0.4 of their spacing it passes, beyond
// 0.6 it attenuates by `attenuation` dB; windowed by Kaiser's window (J. F. Kaiser,
// "Nonrecursive digital filter design using the I0-sinh window function", ISCAS 1974).
std::vector<float> channel_filter(std::int64_t channels, double attenuation);

} // namespace gpufft
} // namespace gr

#endif
