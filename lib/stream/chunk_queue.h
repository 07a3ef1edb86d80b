// SPDX-License-Identifier: GPL-3.0-or-later
//
// Chunks of a stream, in order: those in flight, which work() has yet to return, and the
// outstanding ones, which it has returned while the card may still compute them.

#ifndef INCLUDED_GPUFFT_CHUNK_QUEUE_H
#define INCLUDED_GPUFFT_CHUNK_QUEUE_H

#include "engine/chunk_pipeline.h"
#include "framer.h"
#include <deque>
#include <gnuradio/gpufft/plan.h>

namespace gr {
namespace gpufft {

// What a call of work() returns to the scheduler.
struct chunk_result {
    std::size_t consumed = 0; // samples consumed
    std::size_t rows = 0;
    framer::run run;               // frames of the rows, for the tags
    std::size_t average = 1;       // frames of a row
    std::size_t frames_in_row = 0; // frames in the running mean before them
};

// A running mean from which the CPU can continue.
struct saved_mean {
    const char* memory = nullptr;
    plan::mean_state state;
};

// A chunk's part at one port.
struct port_part {
    char* host = nullptr;             // in GNU Radio's buffer
    std::uint64_t begin = 0, end = 0; // in bytes of the port's stream
    std::size_t lead = 0;             // bytes of zeros before the stream
    char* there = nullptr;            // on the card
    bool reads_ring = false;
    const char* staged = nullptr; // rows on their way to `host`

    std::size_t bytes() const { return lead + (end - begin); }

    // Bytes `from` ... `to` of an input that begins with `zeros` bytes of zeros.
    static port_part behind(std::uint64_t zeros, std::uint64_t from, std::uint64_t to);
};

struct chunk : chunk_pipeline::passage {
    frame_layout layout;
    chunk_result returns;
    framer::place framer_place;        // place of the framer before this chunk
    std::uint64_t stream_position = 0; // that of its first frame
    port_part input;                   // the first, or a block's streams together
    std::uint64_t output_begin = 0, output_end = 0; // in bytes of each output
    std::size_t device = 0;
    chunk_pipeline::event_sptr started;
    bool is_direct = false;
    std::size_t bytes_up = 0;
    saved_mean mean;                        // the mean after this chunk
    std::vector<port_part> inputs, outputs; // all, of blocks with several ports
};

class chunk_queue
{
public:
    // Of the chunks in flight.
    bool is_empty() const { return d_in_flight.empty(); }
    std::size_t size() const { return d_in_flight.size(); }
    std::size_t samples() const { return d_samples; } // they stay unconsumed
    std::size_t rows() const { return d_rows; }
    const chunk& oldest() const { return d_in_flight.front(); }

    chunk& push(const chunk& next);

    // Removes the oldest chunk in flight; it is outstanding if a card computes it.
    chunk_result pop();

    // The outstanding chunks, oldest first, until they are counted.
    std::deque<chunk>& outstanding() { return d_outstanding; }

    void clear() noexcept
    {
        d_in_flight.clear();
        d_outstanding.clear();
        d_samples = d_rows = 0;
    }

private:
    std::deque<chunk> d_in_flight; // oldest first
    std::deque<chunk> d_outstanding;
    std::size_t d_samples = 0, d_rows = 0;
};

} // namespace gpufft
} // namespace gr

#endif
