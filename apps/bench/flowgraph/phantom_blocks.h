// SPDX-License-Identifier: GPL-3.0-or-later
//
// A source and a sink that cost nothing, to time the blocks between them: they count
// items without touching them. The source fills its buffer once, before the run.

#ifndef INCLUDED_GPUFFT_PHANTOM_BLOCKS_H
#define INCLUDED_GPUFFT_PHANTOM_BLOCKS_H

#include "thread_times.h"
#include <atomic>
#include <chrono>
#include <cstdint>
#include <gnuradio/sync_block.h>
#include <memory>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

typedef std::chrono::steady_clock run_clock;

// When the timed part of a run begins and ends. The sink decides, the source obeys.
struct run_span {
    double warm_up = 0; // seconds at least; and one round of both buffers
    double seconds = 0; // of the timed part, at least
    std::atomic<bool> source_was_round{ false };
    std::atomic<bool> is_timed{ false };
    std::atomic<bool> is_over{ false };
    std::atomic<int> source_thread{ 0 };
    std::string source_error, sink_error; // each by its thread; read after the run
};

class phantom_source : public gr::sync_block
{
public:
    // Samples are floats in -1 ... 1, or 16-bit integers. `buffer_bytes` is what its
    // buffers have at least, together; 0 leaves that to GNU Radio.
    phantom_source(std::size_t item_bytes,
                   bool floats,
                   std::size_t buffer_bytes,
                   std::shared_ptr<run_span> span,
                   int streams = 1);

    bool start() override;
    int
    work(int noutput_items, gr_vector_const_void_star&, gr_vector_void_star&) override;

    // Bytes that the next block takes at once, of all streams: the median of what became
    // free at a time.
    double chunk_bytes() const;

protected:
    const std::shared_ptr<run_span> d_span;

private:
    const std::size_t d_item_bytes;
    const int d_streams;
    const bool d_floats;
    std::uint64_t d_items = 0;
    std::vector<int> d_calls; // items of the last one that was not timed, then of each
};

class phantom_sink : public gr::sync_block
{
public:
    phantom_sink(std::size_t item_bytes, std::shared_ptr<run_span> span, int streams = 1);

    int
    work(int noutput_items, gr_vector_const_void_star&, gr_vector_void_star&) override;

    double items_per_second() const; // 0 if the run ended too early
    double cores() const; // CPU time a second of all threads but the source's and this

protected:
    const std::shared_ptr<run_span> d_span;

private:
    bool is_warm(run_clock::time_point now) const;
    double seconds_to(run_clock::time_point now) const;

    int d_thread = 0;                      // until the first items are here
    run_clock::time_point d_first, d_last; // of the warm-up, then of the timed part
    std::uint64_t d_items = 0, d_calls = 0;
    thread_times d_before, d_after;
};

} // namespace gpufft
} // namespace gr

#endif
