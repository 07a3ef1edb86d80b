// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows whose items come from a stream each. On a card a kernel gathers them from the
// streams' buffers over the link, or from their rings, so that nothing is copied on the
// host.

#ifndef INCLUDED_GPUFFT_STREAMS_INPUT_H
#define INCLUDED_GPUFFT_STREAMS_INPUT_H

#include "chunk_input.h"
#include "row_maps.h"
#include "stream_places.h"
#include <map>

namespace gr {
namespace gpufft {

class streams_input : public chunk_input
{
public:
    // Announces to the writers that their data may stay on a card. maps: of the rows so
    // far; the block's thread changes them, but forgets none without telling.
    streams_input(const std::vector<gr::buffer_sptr>& buffers,
                  const row_streams& streams,
                  row_maps& maps,
                  stream_edge::reader can,
                  const std::vector<int>& cards,
                  gr::logger_ptr logger);

    void find_rings() override;
    std::string reason() const override;
    bool is_on_card() const override { return d_in_rings == d_ports.size(); }
    bool is_elsewhere(const chunk_pipeline& on) const override;
    bool can_be_direct(const chunk&, async_device&) override { return false; }
    const char*
    bring(chunk& next, chunk_pipeline& on, async_device::event_use uploaded) override;
    void hand_back(const chunk& next, chunk_pipeline& on) override;

private:
    struct port {
        host_side side;
        stream_place place; // in host memory
        std::unique_ptr<stream_edge::input> edge;
        shadow_ring::sptr ring = nullptr;
    };
    // Rings that a writer writes together.
    struct writer {
        shadow_ring::sptr smallest;
        bool is_followed = true; // of the chunk at hand
    };
    typedef std::map<std::int64_t, place_table> tables; // by the first row of their map

    void group_rings();
    void follow_writers(const chunk& next, chunk_pipeline& on);
    bool is_reachable(async_device& device);
    const place_table& table_on(chunk_pipeline& on, const row_maps::since& map);
    void fill(place_table& table, chunk_pipeline& on, const std::vector<int>& map) const;
    void stage(const chunk& next, char* rows) const;
    template <class Move>
    void move_parts(const chunk& next, chunk_pipeline& on, char* rows, Move&& move);

    const row_streams& d_streams;
    row_maps& d_maps;
    const gr::logger_ptr d_logger;
    std::vector<port> d_ports;
    std::map<const ring_log*, writer> d_writers;
    std::map<chunk_pipeline*, tables> d_tables;
    std::size_t d_in_rings = 0; // ports
    bool d_is_staged = false;
};

} // namespace gpufft
} // namespace gr

#endif
