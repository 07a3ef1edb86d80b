// SPDX-License-Identifier: GPL-3.0-or-later
//
// How long the parts of overlap-save had best be on a CPU.

#ifndef INCLUDED_GPUFFT_FILTER_LENGTH_H
#define INCLUDED_GPUFFT_FILTER_LENGTH_H

#include <cstddef>

namespace gr {
namespace gpufft {

// The length of the transform for so many taps: the least estimated time for so many
// outputs.
// A multiple of the decimation where that has no prime factor above 7: then the spectrum
// can be folded.
std::size_t filter_length(std::size_t taps, std::size_t decimation, std::size_t outputs);

// Whether the spectrum of parts of this length can be folded by this decimation.
inline bool folds(std::size_t length, std::size_t decimation)
{
    return decimation > 1 && length % decimation == 0;
}

} // namespace gpufft
} // namespace gr

#endif
