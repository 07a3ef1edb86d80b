// SPDX-License-Identifier: GPL-3.0-or-later
//
// Cuts a filter's frames from a stream with a history.

#include "filter_block.h"
#include "stream_history.h"
#include <algorithm>
#include <cstring>
#include <limits>
#include <mutex>
#include <spdlog/fmt/fmt.h>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t MAX_PART_BYTES = std::size_t(32) << 20; // largest part in one call
constexpr std::size_t LEAST_ROOM = 4096;                      // taps
constexpr std::size_t MAX_FIRST_ROOM = std::size_t(1) << 24;
constexpr std::size_t UNLIMITED = std::numeric_limits<std::size_t>::max();
constexpr std::size_t ONE = 1;

// Items of a row's group after that of the row's own sample.
std::size_t tail_of(const problem& what)
{
    return what.kind == transform_kind::filter ? what.hop_items() - 1 : 0;
}

// room() of a block that starts with this problem.
std::size_t first_room(const problem& what)
{
    if (what.kind == transform_kind::function)
        return what.input_span(); // for good
    const bool is_bank = what.kind != transform_kind::filter;
    const std::size_t step = is_bank ? what.n : 1; // samples that `taps` taps need
    const std::size_t taps =
        what.kind == transform_kind::synthesis ? what.row_bins() : step;
    const std::size_t least = (LEAST_ROOM + taps - 1) / taps * step;
    const std::size_t own = !is_bank && what.samples_in_item() > 1; // see most_taps()
    const std::size_t span = what.input_span() - own;
    const bool is_padded = !is_bank && span <= what.effective_hop();
    const std::size_t wanted = is_padded ? least : std::max(2 * span, least);
    return what.input_items(
               std::max(span, std::min(wanted, MAX_FIRST_ROOM / step * step))) +
           own;
}

} // namespace

filter_block::filter_block(const plan_settings& settings, const engine_options& options)
    : engine_base(*this, d_logger, settings, options),
      d_samples_in_item(settings.what.samples_in_item()),
      d_sample_bytes(settings.what.input_item_bytes()),
      d_row_bytes(settings.what.row_bins() * settings.what.output_item_bytes()),
      d_out_bytes(output_signature()->sizeof_stream_item(0)),
      d_inputs(settings.function ? 1 : input_signature()->max_streams(),
               input_signature()->sizeof_stream_item(0)),
      d_outputs(settings.function ? 1 : output_signature()->max_streams(), d_out_bytes),
      d_in_bytes(d_inputs.row_bytes()),
      d_row_items(d_row_bytes / d_out_bytes / d_outputs.count()),
      d_room(first_room(settings.what)),
      d_most_room(UNLIMITED),
      d_tail(tail_of(settings.what)),
      d_framer(d_room + d_tail, d_sample_bytes)
{
    set_relative_rate(d_row_items, items_of(settings.what.hop_items()));
}

std::size_t filter_block::items_of(std::size_t samples) const
{
    return (samples * d_sample_bytes + d_in_bytes - 1) / d_in_bytes;
}

// Number of zeros before the stream that this filter's first row needs.
std::size_t filter_block::zeros(const problem& what) const
{
    return d_room + tail_of(what) - what.hop_items();
}

void filter_block::configure(const plan_settings& next)
{
    const std::size_t most = d_most_room;
    if (next.what.span_items() > most)
        throw std::invalid_argument(fmt::format(
            "taps or decimation reach over {} items of the input: must be at most {} "
            "while the flowgraph runs, for the buffer before the block holds no more; "
            "stop it, set them, start it",
            items_of(next.what.span_items()),
            most * d_sample_bytes / d_in_bytes));
    d_plan.configure(next);
}

std::string filter_block::describe_taps(std::size_t taps, std::size_t padded) const
{
    const std::string zeros =
        padded == taps ? "" : fmt::format(" and {} zeros", padded - taps);
    return fmt::format("{}, {} taps{}", engine_base::describe(), taps, zeros);
}

// Runs in the thread that starts the flowgraph, with the settings so far. Until start()
// setters own the plan and may still change the settings; start() sees the result.
bool filter_block::check_topology(int, int)
{
    const live_plan::extent newest = d_plan.newest();
    const problem& what = newest.what;
    d_room = std::max(d_room.load(), what.span_items());
    set_history(static_cast<unsigned>(items_of(zeros(what)) + 1));
    const std::size_t hop = what.hop_items(), together = newest.together;
    const std::size_t samples =
        stream_chunk(d_room + tail_of(what) + together * hop, d_sample_bytes);
    const std::size_t part =
        std::min(together, MAX_PART_BYTES / std::max(hop * d_sample_bytes, d_row_bytes));
    ask_for_output(
        std::max({ std::min(samples / hop, chunk_bytes() / d_row_bytes), part, ONE }) *
        d_row_items);
    return true;
}

