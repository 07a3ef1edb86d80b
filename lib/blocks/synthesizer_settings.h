// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a polyphase synthesizer is asked for, and the synthesis that computes it.

#ifndef INCLUDED_GPUFFT_SYNTHESIZER_SETTINGS_H
#define INCLUDED_GPUFFT_SYNTHESIZER_SETTINGS_H

#include "stream/live_plan.h"
#include <complex>
#include <cstdint>
#include <vector>

namespace gr {
namespace gpufft {

struct synthesizer_settings {
    static constexpr const char* NAME = "pfb_synthesizer";

    std::int64_t channels;
    std::int64_t hop;        // output samples for each vector of channels
    std::vector<float> taps; // of the prototype filter, at least one
    int nthreads;

    // Throws std::invalid_argument for a value out of range.
    plan_settings resolve() const;

    // For bank_core: a sample of its frames is a bin of a vector, a row `hop` items.
    std::int64_t arms() const { return hop; }
    std::size_t sample_bytes() const { return sizeof(std::complex<float>); }
    std::size_t input_item_bytes() const { return channels * sample_bytes(); }
    std::size_t output_item_bytes() const { return sample_bytes(); }

    // Phases count from the sample `hop` before the stream's first one, which so many
    // zeros are before; positions channels^2 apart are the same.
    std::uint64_t origin(std::uint64_t zeros) const
    {
        const std::uint64_t period = std::uint64_t(channels) * channels;
        return period - zeros % period + channels;
    }
};

// The prototype filter where none is given, for vectors of so many channels, `hop` output
// samples apart. From hop / channels <= 5/7 on it gives back what the channelizer's
// default filter took: it passes that one's whole band, up to 0.6 of the channels'
// spacing, stops the band's images, and begins with as many zeros as phases ask for. Else
// it passes 0.4 and stops from 0.6 on. From a channel to the output its gain is 1.
std::vector<float>
synthesis_filter(std::int64_t channels, std::int64_t hop, double attenuation);

} // namespace gpufft
} // namespace gr

#endif
