// SPDX-License-Identifier: GPL-3.0-or-later
//
// Frames of a filter out of a stream with a history.

#include "filter_block.h"
#include "plan/stream_batch.h"
#include "ranges.h"
#include "stream_history.h"
#include <algorithm>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t MAX_TAPS = std::size_t(1) << 24;
constexpr std::int64_t MAX_DECIMATION = std::int64_t(1) << 20;
constexpr std::size_t LEAST_ROOM = 4096; // for more taps than the first ones
constexpr std::size_t MAX_PART_BYTES = std::size_t(32) << 20; // of a part in one call
constexpr std::size_t ONE = 1;

// Of a plan: an eighth more at most, so that other taps often fit the same one.
std::size_t rounded_up(std::size_t taps)
{
    std::size_t step = 1;
    while (step * 16 <= taps)
        step *= 2;
    return (taps + step - 1) / step * step;
}

// Of a block whose first problem is this one.
std::size_t room_for(const problem& what)
{
    const std::size_t taps = what.n > what.effective_hop() ? 2 * what.n : LEAST_ROOM;
    return std::max(what.n, std::min(rounded_up(std::max(taps, LEAST_ROOM)), MAX_TAPS));
}

} // namespace

plan_settings
filter_settings(std::int64_t decimation, const tap_numbers& taps, sample_format format)
{
    check_range("decimation", decimation, 1, MAX_DECIMATION);
    if (taps.count < 1 || taps.count > MAX_TAPS)
        throw std::invalid_argument(
            fmt::format("taps are {}: must be 1 ... {}", taps.count, MAX_TAPS));
    plan_settings result;
    problem& what = result.what;
    what.kind = transform_kind::filter;
    what.n = std::clamp<std::size_t>(decimation, rounded_up(taps.count), MAX_TAPS);
    what.batch = frames_of_stream(1);
    what.hop = decimation;
    what.input = format;
    what.output = is_complex(format) ? output_kind::complex : output_kind::real;
    what.window = true;
    what.complex_taps = taps.is_complex;
    const std::size_t numbers = taps.count * (taps.is_complex ? 2 : 1);
    result.window.assign(taps.numbers, taps.numbers + numbers);
    for (std::size_t i = 0; i < numbers; ++i)
        if (!std::isfinite(result.window[i]))
            throw std::invalid_argument(fmt::format("tap {} is {}: must be finite",
                                                    i / (taps.is_complex ? 2 : 1),
                                                    result.window[i]));
    result.window.resize(what.window_numbers());
    return result;
}

filter_block::filter_block(const plan_settings& settings, const engine_options& options)
    : engine_base(*this, d_logger, settings, options),
      d_sample_bytes(settings.what.input_item_bytes()),
      d_row_bytes(settings.what.row_bins() * settings.what.output_item_bytes()),
      d_room(room_for(settings.what)),
      d_most_room(MAX_TAPS),
      d_tail(settings.what.effective_hop() - 1),
      d_framer(d_room + d_tail, d_sample_bytes)
{
    set_tag_propagation_policy(TPP_DONT); // forward_tags() does it
    set_relative_rate(1, settings.what.effective_hop());
    set_history(static_cast<unsigned>(d_room));
}

void filter_block::configure(const plan_settings& next)
{
    if (next.what.n > d_most_room)
        throw std::invalid_argument(fmt::format(
            "taps or decimation are {}: must be at most {} while the flowgraph runs, for "
            "the buffer before the block holds no more; stop it, set them, start it",
            next.what.n,
            d_most_room.load()));
    d_plan.configure(next);
}

// While the flowgraph is being started: of what the setters have left.
bool filter_block::check_topology(int, int)
{
    d_room = std::max<std::size_t>(d_room,
                                   std::max(d_plan.waiting_n(), d_plan.on(0).what().n));
    set_history(static_cast<unsigned>(d_room));
    const std::size_t hop = d_plan.on(0).what().effective_hop();
    const std::size_t together = d_plan.on(0).frames_together();
    const std::size_t samples =
        stream_chunk(d_room + d_tail + together * hop, d_sample_bytes);
    const std::size_t part =
        std::min(together, MAX_PART_BYTES / std::max(hop * d_sample_bytes, d_row_bytes));
    ask_for_output(
        std::max({ std::min(samples / hop, chunk_bytes() / d_row_bytes), part, ONE }));
    return true;
}

bool filter_block::start()
{
    clear_error();
    set_output_multiple(1);
    d_is_placed = false;
    d_tags.clear();
    d_tags_end = d_passed = 0;
    guarded([this] {
        d_plan.set_longest(d_room);
        d_may_change = false;
        d_tail = d_plan.current().what().effective_hop() - 1;
        const std::size_t n = d_room + d_tail;
        const std::size_t at_once =
            chunked_stream::samples_at_once(*detail(), n, d_sample_bytes);
        d_framer.start_overlapping(n, at_once);
        d_stream.start(*detail(), d_framer);
        if (d_stream.is_in_chunks())
            d_most_room = at_once / 2 - d_tail;
        return 0;
    });
    return true;
}

