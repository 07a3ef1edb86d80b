// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows of several outputs, each an array of its own on the card. See ports_input.

#ifndef INCLUDED_GPUFFT_PORTS_OUTPUT_H
#define INCLUDED_GPUFFT_PORTS_OUTPUT_H

#include "chunk_output.h"
#include "port_sizes.h"

namespace gr {
namespace gpufft {

class ports_output : public chunk_output
{
public:
    ports_output(const std::vector<gr::buffer_sptr>& buffers,
                 const port_sizes& sizes,
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
        std::size_t row_bytes;
        bool on_card;
        std::unique_ptr<stream_edge::output> edge; // null: on the card
    };

    const gr::logger_ptr d_logger;
    std::vector<port> d_ports;
    bool d_is_open = false, d_to_host = true;
};

} // namespace gpufft
} // namespace gr

#endif
