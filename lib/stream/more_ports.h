// SPDX-License-Identifier: GPL-3.0-or-later
//
// Blocks with several inputs or outputs, each with its own number of bytes for a frame:
// the data of each port stays on the card or crosses the link on its own. The frames are
// those of the first input, see chunked_stream and chunk_transfer.

#ifndef INCLUDED_GPUFFT_MORE_PORTS_H
#define INCLUDED_GPUFFT_MORE_PORTS_H

#include "chunk_output.h"
#include "chunk_queue.h"
#include "function_plan.h"
#include "live_plan.h"

namespace gr {
namespace gpufft {

// Bytes at the ports.
struct port_sizes {
    struct input {
        std::size_t frame = 0;   // new bytes of a frame
        std::size_t history = 0; // before them
        bool on_card = false;    // the buffer is one of cuda_buffers
    };
    std::vector<input> inputs;
    std::vector<std::size_t> rows;  // of the outputs
    std::vector<bool> rows_on_card; // buffers that are cuda_buffers

    bool are_on_card() const; // some
    bool are_several() const
    {
        return inputs.size() > 1 || rows.size() > 1 || are_on_card();
    }
    std::size_t most() const; // bytes of a frame or a row
};

// Where a call of work() may read and write.
struct port_buffers {
    struct input {
        const char* data = nullptr; // the next frame's first byte
        std::uint64_t read = 0;     // bytes of the stream read before it
        std::uint64_t history = 0; // bytes of zeros that GNU Radio puts before the stream
    };
    struct output {
        char* data = nullptr;
        std::uint64_t written = 0; // bytes
    };
    std::vector<input> inputs;
    std::vector<output> outputs;
    std::size_t frames = 0; // for which all inputs have items

    // The parts of a chunk of `frames` frames after `before` others.
    void cut(const port_sizes& sizes,
             std::size_t before,
             std::size_t frames,
             chunk& next) const;

    // For a call on host memory.
    more_places places() const;
};

// The inputs after the first, as chunk_transfer sees its own, and what is on a card
// without a ring.
class more_inputs
{
public:
    // If chunks will be sent, announces to the writers that data may stay on the card.
    more_inputs(const std::vector<gr::buffer_sptr>& buffers,
                const port_sizes& sizes,
                const live_plan& plan,
                gr::logger_ptr logger,
                bool sends);

    std::size_t size() const { return d_ports.size(); }
    bool first_is_on_card() const { return d_first_on_card; }

    // Call it once the writers have written samples.
    bool are_in_rings();
    std::string describe(); // one sentence

    // True if a reading of these rings needs an event for which the CPU can wait.
    bool are_elsewhere(const chunk_pipeline& on);

    // Brings the samples to the card. Returns true if uploads are queued, which
    // chunk_pipeline::end_uploads() must end.
    bool bring(chunk& next, chunk_pipeline& on);

    // After the kernels, and what brings their rows to the readers.
    void end(const chunk& done, chunk_pipeline& on);

private:
    struct port {
        host_side side;
        bool on_card;
        std::unique_ptr<stream_edge::input> edge; // null: on the card
        shadow_ring::sptr ring;
    };
    static bool take_from_ring(port& from,
                               port_part& part,
                               chunk_pipeline::port_memory& memory,
                               chunk_pipeline& on);
    void ask();

    const gr::logger_ptr d_logger;
    const bool d_first_on_card, d_any_on_card;
    std::vector<port> d_ports;
    bool d_asked = false;
};

// Rows in several buffers.
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
