// SPDX-License-Identifier: GPL-3.0-or-later
//
// A source paced by the clock, and a sink that notes when its vectors leave.

#include "latency.h"
#include <algorithm>
#include <gnuradio/io_signature.h>
#include <sys/prctl.h>
#include <thread>

namespace gr {
namespace gpufft {

arrival_clock::time_point arrivals::of(std::uint64_t vector) const
{
    const std::chrono::duration<double> after((vector + 1) / rate);
    return arrival_clock::time_point(arrival_clock::duration(start)) +
           std::chrono::duration_cast<arrival_clock::duration>(after);
}

paced_source::paced_source(std::size_t item_bytes,
                           std::size_t buffer_bytes,
                           std::shared_ptr<arrivals> when)
    : gr::sync_block("paced_source",
                     gr::io_signature::make(0, 0, 0),
                     gr::io_signature::make(1, 1, static_cast<int>(item_bytes))),
      d_when(std::move(when))
{
    set_min_output_buffer(
        0, std::max<long>(2, static_cast<long>(buffer_bytes / item_bytes)));
}

bool paced_source::start()
{
    prctl(PR_SET_TIMERSLACK, 1UL); // wake up in time, not up to 50 us later
    d_when->source_thread = this_thread_id();
    return true;
}

int paced_source::work(int noutput_items,
                       gr_vector_const_void_star&,
                       gr_vector_void_star&)
{
    if (d_sent == d_when->total)
        return WORK_DONE;
    if (d_when->start == 0)
        d_when->start = arrival_clock::now().time_since_epoch().count();
    std::this_thread::sleep_until(d_when->of(d_sent));
    const std::chrono::duration<double> passed =
        arrival_clock::now() - d_when->of(d_sent);
    const auto due =
        1 + static_cast<std::uint64_t>(std::max(0.0, passed.count()) * d_when->rate);
    const std::uint64_t count = std::min<std::uint64_t>(
        { due, static_cast<std::uint64_t>(noutput_items), d_when->total - d_sent });
    d_sent += count;
    return static_cast<int>(count);
}

arrival_sink::arrival_sink(std::size_t item_bytes, std::shared_ptr<const arrivals> when)
    : gr::sync_block("arrival_sink",
                     gr::io_signature::make(1, 1, static_cast<int>(item_bytes)),
                     gr::io_signature::make(0, 0, 0)),
      d_when(std::move(when))
{
    d_delays.reserve(d_when->total);
}

int arrival_sink::work(int noutput_items,
                       gr_vector_const_void_star&,
                       gr_vector_void_star&)
{
    const auto now = arrival_clock::now();
    for (int i = 0; i < noutput_items; ++i) {
        const std::chrono::duration<float> delay = now - d_when->of(d_delays.size());
        d_delays.push_back(delay.count());
    }
    look_at_threads();
    return noutput_items;
}

// In the first fifth, whose delays do not count: a look takes its time. At the end the
// block's thread may be gone.
void arrival_sink::look_at_threads()
{
    if (d_before.empty() && d_delays.size() >= d_when->total / 20) {
        d_thread = this_thread_id();
        d_before = thread_times_now();
        d_began = arrival_clock::now();
    } else if (d_after.empty() && d_delays.size() >= 3 * d_when->total / 20) {
        d_after = thread_times_now();
        d_ended = arrival_clock::now();
    }
}

double arrival_sink::cores() const
{
    const int ours[] = { d_when->source_thread, d_thread };
    return seconds_between(d_before, d_after, ours) /
           std::chrono::duration<double>(d_ended - d_began).count();
}

} // namespace gpufft
} // namespace gr
