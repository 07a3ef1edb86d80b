// SPDX-License-Identifier: GPL-3.0-or-later
//
// The zeros that GNU Radio puts before a stream.

#ifndef INCLUDED_GPUFFT_STREAM_HISTORY_H
#define INCLUDED_GPUFFT_STREAM_HISTORY_H

#include <gnuradio/block.h>

namespace gr {
namespace gpufft {

// For start(). Returns the number of zero items before the stream of each input, which
// the block has requested by set_history(). After unlock() GNU Radio restarts streams
// without these zeros; then this restores as many as the buffers hold.
std::size_t zeros_before_stream(gr::block& reader);

} // namespace gpufft
} // namespace gr

#endif
