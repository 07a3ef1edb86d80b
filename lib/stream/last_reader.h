// SPDX-License-Identifier: GPL-3.0-or-later
//
// Decides when a block may end because nobody reads its output any more.
//
// GNU Radio ends a block whose readers are done only when the buffer between them is
// full, and then the blocks upstream, each when its buffer is full. On a slow stream,
// with buffers as large as a card needs, that takes minutes.

#ifndef INCLUDED_GPUFFT_LAST_READER_H
#define INCLUDED_GPUFFT_LAST_READER_H

#include <gnuradio/block.h>

namespace gr {
namespace gpufft {

// True if all readers of the block's outputs are done, and no block upstream leads to a
// sink that is not done: GNU Radio ends a block together with the first of its readers
// that ends. Only for the block's thread while the flowgraph runs.
bool is_unread(const gr::block& block);

// The same for a block that then ends: also leaves its input buffers nearly full, so that
// GNU Radio soon ends the blocks upstream.
bool ends_unread(const gr::block& block);

} // namespace gpufft
} // namespace gr

#endif
