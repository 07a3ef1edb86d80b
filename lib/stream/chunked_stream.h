// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sends the frames of a stream through one or several cards, in chunks.
//
// The rule: a chunk is queued from the input buffer and stays unconsumed, and its rows
// unproduced, until it is done; meanwhile work() returns earlier chunks. So nothing is
// copied on the host; upload, compute and download of successive chunks overlap across
// calls; and samples whose rows were not returned are still in the input buffer: at
// device trouble the CPU computes them again. Chunks return in the order in which they
// were queued.
//
// A call queues whole chunks while there is room (or a shorter one if nothing is in
// flight), then waits for the oldest. So a fast stream is sent in whole chunks, and a
// slow one does not wait for them to fill.

#ifndef INCLUDED_GPUFFT_CHUNKED_STREAM_H
#define INCLUDED_GPUFFT_CHUNKED_STREAM_H

#include "framer.h"
#include "host_buffer.h"
#include "live_plan.h"
#include "stream_devices.h"
#include "stream_edge.h"
#include <chrono>
#include <deque>
#include <functional>
#include <gnuradio/block_detail.h>
#include <gnuradio/gpufft/engine_block.h>

namespace gr {
namespace gpufft {

class chunked_stream
{
public:
    // Input and output that one call of work() may use, and the stream positions of both.
    struct window {
        const void* input = nullptr;
        std::size_t samples = 0;
        void* output = nullptr;
        std::size_t rows = 0; // room in the output
        // Frames are computed in multiples of this: outputs of a filter are the same bit
        // for bit only at the same place of a part.
        std::size_t together = 1;
        bool ends = false; // these samples end the stream: the last frames may be no
                           // multiple
        std::uint64_t bytes_read = 0;
        std::uint64_t bytes_written = 0;
        // Samples between the end of the plan's frame and the end of the framer's, which
        // may be longer.
        std::size_t tail = 0;
        std::uint64_t history = 0; // bytes of zeros that GNU Radio puts before the stream
        // Running problems: position of the first sample of all, zeros included, modulo
        // 2^64.
        std::uint64_t origin = 0;
    };

    // What the call returns to the scheduler.
    struct result {
        std::size_t consumed = 0; // samples
        std::size_t rows = 0;
        framer::run run;               // the frames, for the tags
        std::size_t average = 1;       // frames of a row
        std::size_t frames_in_row = 0; // frames in the running mean before them
    };

    // Samples of frames of n that the input shows at once, for framer.start(). 0 for a
    // single-mapped buffer, where GNU Radio cannot show a frame across the end, unless a
    // frame is one item.
    static std::size_t
    samples_at_once(gr::block_detail& detail, std::size_t n, std::size_t sample_bytes);

    chunked_stream(live_plan& plan, gr::logger_ptr logger);
    ~chunked_stream();

    // The block's thread calls these in its own start(), work() and stop(). Call
    // framer.start() before start(), which throws nothing. begin_mean() has put the
    // plan's mean into its initial state; it is called again if the CPU takes over before
    // a chunk is done.
    void start(gr::block_detail& detail,
               const framer& frames,
               std::function<void()> begin_mean = nullptr);
    result step(const window& now, framer& frames);
    void stop() noexcept;

    // Samples of the chunks in flight, which stay unconsumed.
    std::size_t samples_in_flight() const { return d_samples_in_flight; }
    bool is_idle() const { return d_chunks.empty(); }

    // Rows that the window of step() may have beyond the room in the output buffer. Call
    // it before start().
    void set_ahead(std::size_t rows) { d_rows_ahead = rows; }

    // From start() on: true if the card reads chunks from the input buffer, so that no
    // other memory can replace it.
    bool is_in_chunks() const { return d_in_chunks; }

    // Bytes of input or output, whichever is larger, in a whole chunk. From a chunk's end
    // to the next chunk in its slot, the CPU wakes up and GNU Radio's scheduler comes
    // round: 120 ... 220 us on an H200 in a virtual machine, which the other two chunks
    // must cover. `gpufft bench --flowgraph` there gives, as a share of the link's rate,
    // with CPU load in cores: 4 MiB 0.66 ... 0.94 with 0.6 ... 0.9, 8 MiB 1.0 with 0.3
    // ... 0.8, 16 MiB 1.0 with 0.2 ... 0.5.
    static constexpr std::size_t CHUNK_BYTES = std::size_t(16) << 20;

