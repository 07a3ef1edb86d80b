// SPDX-License-Identifier: GPL-3.0-or-later
//
// Brings a chunk's samples to a card and its rows to their readers. The samples come from
// the ring that the writer keeps on a card, or from GNU Radio's buffer: directly, or
// through pinned memory if the buffer cannot be registered. The rows take the same ways.
// A small chunk is not copied: its kernel accesses both buffers. An object lives from a
// block's start() to its stop(); the block's thread calls it.

#ifndef INCLUDED_GPUFFT_CHUNK_TRANSFER_H
#define INCLUDED_GPUFFT_CHUNK_TRANSFER_H

#include "chunk_input.h"
#include "chunk_output.h"
#include "chunk_statistics.h"
#include "live_plan.h"

namespace gr {
namespace gpufft {

class chunk_transfer
{
public:
    // Made in start(). input: null if no chunks will be sent.
    chunk_transfer(live_plan& plan,
                   chunk_statistics& statistics,
                   std::unique_ptr<chunk_input> input,
                   std::unique_ptr<chunk_output> output);

    // Called in the first work(): makes the devices and decides where the rows go.
    // `ahead`: bytes that may be written before GNU Radio's buffer has room for them.
    void open(std::size_t ahead);
    bool is_open() const { return d_output->is_open(); }

    bool has_devices() const { return !d_devices.empty(); }
    std::size_t turns() const;
    std::size_t next_device() const { return d_next % turns(); }
    bool stays_on_card() const; // samples and rows of all chunks

    // Queues the chunk's copies and kernels.
    void send(chunk& next);

    // Waits until the samples of the chunk may be consumed and its rows produced.
    void finish(const chunk& sent);

    // Counts and removes the chunks before the first one without a download, for which
    // finish() has waited. If more than `most` remain, waits for the first timed chunk
    // and removes all up to it; `most` is 0 or at least TIMED_EVERY.
    void settle(std::deque<chunk>& outstanding, std::size_t most);

    // Saves the current mean and waits for it, while nothing is in flight. Only needed if
    // the CPU can take over.
    saved_mean current_mean();

    // After trouble. finish_all() waits for all devices, so that none writes to host
    // memory later, except devices that hang (see host_buffer). forget_from() makes the
    // rows in the ring from this place on invalid. leave_to_hung() keeps a hanging device
    // from overwriting what the CPU writes to the output buffer from now on.
    void finish_all() noexcept;
    void forget_from(std::uint64_t output_begin);
    void leave_to_hung();

private:
    void add_device(int index);
    void find_rings();
    bool can_be_direct(const chunk& next, const chunk_pipeline& on);
    const char* bring(chunk& next, chunk_pipeline& on);
    void hand_over(chunk& next, chunk_pipeline& on, const char* rows);
    saved_mean save_mean();

    // Number of running means: after each chunk in flight, and after the chunk before.
    static constexpr std::size_t MEANS = chunk_pipeline::SLOTS + 1;

    live_plan& d_plan;
    chunk_statistics& d_statistics;
    const std::unique_ptr<chunk_input> d_input;
    const std::unique_ptr<chunk_output> d_output;
    std::vector<std::unique_ptr<chunk_pipeline>> d_devices;
    growing_memory d_means[MEANS];
    bool d_found_rings = false;
    std::size_t d_next = 0; // number of the next chunk, for its device and slot
    std::size_t d_saved_means = 0;
};

} // namespace gpufft
} // namespace gr

#endif
