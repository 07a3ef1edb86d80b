// SPDX-License-Identifier: GPL-3.0-or-later
//
// How a chunk's samples get to a card and its rows to their readers. The samples come
// from the ring that the writer keeps on a card, or from GNU Radio's buffer: directly, or
// through pinned memory if the buffer cannot be registered. The rows go the same ways. A
// small chunk is not copied at all: its kernel accesses both buffers. Lives from a
// block's start() to its stop(); the block's thread calls it.

#ifndef INCLUDED_GPUFFT_CHUNK_TRANSFER_H
#define INCLUDED_GPUFFT_CHUNK_TRANSFER_H

#include "chunk_queue.h"
#include "chunk_statistics.h"
#include "host_buffer.h"
#include "live_plan.h"
#include "stream_edge.h"

namespace gr {
namespace gpufft {

class chunk_transfer
{
public:
    // In start(). If chunks will be sent, this tells the writer that its data may stay on
    // the card.
    chunk_transfer(live_plan& plan,
                   gr::logger_ptr logger,
                   chunk_statistics& statistics,
                   const gr::buffer_sptr& input,
                   const gr::buffer_sptr& output,
                   bool sends);

    // In the first work(): makes the devices and decides where the rows go. `ahead`:
    // bytes that may be written before GNU Radio's buffer has room for them.
    void open(std::size_t ahead);
    bool is_open() const { return d_output_edge != nullptr; }

    bool has_devices() const { return !d_devices.empty(); }
    std::size_t turns() const;
    std::size_t next_device() const { return d_next % turns(); }
    bool stays_on_card() const; // samples and rows of all chunks

    // Queues the chunk's copies and kernels.
    void send(chunk& next);

    // Waits until the samples of the chunk may be consumed and its rows produced.
    void finish(const chunk& sent);

    // Counts the outstanding chunks that are done and takes them out; waits until at most
    // `most` are left.
    void settle(std::deque<chunk>& outstanding, std::size_t most);

    // Saves the current mean and waits for it, when nothing is in flight. Only needed if
    // the CPU can take over.
    saved_mean current_mean();

    // At trouble: waits for all devices, so that nothing writes to host memory later,
    // except devices that hang (see host_buffer); makes the rows in the ring from this
    // place on invalid; and keeps a hanging device, which may still write to the output
    // buffer, from overwriting what the CPU writes from now on.
    void finish_all() noexcept;
    void forget_from(std::uint64_t output_begin);
    void leave_to_hung();

private:
    // One of GNU Radio's buffers.
    struct host_side {
        const gr::buffer_sptr buffer;
        host_buffer::sptr registered;
        bool is_staged = false; // because it cannot be registered, or has moved
    };

    void add_device(int index);
    bool is_reachable(host_side& side);
    bool asks_for_ring();
    bool is_elsewhere(const chunk_pipeline& on) const;
    bool can_be_direct(const chunk& next, const chunk_pipeline& on);
    const char* bring(chunk& next, chunk_pipeline& on);
    const char* bring_from_ring(chunk& next, chunk_pipeline& on);
    char* choose_destination(chunk& next, chunk_pipeline& on);
    void hand_over(chunk& next, chunk_pipeline& on, const char* rows);
    saved_mean save_mean();

    // The running means after each chunk in flight and after the chunk before them.
    static constexpr std::size_t MEANS = chunk_pipeline::SLOTS + 1;

    live_plan& d_plan;
    const gr::logger_ptr d_logger;
    chunk_statistics& d_statistics;
    host_side d_input, d_output;
    std::vector<std::unique_ptr<chunk_pipeline>> d_devices;
    growing_memory d_means[MEANS];
    std::unique_ptr<stream_edge::input> d_input_edge;
    std::unique_ptr<stream_edge::output> d_output_edge;
    shadow_ring::sptr d_input_ring;
    bool d_asked_for_ring = false;
    std::size_t d_next = 0; // chunk: its device and slot
    std::size_t d_saved_means = 0;
};

} // namespace gpufft
} // namespace gr

#endif
