// SPDX-License-Identifier: GPL-3.0-or-later
//
// Cuts the chunks, and recovers from trouble.

#include "chunked_stream.h"
#include <algorithm>
#include <spdlog/fmt/fmt.h>
#include <utility>

namespace gr {
namespace gpufft {

namespace {

// Limit of outstanding chunks, for which nobody waits yet: twice the interval between
// timed chunks. A wait for a timed chunk then leaves half of them queued.
constexpr std::size_t MOST_OUTSTANDING = 16;

// The largest number of frames that give at most `rows` rows.
std::size_t frames_for(const plan& now, std::size_t rows)
{
    const std::size_t average = now.what().average;
    return rows == 0 ? now.frames_to_next_row() - 1
                     : (rows - 1) * average + now.frames_to_next_row() + average - 1;
}

// Stream position of the plan's first frame in a run whose input begins `passed` samples
// after now.input.
std::uint64_t position_of(const chunked_stream::work_buffers& now,
                          const plan& with,
                          std::size_t passed,
                          const framer::run& run)
{
    const problem& what = with.what();
    return now.origin +
           what.samples_in_item() * (now.bytes_read / what.input_item_bytes() + passed +
                                     run.first + (run.n - what.span_items() - now.tail));
}

// Takes up to `most` frames from the input after its first `passed` samples. The run
// starts where the plan's frame begins in the framer's, which may be longer.
chunk_result take(const chunked_stream::work_buffers& now,
                  const plan& with,
                  std::size_t passed,
                  std::size_t most,
                  framer& frames)
{
    const problem& what = with.what();
    const std::size_t bytes = what.input_item_bytes();
    chunk_result next;
    next.average = what.average;
    next.frames_in_row = next.average - with.frames_to_next_row();
    next.run = frames.take(
        now.input ? static_cast<const char*>(now.input) + passed * bytes : nullptr,
        now.samples - passed,
        what.hop_items(),
        most,
        now.together,
        now.ends);
    next.consumed = next.run.consumed;
    if (next.run.samples)
        next.run.samples = static_cast<const char*>(next.run.samples) +
                           (next.run.n - what.span_items() - now.tail) * bytes;
    return next;
}

// The row of the streams at this byte of all together.
std::int64_t row_at(const chunked_stream::work_buffers& now,
                    std::uint64_t bytes,
                    const host_rows& rows)
{
    return static_cast<std::int64_t>(bytes - now.history) /
           static_cast<std::int64_t>(rows.inputs().row_bytes());
}

} // namespace

chunked_stream::result chunked_stream::step(const work_buffers& now, framer& frames)
{
    if (d_rows.joins())
        d_rows.maps().forget_before(row_at(now, now.bytes_read, d_rows));
    try {
        if (d_queue.is_empty())
            take_over(now, frames);
        if (!d_in_chunks || !d_plan.is_on_cuda() || frames.is_collecting())
            return compute_now(now, frames);
        if (!d_transfer->is_open())
            open();
        if (d_queue.is_empty() || !d_plan.is_changed())
            fill(now, frames);
        return take_oldest();
    } catch (const cuda_error& error) {
        recover(error, frames); // or rethrows it
    }
    return compute_now(now, frames);
}

// Takes over the settings that a setter has stored, while nothing is in flight.
void chunked_stream::take_over(const work_buffers& now, const framer& frames)
{
    if (!d_plan.is_changed())
        return;
    d_transfer->settle(d_queue.outstanding(),
                       0); // kernels may still read the old settings
    d_statistics.count_saturated(d_plan);
    const std::size_t average = d_plan.on(0).what().average;
    const density_grid density = d_plan.on(0).what().density;
    const plan* const before = &d_plan.on(0);
    d_plan.current(position_of_next(now, frames));
    if (&d_plan.on(0) != before || d_plan.on(0).what().average != average ||
        d_plan.on(0).what().density != density)
        d_mean = saved_mean(); // the mean restarts
    if (d_transfer->has_devices() && d_plan.is_on_cuda())
        d_mean = d_transfer->current_mean();
    d_statistics.count_saturated(d_plan);
}

// Position of the newest sample of the next frame, when nothing is in flight.
std::uint64_t chunked_stream::position_of_next(const work_buffers& now,
                                               const framer& frames) const
{
    const std::uint64_t items =
        now.bytes_read / d_sample_bytes + frames.next_start() + frames.n() - now.tail;
    return now.origin + items * d_plan.on(0).what().samples_in_item() - 1;
}

// The largest number of frames of averaged rows whose powers fit the card, however the
// frames overlap.
std::size_t chunked_stream::most_averaged(const problem& what)
{
    const std::size_t frames = POWERS_BYTES / (what.row_bins() * sizeof(float));
    return what.has_mean() ? std::max<std::size_t>(frames, 1) : SIZE_MAX;
}

chunked_stream::result chunked_stream::compute_now(const work_buffers& now,
                                                   framer& frames)
{
    const plan& with = d_plan.current(position_of_next(now, frames));
    const std::size_t most =
        std::min(now.frames,
                 std::clamp<std::size_t>(
                     frames_for(with, now.rows), 1, most_averaged(with.what())));
    if (most == 0)
        return result();
    result done =
        take(d_rows.joins() ? join(now, frames, most) : now, with, 0, most, frames);
    if (done.run.frames > 0) {
        const std::size_t rows =
            std::max<std::size_t>(with.output_rows(done.run.frames), 1);
        done.rows = execute(now,
                            done.run,
                            position_of(now, with, 0, done.run),
                            now.output ? now.output : d_rows.reserve(rows, d_row_bytes));
        if (now.output == nullptr)
            d_rows.split(done.rows, *now.outputs, threads_of(d_plan.on(0)));
        d_statistics.count(done.run.frames);
        d_statistics.count_saturated(d_plan);
    }
    return done;
}

// The samples that the next `most` frames need, from the streams.
chunked_stream::work_buffers
chunked_stream::join(const work_buffers& now, const framer& frames, std::size_t most)
{
    const problem& what = d_plan.on(0).what();
    const std::size_t items = d_rows.inputs().count();
    const std::size_t start = std::max<std::ptrdiff_t>(frames.next_start(), 0);
    const std::size_t unread =
        frames.is_collecting() ? 0 : start + frames.n() - what.span_items() - now.tail;
    work_buffers joined = now;
    joined.samples =
        std::min(now.samples, start + frames.n() + (most - 1) * what.hop_items());
    joined.ends = now.ends && joined.samples == now.samples;
    const std::int64_t begin = row_at(now, now.bytes_read, d_rows);
    joined.input = d_rows.join(*now.inputs,
                               begin,
                               begin + std::min(unread, joined.samples) / items,
                               begin + joined.samples / items,
                               threads_of(d_plan.on(0)));
    return joined;
}

// If the card fails here, the CPU repeats these frames with the mean from before them.
std::size_t chunked_stream::execute(const work_buffers& now,
                                    const framer::run& run,
                                    std::uint64_t position,
                                    void* output)
{
    try {
        const std::size_t rows = execute_on_plan(now, run, position, output);
        d_mean = d_transfer->current_mean();
        return rows;
    } catch (const cuda_error& error) {
        if (!d_plan.goes_on_with_cpu())
            throw;
        d_plan.fall_back(error.what());
    }
    return execute_on_plan(now, run, position, output);
}

std::size_t chunked_stream::execute_on_plan(const work_buffers& now,
                                            const framer::run& run,
                                            std::uint64_t position,
                                            void* output)
{
    plan& with = d_plan.on(0);
    with.set_position(position);
    if (d_buffers.sizes)
        set_more_places(with, places_of(*now.inputs, *now.outputs));
    return with.execute(run.samples, output, run.frames);
}

// Restores the mean in the CPU's plan that takes over: the last saved mean, or the
// initial state.
void chunked_stream::restore_mean()
{
    if (d_mean.memory != nullptr)
        d_plan.on(0).restore_mean(d_mean.memory, d_mean.state);
    else if (d_begin_mean)
        d_begin_mean();
}

void chunked_stream::open()
{
    d_transfer->open(d_rows_ahead * d_out_bytes);
    d_mean = d_transfer->current_mean();
    d_begin_mean = nullptr; // from now on a mean is saved, or restarts
}

// Frames in a whole chunk, a multiple of `together`: as many as make a transfer of the
// best size, if all chunks in flight fit half of the buffers, which GNU Radio gives out.
std::size_t chunked_stream::whole_chunk(const plan& now, std::size_t together) const
{
    const problem& what = now.what();
    const bool stays = d_transfer->stays_on_card();
    const std::size_t travelling =
        stays ? 1 : chunk_pipeline::SLOTS * d_transfer->turns();
    const std::size_t streams =
        std::max(d_buffers.inputs.size(), d_buffers.outputs.size());
    const std::size_t bytes =
        stays ? DEVICE_CHUNK_BYTES : chunk_pipeline::bytes_of_chunk(streams);
    const std::size_t frame_bytes =
        d_buffers.sizes ? d_buffers.sizes->most() : frame_layout(what).frame_bytes();
    const std::size_t rows = d_buffers.rows_at_outputs(d_out_bytes) / travelling;
    const std::size_t at_inputs = d_buffers.frames_at_inputs(
        what.hop_items() * d_sample_bytes, d_rows.joins() ? d_rows.inputs().count() : 1);
    const std::size_t frames = std::min({ bytes / frame_bytes,
                                          std::max<std::size_t>(rows, 1) * what.average,
                                          at_inputs / (travelling + 1),
                                          most_averaged(what) });
    return std::max(frames / together, std::size_t(1)) * together;
}

void chunked_stream::fill(const work_buffers& now, framer& frames)
{
    const std::size_t most = chunk_pipeline::SLOTS * d_transfer->turns();
    while (d_queue.size() < most) {
        chunk next;
        if (!cut(now, frames, next))
            break;
        chunk& queued = d_queue.push(next);
        if (next.returns.run.frames > 0) // else only samples between frames
            d_transfer->send(queued);
        if (d_transfer->stays_on_card() || d_buffers.are_on_card())
            break; // no chunk to wait for: the call returns it at once
    }
}

// Makes a chunk of the next frames. Returns false, with the framer unchanged, if there
// are none, or too few for a transfer while others are in flight.
bool chunked_stream::cut(const work_buffers& now, framer& frames, chunk& next)
{
    const plan& with = d_plan.on(d_transfer->next_device());
    const std::size_t whole = whole_chunk(with, now.together);
    const std::size_t room = now.rows - std::min(now.rows, d_queue.rows());
    const std::size_t most =
        std::min({ whole,
                   frames_for(with, room),
                   now.frames - std::min(now.frames, d_queue.rows()) });
    if (most == 0 || now.samples < d_queue.samples())
        return false;
    next.layout = frame_layout(with.what());
    next.framer_place = frames.position();
    next.returns = take(now, with, d_queue.samples(), most, frames);
    const framer::run& run = next.returns.run;
    if ((run.consumed == 0 && run.frames == 0) ||
        (run.frames < whole && !d_queue.is_empty())) {
        frames.set_position(next.framer_place);
        return false;
    }
    next.returns.rows = with.output_rows(run.frames);
    if (now.output != nullptr)
        next.output = static_cast<char*>(now.output) + d_queue.rows() * d_row_bytes;
    next.output_begin = now.bytes_written + d_queue.rows() * d_out_bytes;
    next.output_end = next.output_begin + next.returns.rows * d_out_bytes;
    next.output_bytes = next.returns.rows * d_row_bytes;
    if (run.frames > 0) {
        const std::size_t first =
            d_queue.samples() + run.first + run.n - with.what().span_items() - now.tail;
        const std::uint64_t begin = now.bytes_read + first * d_sample_bytes;
        const std::uint64_t end =
            begin + with.what().input_bytes(with.input_samples(run.frames));
        next.input = port_part::behind(now.history, begin, end);
        next.stream_position = position_of(now, with, d_queue.samples(), run);
        if (d_rows.joins())
            d_rows.need_rows(next.input.end / d_rows.inputs().row_bytes());
        if (d_buffers.sizes)
            d_buffers.sizes->cut(next.output_begin / d_row_bytes,
                                 d_queue.rows(),
                                 *now.inputs,
                                 *now.outputs,
                                 next);
    }
    return true;
}

chunked_stream::result chunked_stream::take_oldest()
{
    if (d_queue.is_empty())
        return result();
    d_transfer->settle(d_queue.outstanding(), MOST_OUTSTANDING);
    const chunk& oldest = d_queue.oldest();
    d_transfer->finish(oldest);
    d_statistics.note([&](stream_statistics& counted) {
        counted.most_in_flight = std::max(counted.most_in_flight, d_queue.size());
        counted.in_flight = d_queue.size() - 1;
    });
    d_statistics.count_saturated(d_plan);
    if (oldest.computed)
        d_mean = oldest.mean;
    return d_queue.pop();
}

// Discards the chunks in flight, whose samples are still in the input buffer.
void chunked_stream::recover(const cuda_error& error, framer& frames)
{
    if (!d_queue.is_empty()) {
        frames.set_position(d_queue.oldest().framer_place);
        d_transfer->forget_from(d_queue.oldest().output_begin);
    }
    drop_all();
    if (!d_plan.goes_on_with_cpu())
        throw; // rethrows `error`
    d_transfer->leave_to_hung();
    d_plan.fall_back(error.what());
}

void chunked_stream::drop_all() noexcept
{
    d_transfer->finish_all();
    d_queue.clear();
    d_statistics.note([](stream_statistics& counted) { counted.in_flight = 0; });
}

} // namespace gpufft
} // namespace gr
