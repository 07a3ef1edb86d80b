// SPDX-License-Identifier: GPL-3.0-or-later
//
// GNU Radio's buffers at a block's ports, from its start() to its stop().

#ifndef INCLUDED_GPUFFT_STREAM_BUFFERS_H
#define INCLUDED_GPUFFT_STREAM_BUFFERS_H

#include "more_ports.h"
#include "row_streams.h"
#include <gnuradio/block_detail.h>
#include <vector>

namespace gr {
namespace gpufft {

struct stream_buffers {
    stream_buffers() = default;
    // sizes: of a block with several ports, or null; row_bytes: else of a row.
    stream_buffers(gr::block_detail& detail,
                   const port_sizes* sizes,
                   std::size_t row_bytes);

    gr::buffer_sptr input;                    // the first
    std::vector<gr::buffer_sptr> more_inputs; // the others, of a block with several ports
    std::vector<gr::buffer_sptr> outputs;
    const port_sizes* sizes = nullptr;
    std::size_t row_bytes = 0; // that a row adds to an output

    static std::size_t bytes_of(const gr::buffer_sptr& buffer);
    static bool is_double_mapped(const gr::buffer_sptr& buffer);

    bool are_double_mapped() const; // all in host memory
    bool are_on_card() const { return sizes && sizes->are_on_card(); } // some

    // Where rows go; streams: of a block that has an output for each item of a row.
    std::unique_ptr<chunk_output> make_output(const row_streams* streams,
                                              const gr::logger_ptr& logger) const;

    // Rows that fit half of every output buffer, which is what GNU Radio gives out.
    std::size_t rows_at_outputs() const;

    // Frames that fit the buffers of all inputs after the first.
    std::size_t frames_at_more_inputs() const;
};

} // namespace gpufft
} // namespace gr

#endif
