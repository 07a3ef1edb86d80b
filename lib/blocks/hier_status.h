// SPDX-License-Identifier: GPL-3.0-or-later
//
// The message port "status" of a hierarchical block.

#ifndef INCLUDED_GPUFFT_HIER_STATUS_H
#define INCLUDED_GPUFFT_HIER_STATUS_H

#include <gnuradio/hier_block2.h>

namespace gr {
namespace gpufft {

/*! \brief Gives `block` the port "status" of `core`, the block in it that has the
 * engine. */
inline void forward_status(gr::hier_block2& block, const gr::basic_block_sptr& core)
{
    const pmt::pmt_t port = pmt::mp("status");
    block.message_port_register_hier_out(port);
    // The block itself holds the connection: if that owned the block, it would never be
    // freed.
    const gr::basic_block_sptr unowned(gr::basic_block_sptr(), &block);
    block.msg_connect(core, port, unowned, port);
}

} // namespace gpufft
} // namespace gr

#endif
