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

constexpr std::int64_t MAX_TAPS = std::int64_t(1) << 24;
constexpr std::int64_t MAX_DECIMATION = std::int64_t(1) << 20;
constexpr std::int64_t LEAST_ROOM = 4096; // for more taps than the first ones

// Of a plan: an eighth more at most, so that other taps often fit the same one.
std::int64_t rounded_up(std::int64_t taps)
{
    std::int64_t step = 1;
    while (step * 16 <= taps)
        step *= 2;
    return (taps + step - 1) / step * step;
}

} // namespace

problem filter_problem(std::int64_t decimation,
                       std::size_t taps,
                       std::int64_t max_taps,
                       sample_format format)
{
    check_range("decimation", decimation, 1, MAX_DECIMATION);
    const std::int64_t count = taps;
    if (count < 1 || count > max_taps)
        throw std::invalid_argument(
            fmt::format("taps are {}: must be 1 ... {}{}",
                        count,
                        max_taps,
                        count > max_taps && max_taps < MAX_TAPS
                            ? "; for more, make the block with taps filled up with zeros"
                            : ""));
    problem what;
    what.kind = transform_kind::filter;
    what.n = std::min(std::max(rounded_up(count), decimation), MAX_TAPS);
    what.batch = frames_of_stream(1);
    what.hop = decimation;
    what.input = format;
    what.output = is_complex(format) ? output_kind::complex : output_kind::real;
    what.window = true;
    return what;
}

std::int64_t room_for_taps(std::size_t taps, std::int64_t decimation)
{
    const std::int64_t room = std::min<std::int64_t>(
        rounded_up(std::max<std::int64_t>(2 * taps, LEAST_ROOM)), MAX_TAPS);
    return std::max(room, decimation);
}

filter_block::filter_block(std::int64_t decimation,
                           std::int64_t max_taps,
                           const plan_settings& settings,
                           const engine_options& options)
    : engine_base(*this, d_logger, settings, options),
      d_sample_bytes(settings.what.input_item_bytes()),
      d_row_bytes(settings.what.row_bins() * settings.what.output_item_bytes()),
      d_tail(decimation - 1),
      d_before(max_taps - 1),
      d_framer(d_before + 1 + d_tail, d_sample_bytes)
{
    set_tag_propagation_policy(TPP_DONT); // forward_tags() does it
    set_relative_rate(1, decimation);
    set_history(static_cast<unsigned>(max_taps));
}

bool filter_block::check_topology(int, int)
{
    const std::size_t hop = d_plan.on(0).what().effective_hop();
    const std::size_t part = d_plan.on(0).frames_together() * hop;
    const std::size_t samples = stream_chunk(d_framer.n() + part, d_sample_bytes);
    ask_for_output(
        std::max<std::size_t>(std::min(samples / hop, chunk_bytes() / d_row_bytes), 1));
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
        d_framer.start(
            chunked_stream::samples_at_once(*detail(), d_framer.n(), d_sample_bytes), 0);
        d_stream.start(*detail(), d_framer);
        return 0;
    });
    return true;
}

bool filter_block::stop()
{
    d_stream.stop();
    return true;
}

// A whole part while more may come, for a shorter one costs as much.
void filter_block::forecast(int, gr_vector_int& ninput_items_required)
{
    std::size_t wanted = 0;
    if (d_stream.samples_in_flight() == 0) {
        wanted = d_framer.wanted();
        const auto reader = detail()->input(0);
        const plan& now = d_plan.on(0);
        if (!reader->done() && !d_framer.is_collecting())
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

int filter_block::general_work(int noutput_items,
                               gr_vector_int& ninput_items,
                               gr_vector_const_void_star& input_items,
                               gr_vector_void_star& output_items)
{
    return guarded([&] {
        const std::uint64_t read = nitems_read(0);
        if (!d_is_placed)
            d_history = bytes_before_stream(
                            *detail(), read, input_items[0], d_before * d_sample_bytes) /
                        d_sample_bytes;
        d_is_placed = true;
        keep_tags(ninput_items[0]);
        chunked_stream::window now;
        now.input = input_items[0];
        now.samples = ninput_items[0];
        now.output = output_items[0];
        now.rows = whole_parts(now.samples, noutput_items);
        now.bytes_read = read * d_sample_bytes;
        now.bytes_written = nitems_written(0) * d_row_bytes;
        now.history = d_history * d_sample_bytes;
        now.origin = 0 - d_history;
        now.tail = d_tail;
        const chunked_stream::result next = d_stream.step(now, d_framer);
        forward_tags(next.rows, next.run.hop);
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