bool filter_block::start()
{
    begin_run();
    set_output_multiple(static_cast<int>(d_row_items));
    d_tags.clear();
    d_tags_end.assign(detail()->ninputs(), 0);
    d_passed.assign(detail()->ninputs(), 0);
    d_rest.clear();
    d_delivered = 0;
    guarded([this] {
        d_plan.set_longest(d_room);
        d_may_change = false;
        const problem& what = d_plan.current().what();
        // true if GNU Radio's history is too short; the framer adds the missing zeros
        const bool has_outgrown = what.span_items() > d_room;
        if (has_outgrown)
            d_room = what.span_items();
        d_tail = tail_of(what);
        d_zeros = zeros_before_stream(*this);
        d_held = zeros(what) - d_zeros * d_in_bytes / d_sample_bytes;
        const std::size_t n = d_room + d_tail;
        const plan& now = d_plan.on(0);
        d_at_once = has_outgrown ? 0
                                 : chunked_stream::samples_at_once(
                                       *detail(), n, d_sample_bytes, d_inputs.count());
        d_framer.start_overlapping(
            n, d_at_once, d_held, now.frames_together(), now.what().hop_items());
        d_ahead = std::max(now.frames_together(), rows_at_once());
        d_stream.set_ahead(d_ahead);
        d_stream.start(*detail(),
                       d_framer,
                       nullptr,
                       d_inputs.count() > 1 ? &d_inputs : nullptr,
                       d_outputs.count() > 1 ? &d_outputs : nullptr,
                       sizes());
        if (d_stream.is_in_chunks())
            d_most_room = d_at_once / 2 - d_tail;
        return 0;
    });
    return true;
}

bool filter_block::stop()
{
    end_run();
    d_most_room = UNLIMITED;
    return true;
}

// Asks for a whole part while more input may come.
void filter_block::forecast(int, gr_vector_int& ninput_items_required)
{
    std::size_t wanted = 0;
    if (d_stream.is_idle() && d_delivered == d_rest.size() && !is_unread()) {
        const bool single = is_done() || rows_of_part() == 1;
        wanted = items_of(d_framer.wanted(single));
        if (!single)
            wanted = std::min<std::size_t>(
                wanted,
                std::max(input_items_at_once(),
                         static_cast<int>(items_of(d_framer.wanted()))));
    }
    std::fill(ninput_items_required.begin(),
              ninput_items_required.end(),
              static_cast<int>(wanted));
}

// True if a writer has ended: it is marked as done after its last items.
bool filter_block::is_done() const
{
    for (int port = 0; port < detail()->ninputs(); ++port)
        if (detail()->input(port)->done())
            return true;
    return false;
}

// Items that half of every input buffer holds.
int filter_block::input_items_at_once() const
{
    unsigned items = detail()->input(0)->buffer()->bufsize();
    for (int port = 1; port < detail()->ninputs(); ++port)
        items = std::min(items, detail()->input(port)->buffer()->bufsize());
    return static_cast<int>(items / 2);
}

// Rows of a part: frames_together() of the current plan; one while another plan takes
// over, whose groups may end elsewhere; fewer if a card uses the buffers directly and
// they have too little room.
std::size_t filter_block::rows_of_part() const
{
    if (d_may_change || d_framer.missing() > 0)
        return 1;
    const plan& now = d_plan.on(0);
    const std::size_t together = now.frames_together();
    if (!d_stream.is_in_chunks())
        return together;
    const std::size_t n = d_framer.n(), most = std::max(d_at_once / 2, n);
    return std::min({ together, (most - n) / now.what().hop_items() + 1, d_ahead });
}

// Rows that fit half of every output buffer, which is what GNU Radio gives out.
std::size_t filter_block::rows_at_once() const
{
    unsigned items = detail()->output(0)->bufsize();
    for (int port = 1; port < detail()->noutputs(); ++port)
        items = std::min(items, detail()->output(port)->bufsize());
    return items / 2 / d_row_items;
}

// True if no further items of all these inputs will come: those of one, which has the
// least, are all of its writer's.
bool filter_block::is_all(const gr_vector_int& ninput_items) const
{
    const int least = *std::min_element(ninput_items.begin(), ninput_items.end());
    for (std::size_t port = 0; port < ninput_items.size(); ++port) {
        const auto reader = detail()->input(static_cast<unsigned>(port));
        if (ninput_items[port] > least || !reader->done())
            continue;
        const std::lock_guard<gr::thread::mutex> lock(*reader->mutex());
        if (reader->items_available() == least)
            return true;
    }
    return false;
}

