// SPDX-License-Identifier: GPL-3.0-or-later
//
// Samples of several inputs, each an array of its own on the card: in its writer's ring,
// in a buffer of gr-cuda, or uploaded. The frames are those of the first input.

#ifndef INCLUDED_GPUFFT_PORTS_INPUT_H
#define INCLUDED_GPUFFT_PORTS_INPUT_H

#include "chunk_input.h"
#include "port_sizes.h"
#include <optional>

namespace gr {
namespace gpufft {

class ports_input : public chunk_input
{
public:
    // Announces to the writers that their data may stay on a card.
    ports_input(const std::vector<gr::buffer_sptr>& buffers,
                const port_sizes& sizes,
                stream_edge::reader can,
                const std::vector<int>& cards,
                gr::logger_ptr logger);

    void find_rings() override;
    std::string reason() const override;
    bool is_on_card() const override;
    bool is_elsewhere(const chunk_pipeline& on) const override;
    bool can_be_direct(const chunk&, async_device&) override { return false; }
    const char*
    bring(chunk& next, chunk_pipeline& on, async_device::event_use uploaded) override;
    void hand_back(const chunk& next, chunk_pipeline& on) override;

private:
    typedef std::optional<input_port> port; // none: a buffer of gr-cuda
    static bool is_there(const port& each) { return !each || each->ring; }
    void upload(chunk& next, const std::vector<std::size_t>& from, chunk_pipeline& on);

    const gr::logger_ptr d_logger;
    const bool d_any_on_card; // an input or output in a buffer of gr-cuda
    std::vector<port> d_ports;
};

} // namespace gpufft
} // namespace gr

#endif
