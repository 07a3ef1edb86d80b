// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a block tells about the chunks that it has sent through a card.

#ifndef INCLUDED_GPUFFT_STREAM_STATISTICS_H
#define INCLUDED_GPUFFT_STREAM_STATISTICS_H

#include <cstdint>
#include <string>

namespace gr {
namespace gpufft {

struct stream_statistics {
    std::uint64_t chunks = 0;
    std::uint64_t frames = 0;
    std::uint64_t bytes_up = 0;   // host to card
    std::uint64_t bytes_down = 0; // card to host
    double device_seconds = 0;    // of the kernels
    double seconds = 0;           // from the first chunk to the last
    std::size_t in_flight = 0;    // chunks, now
    std::size_t most_in_flight = 0;
    std::string input_edge;  // where the samples come from, and why
    std::string output_edge; // where the rows go, and why
};

} // namespace gpufft
} // namespace gr

#endif
