// SPDX-License-Identifier: GPL-3.0-or-later
//
// Settings of a polyphase synthesizer, and the synthesis that computes it.

#ifndef INCLUDED_GPUFFT_SYNTHESIZER_SETTINGS_H
#define INCLUDED_GPUFFT_SYNTHESIZER_SETTINGS_H

#include "item_format.h"
#include "stream/live_plan.h"
#include <cstdint>
#include <vector>

namespace gr {
namespace gpufft {

struct synthesizer_settings {
    static constexpr const char* NAME = "pfb_synthesizer";

    std::int64_t channels;
    std::int64_t hop;        // output samples for each vector of channels
    std::vector<float> taps; // taps of the prototype filter, at least one
    int nthreads;
    item_formats formats;
    bool has_streams = false; // an input for each channel, not vectors of them

    // Throws std::invalid_argument for a value out of range.
    plan_settings resolve() const;

    // For bank_core: a sample of a frame is a bin of a vector; a row has `hop` items.
    std::int64_t arms() const { return hop; }
    std::size_t sample_bytes() const { return bytes_of(formats).input; }
    std::size_t input_ports() const { return has_streams ? channels : 1; }
    std::size_t input_item_bytes() const
    {
        return channels / input_ports() * sample_bytes();
    }
    std::size_t output_ports() const { return 1; }
    std::size_t output_item_bytes() const { return bytes_of(formats).output; }

    double center_of(std::size_t) const { return 0; } // that of channel 0

    // Position of the first of `zeros` zeros before the stream, modulo channels^2: phases
    // count from the output sample `hop` before the stream's first.
    std::uint64_t origin(std::uint64_t zeros) const
    {
        const std::uint64_t period = std::uint64_t(channels) * channels;
        return period - zeros % period + channels;
    }
};

// The default prototype filter for vectors of `channels` channels, `hop` output samples
// apart. With hop / channels <= 5/7 it undoes the channelizer's default filter: it passes
// that filter's whole band, up to 0.6 of the channel spacing, stops the band's images,
// and begins with zeros that align the phases. Otherwise it passes up to 0.4 and stops
// from 0.6 on. The gain from a channel to the output is 1.
std::vector<float>
synthesis_filter(std::int64_t channels, std::int64_t hop, double attenuation);

} // namespace gpufft
} // namespace gr

#endif
