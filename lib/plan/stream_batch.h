// SPDX-License-Identifier: GPL-3.0-or-later
//
// The batch for which a stream's plan is made.

#ifndef INCLUDED_GPUFFT_STREAM_BATCH_H
#define INCLUDED_GPUFFT_STREAM_BATCH_H

#include <cstddef>

namespace gr {
namespace gpufft {

// As many frames as fill a GPU.
inline std::size_t frames_of_stream(std::size_t fft_size)
{
    constexpr std::size_t POINTS = std::size_t(1) << 22;
    return (POINTS + fft_size - 1) / fft_size;
}

} // namespace gpufft
} // namespace gr

#endif
