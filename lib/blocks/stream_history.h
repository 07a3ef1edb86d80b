// SPDX-License-Identifier: GPL-3.0-or-later
//
// The zeros that GNU Radio puts before a stream, as a block finds them.

#ifndef INCLUDED_GPUFFT_STREAM_HISTORY_H
#define INCLUDED_GPUFFT_STREAM_HISTORY_H

#include <gnuradio/block.h>

namespace gr {
namespace gpufft {

// For start(). Items of zeros before the stream: those that the block asked for by
// set_history(). GNU Radio's unlock() lets streams begin anew without them: then brings
// back as many as the buffer holds.
std::size_t zeros_before_stream(gr::block& reader);

} // namespace gpufft
} // namespace gr

#endif
