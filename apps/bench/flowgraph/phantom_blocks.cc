// SPDX-License-Identifier: GPL-3.0-or-later
//
// A source and a sink that cost nothing.

#include "phantom_blocks.h"
#include "random_samples.h"
#include <algorithm>
#include <gnuradio/block_detail.h>
#include <gnuradio/buffer.h>
#include <gnuradio/buffer_reader.h>
#include <gnuradio/io_signature.h>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t MAX_CALLS = 1 << 16; // whose size is kept
constexpr std::uint64_t LEAST_CALLS = 4;   // of the sink, in the timed part
constexpr double LONGEST_WARM_UP = 4;      // times the timed part: for slow blocks

} // namespace

phantom_source::phantom_source(std::size_t item_bytes,
                               bool floats,
                               std::size_t buffer_bytes,
                               std::shared_ptr<run_span> span,
                               int streams)
    : gr::sync_block(
          "phantom_source",
          gr::io_signature::make(0, 0, 0),
          gr::io_signature::make(streams, streams, static_cast<int>(item_bytes))),
      d_span(std::move(span)),
      d_item_bytes(item_bytes),
      d_streams(streams),
      d_floats(floats)
{
    const long least = static_cast<long>(buffer_bytes / item_bytes / streams);
    for (int port = 0; port < streams && buffer_bytes > 0; ++port)
        set_min_output_buffer(port, std::max(2L, least));
    d_calls.reserve(MAX_CALLS);
}

bool phantom_source::start()
{
    d_span->source_thread = this_thread_id();
    for (int port = 0; port < d_streams; ++port) {
        const buffer_sptr output = detail()->output(port);
        fill_with_samples(const_cast<char*>(output->base()),
                          output->bufsize() * d_item_bytes,
                          d_floats);
    }
    return true;
}

int phantom_source::work(int noutput_items,
                         gr_vector_const_void_star&,
                         gr_vector_void_star&)
{
    if (d_span->is_over)
        return WORK_DONE;
    d_items += noutput_items;
    if (d_span->is_timed) {
        if (d_calls.size() < MAX_CALLS)
            d_calls.push_back(noutput_items);
    } else {
        d_calls.assign(1, noutput_items); // a busy machine may have no call while timed
        if (d_items >= detail()->output(0)->bufsize())
            d_span->source_was_round = true;
    }
    return noutput_items;
}

double phantom_source::chunk_bytes() const
{
    if (d_calls.empty())
        return 0;
    std::vector<int> sizes = d_calls;
    const auto middle = sizes.begin() + sizes.size() / 2;
    std::nth_element(sizes.begin(), middle, sizes.end());
    return static_cast<double>(*middle) * d_item_bytes * d_streams;
}

phantom_sink::phantom_sink(std::size_t item_bytes,
                           std::shared_ptr<run_span> span,
                           int streams)
    : gr::sync_block(
          "phantom_sink",
          gr::io_signature::make(streams, streams, static_cast<int>(item_bytes)),
          gr::io_signature::make(0, 0, 0)),
      d_span(std::move(span))
{
}

double phantom_sink::seconds_to(run_clock::time_point now) const
{
    return std::chrono::duration<double>(now - d_first).count();
}

bool phantom_sink::is_warm(run_clock::time_point now) const
{
    const bool was_round =
        d_span->source_was_round && d_items >= detail()->input(0)->buffer()->bufsize();
    const double passed = seconds_to(now);
    return passed >= d_span->warm_up &&
           (was_round || passed >= LONGEST_WARM_UP * d_span->seconds);
}

// Rates are from call to call, so that what a call brings belongs to the time before it.
int phantom_sink::work(int noutput_items,
                       gr_vector_const_void_star&,
                       gr_vector_void_star&)
{
    const run_clock::time_point now = run_clock::now();
    if (d_span->is_over)
        return noutput_items;
    if (d_thread == 0) {
        d_thread = this_thread_id();
        d_first = now;
    }
    d_items += noutput_items;
    if (d_span->is_timed) {
        d_last = now;
        if (++d_calls >= LEAST_CALLS && seconds_to(now) >= d_span->seconds) {
            d_after = thread_times_now();
            d_span->is_over = true;
        }
    } else if (is_warm(now)) {
        d_before = thread_times_now();
        d_items = 0;
        d_first = now;
        d_span->is_timed = true;
    }
    return noutput_items;
}

double phantom_sink::items_per_second() const
{
    return d_span->is_over ? d_items / seconds_to(d_last) : 0;
}

double phantom_sink::cores() const
{
    const int phantoms[] = { d_span->source_thread, d_thread };
    return seconds_between(d_before, d_after, phantoms) / seconds_to(d_last);
}

} // namespace gpufft
} // namespace gr
