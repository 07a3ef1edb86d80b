// SPDX-License-Identifier: GPL-3.0-or-later
//
// The ends of the tests' flowgraphs: a source that sends a given stream, a sink that
// keeps what comes, both as fast or as slow, as steady or as bursty as asked for.

#ifndef INCLUDED_GPUFFT_TEST_BLOCKS_H
#define INCLUDED_GPUFFT_TEST_BLOCKS_H

#include "stream_data.h"
#include <atomic>
#include <gnuradio/sync_block.h>
#include <mutex>

namespace gr {
namespace gpufft {

struct pace {
    int most_items = 0;  // in a call; 0: as many as there are
    int pause_every = 0; // calls; 0: never
    int pauses = 0;      // at most so many
    double seconds = 0;  // of a pause
};

// For a stream of so many items, which should take less than a second.
pace random_pace(random_source& random, std::size_t items);

// Counts calls of work() and sleeps between them.
class pacer
{
public:
    explicit pacer(const pace& how) : d_how(how) {}
    void start() { d_calls = d_pauses = 0; }
    int next(int items); // of so many, those to take now

private:
    const pace d_how;
    int d_calls = 0, d_pauses = 0;
};

class scripted_source : public sync_block
{
public:
    // Sends the stream `repeats` times, 0 for ever.
    explicit scripted_source(const stream_data& what,
                             const pace& how = {},
                             std::uint64_t repeats = 1);
    bool start() override;
    int work(int noutput_items,
             gr_vector_const_void_star& input_items,
             gr_vector_void_star& output_items) override;

private:
    const stream_data d_what;
    const std::uint64_t d_repeats;
    pacer d_pacer;
    std::uint64_t d_sent = 0;
};

// Sends so many items at first, and the others once it is opened.
class gated_source : public sync_block
{
public:
    gated_source(const stream_data& what, std::size_t at_first);
    bool start() override;
    int work(int noutput_items,
             gr_vector_const_void_star& input_items,
             gr_vector_void_star& output_items) override;

    void open() { d_is_open = true; } // any time

private:
    const stream_data d_what;
    const std::size_t d_at_first;
    std::atomic<bool> d_is_open{ false };
    std::size_t d_sent = 0;
};

class recording_sink : public sync_block
{
public:
    // Keeps the first `most` items, counts all.
    explicit recording_sink(std::size_t item_bytes,
                            const pace& how = {},
                            std::uint64_t most = UINT64_MAX);
    bool start() override;
    bool stop() override;
    int work(int noutput_items,
             gr_vector_const_void_star& input_items,
             gr_vector_void_star& output_items) override;

    // When the flowgraph has ended.
    const stream_data& received() const { return d_received; }
    // What the run before gave, or what came before the last unlock().
    const stream_data& received_before() const { return d_received_before; }
    // Messages with an error that its port "status" got.
    std::size_t errors();

    // Any time. No more comes to a sink that has stopped, until it starts again.
    std::uint64_t count() const { return d_count; }
    bool has_stopped() const { return d_has_stopped; }

private:
    void note(const pmt::pmt_t& status);

    const std::uint64_t d_most;
    stream_data d_received, d_received_before;
    pacer d_pacer;
    std::atomic<std::uint64_t> d_count{ 0 };
    std::atomic<std::size_t> d_errors{ 0 };
    std::atomic<bool> d_has_stopped{ false };
};

// Compares what comes with a stream that repeats, and keeps nothing.
class periodic_sink : public sync_block
{
public:
    explicit periodic_sink(const stream_data& period);
    bool start() override;
    int work(int noutput_items,
             gr_vector_const_void_star& input_items,
             gr_vector_void_star& output_items) override;

    // Any time.
    std::uint64_t count() const { return d_count; }
    std::uint64_t wrong() const { return d_wrong; }

private:
    const stream_data d_period;
    std::atomic<std::uint64_t> d_count{ 0 }, d_wrong{ 0 };
};

// A copy whose buffers on both sides are of a type of their own, mapped once.
class custom_copy : public sync_block
{
public:
    explicit custom_copy(std::size_t item_bytes);
    int work(int noutput_items,
             gr_vector_const_void_star& input_items,
             gr_vector_void_star& output_items) override;

private:
    const std::size_t d_item_bytes;
};

} // namespace gpufft
} // namespace gr

#endif
