// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows whose items go to a stream each. On a card a kernel stores each stream's items
// into that stream's buffer, over the link or into the stream's ring, so that nothing is
// copied on the host.

#ifndef INCLUDED_GPUFFT_STREAMS_OUTPUT_H
#define INCLUDED_GPUFFT_STREAMS_OUTPUT_H

#include "chunk_output.h"
#include "row_streams.h"
#include <map>

namespace gr {
namespace gpufft {

class streams_output : public chunk_output
{
public:
    // streams: which item of a row each of the buffers gets; it may change.
    streams_output(const std::vector<gr::buffer_sptr>& buffers,
                   const row_streams& streams,
                   gr::logger_ptr logger);

    void
    open(const async_device::sptr& device, bool keep_host, std::size_t ahead) override;
    bool is_open() const override { return d_is_open; }
    std::string reason() const override;
    bool to_host() const override { return d_to_host; }
    bool with_cards() const override;
    bool can_be_direct(const chunk&, async_device&) override { return false; }
    char* choose_destination(chunk& next, chunk_pipeline& on) override;
    void hand_over(chunk& next, chunk_pipeline& on, const char* rows) override;
    void unstage(const chunk& done) override;
    void forget_from(std::uint64_t output_begin) override;
    void leave_to_hung() override;

private:
    struct port {
        host_side side;
        stream_place place; // in host memory
        std::unique_ptr<stream_edge::output> edge = nullptr;
    };

    // Places on one card: those in rings, then those in host memory.
    struct table {
        std::vector<int> map; // of the time when it was made
        growing_memory memory, staged{ true };
        std::size_t in_rings = 0, on_host = 0;
        std::size_t first_line = 0; // where a stream on the host begins, in its line
    };

    void place(const char* rows, std::size_t count, std::uint64_t output_begin);
    table& table_on(chunk_pipeline& on);
    void fill(table& with, chunk_pipeline& on) const;
    bool is_reachable(async_device& device);
    async_device::stream_move
    move_of(const chunk& next, const char* rows, const table& with) const;

    const row_streams& d_streams;
    const gr::logger_ptr d_logger;
    std::vector<port> d_ports;
    std::map<const chunk_pipeline*, table> d_tables;
    bool d_is_open = false, d_to_host = true, d_is_staged = false;
};

} // namespace gpufft
} // namespace gr

#endif
