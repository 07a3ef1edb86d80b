// SPDX-License-Identifier: GPL-3.0-or-later
//
// Settings of a polyphase channelizer, and the polyphase bank that computes it.

#ifndef INCLUDED_GPUFFT_CHANNELIZER_SETTINGS_H
#define INCLUDED_GPUFFT_CHANNELIZER_SETTINGS_H

#include "item_format.h"
#include "stream/live_plan.h"
#include <cstdint>
#include <vector>

namespace gr {
namespace gpufft {

struct channelizer_settings {
    static constexpr const char* NAME = "pfb_channelizer";

    std::int64_t channels;   // M, of a real band with its negative frequencies
    std::vector<float> taps; // taps of the prototype filter, at least one
    std::int64_t hop;        // input samples per output sample
    sample_format format = sample_format::cf32; // of the block's name
    item_formats formats;
    int items_per_sample = 1; // input items: 2 for interleaved integers
    int nthreads = 0;
    std::vector<int> map;     // channels of the outputs; empty: all, in order
    bool has_streams = false; // the block has a stream for each of the outputs

    // Throws std::invalid_argument for a value out of range.
    plan_settings resolve() const;

    // For bank_core: one arm per channel; an output item is a vector of the outputs, or
    // one of them.
    std::int64_t arms() const { return channels; }
    std::size_t sample_bytes() const { return bytes_of(formats, format).input; }
    std::size_t input_ports() const { return 1; }
    std::size_t input_item_bytes() const { return sample_bytes() / items_per_sample; }
    bool is_real() const { return !is_complex(input_of(formats, format)); }
    // Channels that there are: 0 ... M - 1, of a real band 0 ... M / 2.
    std::int64_t bands() const { return is_real() ? channels / 2 + 1 : channels; }
    std::size_t outputs() const { return map.empty() ? bands() : map.size(); }
    std::size_t output_ports() const { return has_streams ? outputs() : 1; }
    std::size_t output_item_bytes() const
    {
        return outputs() / output_ports() * bytes_of(formats).output;
    }

    // Centre of an output stream, as a share of the input's sample rate; of vectors, 0.
    double center_of(std::size_t output) const
    {
        const std::int64_t channel = map.empty() ? output : map[output];
        const bool is_above = channel <= channels / 2;
        const double bands = is_above ? channel : channel - channels;
        return has_streams ? bands / channels : 0;
    }

    // Position of the first of `zeros` zeros before the stream: phases of all channels
    // count from hop + 1 samples before the stream's first.
    std::uint64_t origin(std::uint64_t zeros) const
    {
        return channels - zeros % channels + hop + 1;
    }
};

// Input samples for each output sample, channels / oversample_rate. Throws
// std::invalid_argument unless that is a whole number from 1 to channels.
std::int64_t hop_of(std::int64_t channels, double oversample_rate);

// Taps per arm of a filter of `taps` taps.
std::int64_t arm_taps_of(std::int64_t channels, std::size_t taps);

// Throws std::invalid_argument for no taps, or for more than the arms of a bank with this
// number of channels can have.
void check_number_of_taps(std::size_t taps, std::int64_t arms, std::int64_t channels);

// The default filter's band edges, as fractions of the channel spacing.
constexpr double CHANNEL_PASS = 0.4, CHANNEL_STOP = 0.6;

// A low-pass filter with a Kaiser window, a gain of 1 and `attenuation` dB of stopband
// attenuation. pass and stop are band edges in units of the sample rate / channels.
std::vector<float>
low_pass(std::int64_t channels, double pass, double stop, double attenuation);

// The number of taps before its middle one. Throws std::invalid_argument for values out
// of range, or a filter too long to be designed here.
std::size_t
low_pass_delay(std::int64_t channels, double pass, double stop, double attenuation);

// low_pass() for the channels of a bank: each passes its band and meets the next channel
// half-way.
std::vector<float> channel_filter(std::int64_t channels, double attenuation);

} // namespace gpufft
} // namespace gr

#endif