bool filter_block::stop()
{
    d_stream.stop();
    d_most_room = MAX_TAPS;
    return true;
}

// A whole part while more may come, for a shorter one costs as much.
void filter_block::forecast(int, gr_vector_int& ninput_items_required)
{
    std::size_t wanted = 0;
    if (d_stream.is_idle()) {
        wanted = d_framer.wanted();
        const auto reader = detail()->input(0);
        const plan& now = d_plan.on(0);
        if (!reader->done() && wanted > 0)
            wanted = std::max<std::size_t>(
                wanted,
                std::min<std::size_t>(wanted + (now.frames_together() - 1) *
                                                   now.what().effective_hop(),
                                      reader->buffer()->bufsize() / 2));
    }
    ninput_items_required[0] = static_cast<int>(wanted);
}

// The most rows of so many samples that leave no part unfinished, if there is a whole
// one.
std::size_t filter_block::whole_parts(std::size_t samples, std::size_t rows) const
{
    const plan& now = d_plan.on(0);
    const std::size_t hop = now.what().effective_hop(), together = now.frames_together();
    const std::size_t there =
        samples < d_framer.n() ? 0 : (samples - d_framer.n()) / hop + 1;
    const std::size_t most = std::min(there, rows);
    return most > together ? most / together * together : rows;
}

// One where another plan takes over, for its groups may end elsewhere, and no more than a
// plan that waits for samples needs to pass.
std::size_t filter_block::rows_for_now(std::size_t rows) const
{
    if (d_may_change)
        return std::min(rows, ONE);
    const std::size_t hop = d_plan.on(0).what().effective_hop();
    const std::size_t missing = d_framer.missing();
    return missing > 0 ? std::min(rows, (missing + hop - 1) / hop) : rows;
}

// What the plan in force and the one that waits need of the frames.
void filter_block::follow_plan()
{
    if (!d_stream.is_idle())
        return;
    if (d_framer.has_grown())
        d_room = d_framer.n() - d_tail;
    const std::size_t waiting = d_plan.waiting_n();
    if (waiting > d_room)
        d_framer.grow(waiting - d_room);
    d_may_change = waiting > 0 && waiting <= d_room;
    d_plan.set_longest(d_may_change ? waiting : 0);
    const std::size_t tail = d_plan.on(0).what().effective_hop() - 1;
    if (tail != d_tail)
        d_framer.set_n(d_room + tail);
    d_tail = tail;
}

int filter_block::general_work(int noutput_items,
                               gr_vector_int& ninput_items,
                               gr_vector_const_void_star& input_items,
                               gr_vector_void_star& output_items)
{
    return guarded([&] {
        const std::uint64_t read = nitems_read(0);
        if (!d_is_placed)
            d_history =
                bytes_before_stream(
                    *detail(), read, input_items[0], (history() - 1) * d_sample_bytes) /
                d_sample_bytes;
        d_is_placed = true;
        follow_plan();
        keep_tags(ninput_items[0]);
        chunked_stream::window now;
        now.input = input_items[0];
        now.samples = ninput_items[0];
        now.output = output_items[0];
        now.rows = whole_parts(now.samples, rows_for_now(noutput_items));
        now.bytes_read = read * d_sample_bytes;
        now.bytes_written = nitems_written(0) * d_row_bytes;
        now.history = d_history * d_sample_bytes;
        now.origin = 0 - d_history;
        now.tail = d_tail;
        const chunked_stream::result next = d_stream.step(now, d_framer);
        forward_tags(next.rows, next.run.hop);
        follow_plan(); // what is left of the stream may be enough for other frames
        consume(0, static_cast<int>(next.consumed));
        return static_cast<int>(next.rows);
    });
}

// Those of the samples that have come: once they are consumed GNU Radio forgets them, and
// a frame that is collected is consumed before its row is there.
void filter_block::keep_tags(std::size_t samples)
{
    const std::uint64_t end = std::max(nitems_read(0) + samples, d_history) - d_history;
    std::vector<tag_t> tags;
    get_tags_in_range(tags, 0, d_tags_end, end);
    d_tags.insert(d_tags.end(), tags.begin(), tags.end());
    d_tags_end = end;
}

// To the row of their group.
void filter_block::forward_tags(std::size_t rows, std::size_t hop)
{
    if (rows == 0)
        return;
    const std::uint64_t written = nitems_written(0);
    const std::uint64_t begin = d_passed;
    const auto later =
        std::stable_partition(d_tags.begin(), d_tags.end(), [&](const tag_t& tag) {
            return tag.offset < begin + rows * hop;
        });
    for (auto tag = d_tags.begin(); tag != later; ++tag) {
        tag->offset = written + (std::max(tag->offset, begin) - begin) / hop;
        add_item_tag(0, *tag);
    }
    d_tags.erase(d_tags.begin(), later);
    d_passed = begin + rows * hop;
}

} // namespace gpufft
} // namespace gr
