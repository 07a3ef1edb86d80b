// SPDX-License-Identifier: GPL-3.0-or-later
//
// Neighbours from the module gr-cuda (github.com/gnuradio/gr-cuda): GNU Radio's buffer
// between two blocks is a gr::cuda_buffer, of which both sides get addresses on the card.
// Its module is found when the flowgraph is built; this one does not need it.
//
// gr-cuda's blocks work in the legacy default stream, or in streams that the driver
// orders with it, and announce nothing by events. So work of ours begins after all that
// is in that stream, and what follows there begins after ours; the CPU waits for neither.
// (CUDA C++ Programming Guide, "Stream synchronization behavior": a wait for an event in
// the legacy stream counts as its work.)

#ifndef INCLUDED_GPUFFT_CUDA_BUFFERS_H
#define INCLUDED_GPUFFT_CUDA_BUFFERS_H

#include "engine/chunk_pipeline.h"
#include <functional>
#include <gnuradio/buffer.h>
#include <gnuradio/buffer_type.h>

namespace gr {
namespace gpufft {

struct GPUFFT_API cuda_buffers {
    // The type to which both ends of a connection must agree: the name alone counts.
    static gr::buffer_type type();

    static bool is_one(const gr::buffer& buffer);

    // What makes such a buffer: the module's own function, or that of tests. Throws
    // std::runtime_error if the module is not in this process.
    static std::function<gr::buffer_sptr(int,
                                         std::size_t,
                                         std::uint64_t,
                                         std::uint32_t,
                                         gr::block_sptr,
                                         gr::block_sptr)>
        s_make;

    // Orders the queue's work with that of gr-cuda's blocks: call before() and after()
    // queueing work.
    static void before(chunk_pipeline& on);
    static void after(chunk_pipeline& on);
};

} // namespace gpufft
} // namespace gr

#endif
