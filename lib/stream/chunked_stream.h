// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sends the frames of a stream through one or several cards, in chunks.
//
// The rule: a chunk is queued from the input buffer, and until it is done its samples
// stay unconsumed and its rows unproduced, while work() returns earlier chunks. So
// nothing is copied on the host; upload, compute and download of successive chunks
// overlap across calls; and at device trouble the input buffer still has the samples
// whose rows were not returned, so that the CPU can compute them. Chunks return in the
// order in which they were queued.
//
// Two exceptions. If no host memory needs the rows (all readers are on a card, and none
// falls back), a chunk is returned as soon as its input may be overwritten; until the
// card has computed it, the chunk is outstanding. And the samples of an unfinished mean
// are consumed: the saved mean replaces them.
//
// A call queues whole chunks while there is room (or a shorter chunk if nothing is in
// flight), then waits for the oldest. So a fast stream is sent in whole chunks, and a
// slow stream does not wait for a chunk to fill.

#ifndef INCLUDED_GPUFFT_CHUNKED_STREAM_H
#define INCLUDED_GPUFFT_CHUNKED_STREAM_H

#include "chunk_queue.h"
#include "chunk_statistics.h"
#include "chunk_transfer.h"
#include "host_rows.h"
#include "live_plan.h"
#include <functional>
#include <gnuradio/block_detail.h>

namespace gr {
namespace gpufft {

class chunked_stream
{
public:
    // Input and output that one call of work() may use, and the stream positions of both.
    struct work_buffers {
        const void* input = nullptr;                      // null: samples are in streams
        const std::vector<const void*>* inputs = nullptr; // then where this call's are
        std::size_t samples = 0;                          // of all streams
        void* output = nullptr;                           // null: rows go to streams
        const std::vector<void*>* outputs = nullptr;      // then where this call's are
        std::size_t rows = 0;                             // rows that fit the output
        // Frames are computed in multiples of this number, because a filter's outputs are
        // the same bit for bit only at the same place of a part.
        std::size_t together = 1;
        bool ends = false; // these samples end the stream, with any number of frames
        std::uint64_t bytes_read = 0;
        std::uint64_t bytes_written = 0;
        // Samples between the end of the plan's frame and the end of the framer's, which
        // may be longer.
        std::size_t tail = 0;
        std::uint64_t history = 0; // bytes of zeros that GNU Radio puts before the stream
        // Running problems: position of the very first sample, which may be a zero before
        // the stream, modulo 2^64.
        std::uint64_t origin = 0;
    };

    typedef chunk_result result;

    // Samples of frames of n that the inputs show at once, for framer.start(). 0 for a
    // single-mapped buffer, which cannot show a frame across its end, unless a frame is
    // one item of each.
    static std::size_t
    samples_at_once(gr::block_detail& detail, std::size_t n, std::size_t sample_bytes);

    chunked_stream(live_plan& plan, gr::logger_ptr logger);
    ~chunked_stream();

    // The block's thread calls these in its own start(), work() and stop(). Call
    // framer.start() before start(), which throws nothing. The caller has called
    // begin_mean(), which puts the plan's mean into its initial state; it is called again
    // if the CPU takes over before a chunk is done.
    // inputs, outputs: those of a block that has an input for each sample of a frame's
    // period, or an output for each item of a row; else null.
    void start(gr::block_detail& detail,
               const framer& frames,
               std::function<void()> begin_mean = nullptr,
               const row_streams* inputs = nullptr,
               const row_streams* outputs = nullptr);
    result step(const work_buffers& now, framer& frames);
    void stop() noexcept;

    // Samples of the chunks in flight, which stay unconsumed.
    std::size_t samples_in_flight() const { return d_queue.samples(); }
    bool is_idle() const { return d_queue.is_empty(); }

    // Sets the number of rows that the window of step() may have beyond the room in the
    // output buffer. Call it before start().
    void set_ahead(std::size_t rows) { d_rows_ahead = rows; }

    // From start() on: true if the card reads chunks from the input buffer, so that no
    // other memory can replace it.
    bool is_in_chunks() const { return d_in_chunks; }

    // If the data stays on the card, calls rarely wait for a chunk's end, so a chunk may
    // be as large as GNU Radio allows: half a buffer. Its kernel takes 20 us on an H200,
    // and a call of work() between two other blocks not much less.
    static constexpr std::size_t DEVICE_CHUNK_BYTES = std::size_t(48) << 20;

    // Limit of the bytes of all frames' powers in a chunk whose rows are averaged.
    static constexpr std::size_t POWERS_BYTES = std::size_t(512) << 20;

    // Any thread.
    stream_statistics statistics() const { return d_statistics.get(d_plan.engine()); }

private:
    std::unique_ptr<chunk_input> make_input();
    std::unique_ptr<chunk_output> make_output();
    std::string why_at_once(const framer& frames) const;
    result compute_now(const work_buffers& now, framer& frames);
    work_buffers join(const work_buffers& now, const framer& frames, std::size_t most);
    std::size_t execute(const framer::run& run, std::uint64_t position, void* output);
    void restore_mean();
    void take_over(const work_buffers& now, const framer& frames);
    std::uint64_t position_of_next(const work_buffers& now, const framer& frames) const;
    void open();
    static std::size_t most_averaged(const problem& what);
    std::size_t whole_chunk(const plan& now, std::size_t together) const;
    void fill(const work_buffers& now, framer& frames);
    bool cut(const work_buffers& now, framer& frames, chunk& next);
    result take_oldest();
    void recover(const cuda_error& error, framer& frames);
    void drop_all() noexcept;

    live_plan& d_plan;
    const gr::logger_ptr d_logger;
    chunk_statistics d_statistics;
    std::size_t d_rows_ahead = 1;

    // From start() to stop().
    std::vector<gr::buffer_sptr> d_inputs, d_outputs;
    std::size_t d_sample_bytes = 0, d_row_bytes = 0;
    std::size_t d_out_bytes = 0;     // that a row adds to an output
    std::size_t d_input_samples = 0; // that the input buffers hold
    host_rows d_rows;                // of streams, where the CPU computes
    bool d_in_chunks = false;        // if false, each call computes and waits
    std::unique_ptr<chunk_transfer> d_transfer;
    chunk_queue d_queue;
    saved_mean d_mean;                  // the mean after all returned chunks
    std::function<void()> d_begin_mean; // needed until there is a d_mean
};

} // namespace gpufft
} // namespace gr

#endif
