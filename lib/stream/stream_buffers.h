// SPDX-License-Identifier: GPL-3.0-or-later
//
// GNU Radio's buffers at a block's ports, from its start() to its stop().

#ifndef INCLUDED_GPUFFT_STREAM_BUFFERS_H
#define INCLUDED_GPUFFT_STREAM_BUFFERS_H

#include "port_sizes.h"
#include <gnuradio/block_detail.h>
#include <gnuradio/buffer.h>
#include <vector>

namespace gr {
namespace gpufft {

struct stream_buffers {
    stream_buffers() = default;
    // sizes: of a block with several ports of their own sizes, or null.
    stream_buffers(gr::block_detail& detail, const port_sizes* sizes);

    std::vector<gr::buffer_sptr> inputs, outputs;
    const port_sizes* sizes = nullptr;

    static std::size_t bytes_of(const gr::buffer_sptr& buffer);
    static bool is_double_mapped(const gr::buffer_sptr& buffer);

    bool are_double_mapped() const; // all in host memory
    bool are_on_card() const { return sizes && sizes->are_on_card(); } // some

    // Frames that fit every input buffer; else than `sizes` say, each takes frame_bytes
    // new bytes of all `streams` together.
    std::size_t frames_at_inputs(std::size_t frame_bytes, std::size_t streams) const;

    // Rows that fit half of every output buffer, which is what GNU Radio gives out; else
    // than `sizes` say, each adds row_bytes bytes to an output.
    std::size_t rows_at_outputs(std::size_t row_bytes) const;
};

} // namespace gpufft
} // namespace gr

#endif
