// SPDX-License-Identifier: GPL-3.0-or-later
//
// How long after the arrival of its last sample a vector leaves a flowgraph whose source
// is paced by the clock, as a receiver is.

#ifndef INCLUDED_GPUFFT_BENCH_LATENCY_H
#define INCLUDED_GPUFFT_BENCH_LATENCY_H

#include "thread_times.h"
#include <atomic>
#include <chrono>
#include <cstdint>
#include <gnuradio/sync_block.h>
#include <memory>
#include <vector>

namespace gr {
namespace gpufft {

typedef std::chrono::steady_clock arrival_clock;

// Vector i is complete (i + 1) / rate after the start, whether or not anybody has looked
// by then: a source that comes late adds to the delay.
struct arrivals {
    double rate = 0; // vectors a second
    std::uint64_t total = 0;
    std::atomic<arrival_clock::rep> start{ 0 }; // set by the source's first call
    std::atomic<int> source_thread{ 0 };

    arrival_clock::time_point of(std::uint64_t vector) const;
};

class paced_source : public gr::sync_block
{
public:
    // As the phantom source: it writes no samples. `buffer_bytes` as there.
    paced_source(std::size_t item_bytes,
                 std::size_t buffer_bytes,
                 std::shared_ptr<arrivals> when);

    bool start() override;
    int
    work(int noutput_items, gr_vector_const_void_star&, gr_vector_void_star&) override;

private:
    const std::shared_ptr<arrivals> d_when;
    std::uint64_t d_sent = 0;
};

class arrival_sink : public gr::sync_block
{
public:
    arrival_sink(std::size_t item_bytes, std::shared_ptr<const arrivals> when);

    int
    work(int noutput_items, gr_vector_const_void_star&, gr_vector_void_star&) override;

    // Seconds of each vector, in order.
    const std::vector<float>& delays() const { return d_delays; }

    // CPU time a second of all threads but the source's and this.
    double cores() const;

private:
    void look_at_threads();

    const std::shared_ptr<const arrivals> d_when;
    std::vector<float> d_delays;
    int d_thread = 0;
    thread_times d_before, d_after; // empty: not yet
    arrival_clock::time_point d_began, d_ended;
};

} // namespace gpufft
} // namespace gr

#endif