    // Where the data stays on the card, no call waits for a chunk's end, so a chunk may
    // be as large as what GNU Radio gives out at once: half a buffer. Its kernel takes 20
    // us on an H200, and a call of work() between two other blocks not much less.
    static constexpr std::size_t DEVICE_CHUNK_BYTES = std::size_t(48) << 20;

    // Limit for the powers of all frames in a chunk whose rows are averaged.
    static constexpr std::size_t POWERS_BYTES = std::size_t(512) << 20;

    // Any thread.
    stream_statistics statistics() const;

private:
    // A running mean from which the CPU can continue.
    struct saved_mean {
        const char* memory = nullptr;
        plan::mean_state state;
    };
    struct chunk {
        result returns;
        framer::place position;      // of the framer before this chunk
        std::uint64_t in_stream = 0; // position of its first frame
        std::size_t lead = 0;        // leading bytes that are zeros before the stream
        std::uint64_t input_begin = 0, input_end = 0; // bytes of the streams
        std::uint64_t output_begin = 0, output_end = 0;
        std::size_t device = 0;
        stream_device::slot* slot = nullptr;
        std::shared_ptr<async_device::event> started, uploaded, computed, downloaded;
        bool reads_ring = false, is_direct = false;
        std::size_t bytes_up = 0;
        char* output = nullptr;       // destination of the rows on the host
        const char* staged = nullptr; // staging memory of the rows, if they need it
        saved_mean mean;              // after this chunk
    };

    std::string why_at_once(const framer& frames) const;
    result compute_at_once(const window& now, framer& frames);
    std::size_t execute(const framer::run& run, std::uint64_t position, void* output);
    static std::size_t input_bytes(const chunk& next);
    void restore_mean();
    void take_over(const window& now, const framer& frames);
    std::uint64_t position_of_next(const window& now, const framer& frames) const;
    void open();
    bool is_registered(const gr::buffer_sptr& buffer,
                       host_buffer::sptr& registered,
                       bool& staged);
    bool stays_on_card() const;
    static std::size_t most_averaged(const problem& what);
    std::size_t whole_chunk(const plan& now, std::size_t together) const;
    void fill(const window& now, framer& frames);
    bool cut(const window& now, framer& frames, chunk& next);
    void queue(chunk& next);
    bool asks_for_ring();
    bool can_be_direct(const chunk& next, const stream_device& on);
    const char* bring(chunk& next, stream_device& on);
    bool is_elsewhere(const stream_device& on) const;
    bool comes_from_ring(const chunk& next, stream_device& on);
    const char* bring_from_ring(chunk& next, stream_device& on);
    const char* bring_from_host(chunk& next, stream_device& on, const char* samples);
    static void wait_for_reader(const shadow_ring::reading& what, stream_device& on);
    char* place(chunk& next, stream_device& on);
    void deliver(chunk& next, stream_device& on, const char* rows);
    saved_mean save_mean(std::size_t device);
    void keep_mean();
    result take_oldest();
    void limit_outstanding(std::size_t most);
    void count(const chunk& done);
    void count_time(std::size_t frames);
    std::size_t turns() const;
    void recover(const cuda_error& error, framer& frames);
    void leave_to_hung();
    void drop_all() noexcept;

    live_plan& d_plan;
    const gr::logger_ptr d_logger;

    // From start() to stop().
    gr::buffer_sptr d_input, d_output;
    bool d_in_chunks = false; // else each call computes and waits
    bool d_is_open = false;
    std::unique_ptr<stream_edge::input> d_input_edge;
    std::unique_ptr<stream_edge::output> d_output_edge;
    host_buffer::sptr d_input_registered, d_output_registered;
    bool d_input_staged = false, d_output_staged = false;
    shadow_ring::sptr d_input_ring;
    std::function<void()> d_begin_mean;
    bool d_asked_for_ring = false;
    std::vector<std::unique_ptr<stream_device>> d_devices;
    std::deque<chunk> d_chunks; // in flight, oldest first
    std::deque<chunk>
        d_outstanding;       // returned, not counted yet; the card may still compute them
    std::size_t d_next = 0;  // device and slot
    saved_mean d_mean;       // after all returned chunks
    std::size_t d_means = 0; // number of means saved
    std::size_t d_queued = 0, d_timed_frames = 0;
    double d_timed_seconds = 0;
    std::size_t d_sample_bytes = 0, d_row_bytes = 0, d_rows_ahead = 1;
    std::size_t d_samples_in_flight = 0, d_rows_in_flight = 0;

    mutable std::mutex d_mutex;
    stream_statistics d_statistics;
    std::chrono::steady_clock::time_point d_first; // chunk's end
};

} // namespace gpufft
} // namespace gr

#endif
