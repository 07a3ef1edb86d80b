// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows whose items go to a stream each. On a card a kernel stores each stream's items
// into that stream's buffer, over the link or into the stream's ring, so that nothing is
// copied on the host.

#ifndef INCLUDED_GPUFFT_STREAMS_OUTPUT_H
#define INCLUDED_GPUFFT_STREAMS_OUTPUT_H

#include "chunk_output.h"
#include "stream_places.h"
#include <map>

namespace gr {
namespace gpufft {

// The rings of a block may have this part of the card's free memory; streams beyond it go
// over the host. A ring has at least the 2 MiB that a card allocates.
constexpr std::size_t RINGS_OF_FREE = 4;

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
    bool with_cards() const override { return d_with_cards; }
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

    struct table {
        std::vector<int> map; // of the time when it was made
        place_table places;
    };

    void place(const char* rows, std::size_t count, std::uint64_t output_begin);
    const place_table& table_on(chunk_pipeline& on);
    void fill(place_table& table, chunk_pipeline& on, const std::vector<int>& map) const;
    bool is_reachable(async_device& device);

    const row_streams& d_streams;
    const gr::logger_ptr d_logger;
    std::vector<port> d_ports;
    stream_edge::output::common d_rings;
    std::map<const chunk_pipeline*, table> d_tables;
    bool d_is_open = false, d_to_host = true, d_has_rings = false, d_is_staged = false;
    bool d_with_cards = false;
};

} // namespace gpufft
} // namespace gr

#endif