// Rows that this call may compute: one while another plan takes over, whose groups may
// end elsewhere; while a plan waits for samples, no more than pass these samples.
std::size_t filter_block::rows_for_now(std::size_t rows) const
{
    const std::size_t hop = d_plan.on(0).what().hop_items();
    const std::size_t missing = d_framer.missing();
    if (missing > 0 && !d_may_change)
        return std::min(rows, (missing + hop - 1) / hop);
    const std::size_t part = rows_of_part(); // one per call, if it is shorter than the
                                             // plan's
    const bool is_cut = d_may_change || part < d_plan.on(0).frames_together();
    return is_cut ? std::min(rows, part) : rows;
}

// Adapts the frames to the current plan and to the one that waits.
void filter_block::follow_plan()
{
    if (!d_stream.is_idle())
        return;
    if (d_framer.has_grown())
        d_room = d_framer.n() - d_tail;
    const std::size_t waiting = d_plan.waiting_span();
    if (waiting > d_room)
        d_framer.grow(waiting - d_room);
    d_may_change = waiting > 0 && waiting <= d_room;
    d_plan.set_longest(d_may_change ? waiting : 0);
    const problem& what = d_plan.on(0).what();
    const std::size_t tail = tail_of(what);
    if (tail != d_tail)
        d_framer.set_n(d_room + tail);
    d_tail = tail;
    d_framer.set_together(rows_of_part(), what.hop_items());
}

int filter_block::general_work(int noutput_items,
                               gr_vector_int& ninput_items,
                               gr_vector_const_void_star& input_items,
                               gr_vector_void_star& output_items)
{
    return guarded_work([&] {
        if (noutput_items == 0) // a limit on calls is shorter than a row
            set_output_multiple(1);
        if (d_delivered < d_rest.size())
            return deliver_rest(output_items, noutput_items);

        follow_plan();
        keep_tags(
            gr_vector_int(ninput_items.size(),
                          *std::min_element(ninput_items.begin(), ninput_items.end())));
        chunked_stream::work_buffers now = buffers_of_call(noutput_items, ninput_items);
        now.input = d_inputs.count() > 1 ? nullptr : input_items[0];
        now.inputs = &input_items;
        now.output = d_outputs.count() > 1 ? nullptr : output_items[0];
        now.outputs = &output_items;
        const bool has_room = now.rows >= now.together || !d_stream.is_idle();
        if (!has_room) {
            now.rows = now.together;
            d_rest.resize(now.rows * d_row_bytes);
            now.output = d_rest.data();
        }
        const chunked_stream::result next = d_stream.step(now, d_framer);
        forward_tags(next.rows, next.run.hop);
        follow_plan(); // the rest of the stream may be enough for shorter frames
        consume_each(static_cast<int>(next.consumed * d_sample_bytes / d_in_bytes));
        if (has_room)
            return static_cast<int>(next.rows * d_row_items);
        d_rest.resize(next.rows * d_row_bytes);
        d_delivered = 0;
        return deliver_rest(output_items, noutput_items);
    });
}

int filter_block::deliver_rest(const gr_vector_void_star& outputs, std::size_t items)
{
    const std::size_t item_bytes = d_row_bytes / d_row_items; // at all outputs together
    const std::size_t bytes = std::min(items * item_bytes, d_rest.size() - d_delivered);
    const char* const rest = d_rest.data() + d_delivered;
    if (d_outputs.count() > 1)
        d_outputs.split(rest, bytes / item_bytes, outputs, threads_of(d_plan.on(0)));
    else
        std::memcpy(outputs[0], rest, bytes);
    d_delivered += bytes;
    return static_cast<int>(bytes / item_bytes);
}

// The buffers of this call, without their addresses.
chunked_stream::work_buffers
filter_block::buffers_of_call(int noutput_items, const gr_vector_int& ninput_items)
{
    chunked_stream::work_buffers now;
    now.samples = *std::min_element(ninput_items.begin(), ninput_items.end()) *
                  d_in_bytes / d_sample_bytes;
    now.rows = rows_for_now(noutput_items / d_row_items);
    now.together = rows_of_part();
    now.ends = is_all(ninput_items);
    now.bytes_read = nitems_read(0) * d_in_bytes;
    now.bytes_written = nitems_written(0) * d_out_bytes;
    now.history = d_zeros * d_in_bytes;
    now.origin = d_samples_in_item * d_held +
                 origin(d_samples_in_item * (d_held + now.history / d_sample_bytes));
    now.tail = d_tail;
    return now;
}

} // namespace gpufft
} // namespace gr
