// SPDX-License-Identifier: GPL-3.0-or-later
//
// The length of the parts of overlap-save on a CPU.

#ifndef INCLUDED_GPUFFT_FILTER_LENGTH_H
#define INCLUDED_GPUFFT_FILTER_LENGTH_H

#include <cstddef>

namespace gr {
namespace gpufft {

// The transform length for `taps` taps with the lowest estimated time for `outputs`
// outputs. It is a multiple of the decimation if that has no prime factor above 7, so
// that the spectrum can be folded.
std::size_t filter_length(std::size_t taps, std::size_t decimation, std::size_t outputs);

// Whether the spectrum of parts of this length can be folded by this decimation.
inline bool folds(std::size_t length, std::size_t decimation)
{
    return decimation > 1 && length % decimation == 0;
}

} // namespace gpufft
} // namespace gr

#endif
