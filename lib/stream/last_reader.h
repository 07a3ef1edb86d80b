// SPDX-License-Identifier: GPL-3.0-or-later
//
// When a block may end because nobody reads what it writes any more.
//
// GNU Radio ends a block whose readers are done when the buffer between them is full, and
// then the blocks before it, each when the next buffer is full. On a slow stream through
// buffers of a card's size that takes minutes.

#ifndef INCLUDED_GPUFFT_LAST_READER_H
#define INCLUDED_GPUFFT_LAST_READER_H

#include <gnuradio/block.h>

namespace gr {
namespace gpufft {

// True if the readers of all of the block's outputs are done, and no sink that is not
// done is behind a block before it: GNU Radio ends a block together with the first of its
// readers that ends. For the block's thread while the flowgraph runs.
bool is_unread(const gr::block& block);

// The same for a block that then ends: what is before it finds the buffers nearly full,
// so that GNU Radio ends it soon.
bool ends_unread(const gr::block& block);

} // namespace gpufft
} // namespace gr

#endif
