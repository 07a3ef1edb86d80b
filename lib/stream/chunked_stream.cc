// SPDX-License-Identifier: GPL-3.0-or-later
//
// Chunks in flight.

#include "chunked_stream.h"
#include "engine/device_watch.h"
#include <algorithm>
#include <cstring>
#include <spdlog/fmt/fmt.h>
#include <utility>

namespace gr {
namespace gpufft {

namespace {

// Limit of chunks that the card has yet to compute while nobody waits for them: twice the
// interval between timed ones, so that the CPU sleeps through half of them.
constexpr std::size_t MOST_OUTSTANDING = 16;

std::size_t row_bytes(const problem& what)
{
    return what.row_items() * what.output_item_bytes();
}

// Largest number of frames that gives no more than `rows` rows.
std::size_t frames_for(const plan& now, std::size_t rows)
{
    const std::size_t average = now.what().average;
    return rows == 0 ? now.frames_to_next_row() - 1
                     : (rows - 1) * average + now.frames_to_next_row() + average - 1;
}

// Position of the plan's first frame in the run, whose input begins `passed` samples
// after now.input.
std::uint64_t position_of(const chunked_stream::window& now,
                          const plan& with,
                          std::size_t passed,
                          const framer::run& run)
{
    const problem& what = with.what();
    return now.origin + now.bytes_read / what.input_item_bytes() + passed + run.first +
           (run.n - what.input_span() - now.tail);
}

// Moves the run's start to where the plan's frame begins in the framer's.
void move_to_frames(framer::run& run,
                    const plan& with,
                    std::size_t tail,
                    std::size_t sample_bytes)
{
    if (run.frames > 0)
        run.samples = static_cast<const char*>(run.samples) +
                      (run.n - with.what().input_span() - tail) * sample_bytes;
}

std::size_t left_of(std::size_t all, std::size_t used)
{
    return all > used ? all - used : 0;
}

bool is_double_mapped(const gr::buffer_sptr& buffer)
{
    return buffer->get_mapping_type() == gr::buffer_mapping_type::double_mapped;
}

} // namespace

std::size_t chunked_stream::samples_at_once(gr::block_detail& detail,
                                            std::size_t n,
                                            std::size_t sample_bytes)
{
    const gr::buffer_sptr buffer = detail.input(0)->buffer();
    const std::size_t item_bytes = buffer->get_sizeof_item();
    if (!is_double_mapped(buffer) && item_bytes < n * sample_bytes)
        return 0;
    return buffer->bufsize() * item_bytes / sample_bytes;
}

chunked_stream::chunked_stream(live_plan& plan, gr::logger_ptr logger)
    : d_plan(plan),
      d_logger(std::move(logger))
{
}

chunked_stream::~chunked_stream()
{
    const device_patience patience(d_plan.device_timeout());
    stop();
}

void chunked_stream::start(gr::block_detail& detail,
                           const framer& frames,
                           std::function<void()> begin_mean)
{
    d_begin_mean = std::move(begin_mean);
    d_plan.set_restore_mean([this] { restore_mean(); });
    d_plan.begin_stream();
    const problem& what = d_plan.current().what();
    d_sample_bytes = what.input_item_bytes();
    d_row_bytes = row_bytes(what);
    d_input = detail.input(0)->buffer();
    d_output = detail.output(0);
    const std::string at_once = why_at_once(frames);
    d_in_chunks = at_once.empty();
    if (d_in_chunks)
        d_input_edge = std::make_unique<stream_edge::input>(
            d_input,
            d_plan.goes_on_with_cpu() ? stream_edge::reader::of_either
                                      : stream_edge::reader::of_card,
            d_plan.devices());
    d_queued = d_timed_frames = 0;
    d_timed_seconds = 0;
    const std::lock_guard<std::mutex> lock(d_mutex);
    d_statistics = stream_statistics();
    d_statistics.input_edge = d_statistics.output_edge = at_once;
}

// Why each call computes its samples and waits for them; "" if chunks stay in flight
// across calls.
std::string chunked_stream::why_at_once(const framer& frames) const
{
    const std::size_t room =
        std::size_t(d_output->bufsize()) / 2 * d_output->get_sizeof_item();
    if (!d_plan.is_on_cuda())
        return "host: the engine is cpu";
    if (!is_double_mapped(d_input) || !is_double_mapped(d_output))
        return "host: a buffer of a custom type is on one side";
    if (frames.is_collecting())
        return "host: the input buffer is too short for two frames";
    if (room < d_row_bytes)
        return "host: the output buffer is too short for two rows";
    return "";
}

void chunked_stream::stop() noexcept
{
    try {
        limit_outstanding(0);
    } catch (const std::exception&) {
        // the block has met the trouble already; this only counts chunks
    }
    drop_all();
    d_input_ring.reset();
    d_asked_for_ring = false;
    d_output_edge.reset();
    d_input_edge.reset();
    d_devices.clear();
    d_input_registered.reset();
    d_output_registered.reset();
    d_input.reset();
    d_output.reset();
    d_mean = saved_mean();
    d_begin_mean = nullptr;
    d_plan.set_restore_mean(nullptr);
    d_input_staged = d_output_staged = d_is_open = d_in_chunks = false;
}

chunked_stream::result chunked_stream::step(const window& now, framer& frames)
{
    try {
        if (d_chunks.empty())
            take_over(now, frames);
        if (!d_in_chunks || !d_plan.is_on_cuda() || frames.is_collecting())
            return compute_at_once(now, frames);
        if (!d_is_open)
            open();
        if (d_chunks.empty() || !d_plan.is_changed())
            fill(now, frames);
        return take_oldest();
    } catch (const cuda_error& error) {
        recover(error, frames); // or rethrows it
    }
    return compute_at_once(now, frames);
}

// Takes over what a setter has stored, while nothing is in flight.
void chunked_stream::take_over(const window& now, const framer& frames)
{
    if (!d_plan.is_changed())
        return;
    limit_outstanding(0); // kernels may still read what this replaces
    const std::size_t average = d_plan.on(0).what().average;
    const density_grid density = d_plan.on(0).what().density;
    const plan* const before = &d_plan.on(0);
    d_plan.current(position_of_next(now, frames));
    if (&d_plan.on(0) != before || d_plan.on(0).what().average != average ||
        d_plan.on(0).what().density != density)
        d_mean = saved_mean(); // it starts again
    if (!d_devices.empty() && d_plan.is_on_cuda())
        keep_mean();
}

// Position of the newest sample of the next frame, when nothing is in flight.
std::uint64_t chunked_stream::position_of_next(const window& now,
                                               const framer& frames) const
{
    return now.origin + now.bytes_read / d_sample_bytes + frames.next_start() +
           frames.n() - 1 - now.tail;
}

// Largest number of frames of averaged rows whose powers fit the card, however the frames
// overlap.
std::size_t chunked_stream::most_averaged(const problem& what)
{
    const std::size_t frames = POWERS_BYTES / (what.row_bins() * sizeof(float));
    return what.has_mean() ? std::max<std::size_t>(frames, 1) : SIZE_MAX;
}

chunked_stream::result chunked_stream::compute_at_once(const window& now, framer& frames)
{
    const plan& with = d_plan.current(position_of_next(now, frames));
    result done;
    done.average = with.what().average;
    done.frames_in_row = done.average - with.frames_to_next_row();
    done.run = frames.take(now.input,
                           now.samples,
                           with.what().effective_hop(),
                           std::clamp<std::size_t>(
                               frames_for(with, now.rows), 1, most_averaged(with.what())),
                           now.together,
                           now.ends);
    move_to_frames(done.run, with, now.tail, d_sample_bytes);
    if (done.run.frames > 0) {
        done.rows = execute(done.run, position_of(now, with, 0, done.run), now.output);
        const std::lock_guard<std::mutex> lock(d_mutex);
        count_time(done.run.frames);
    }
    done.consumed = done.run.consumed;
    return done;
}

void chunked_stream::open()
{
    for (int index : d_plan.devices())
        d_devices.push_back(
            std::make_unique<stream_device>(stream_device::s_make(index)));
    d_output_edge = std::make_unique<stream_edge::output>(
        d_output,
        d_devices.size() == 1 ? d_devices.front()->device : nullptr,
        d_plan.goes_on_with_cpu(),
        d_rows_ahead * d_row_bytes);
    keep_mean();
    d_is_open = true;
    const std::lock_guard<std::mutex> lock(d_mutex);
    d_statistics.output_edge = d_output_edge->reason();
}

// Number of devices that take turns: a running mean stays on one.
std::size_t chunked_stream::turns() const
{
    return d_plan.on(0).mean_bytes() > 0 ? 1 : d_devices.size();
}

bool chunked_stream::stays_on_card() const
{
    return d_input_ring && !d_output_edge->to_host();
}

// Frames in a whole chunk: as many as make a transfer of the best size while all chunks
// in flight fit the buffers, of which GNU Radio gives out half. A multiple of `together`.
std::size_t chunked_stream::whole_chunk(const plan& now, std::size_t together) const
{
    const problem& what = now.what();
    const std::size_t hop = what.effective_hop();
    const std::size_t travelling = stays_on_card() ? 1 : stream_device::SLOTS * turns();
    const std::size_t bytes = stays_on_card() ? DEVICE_CHUNK_BYTES : CHUNK_BYTES;
    const std::size_t frame_bytes = std::max(
        std::min(hop, what.input_span()) * d_sample_bytes, d_row_bytes / what.average);
    const std::size_t rows = std::size_t(d_output->bufsize()) / 2 *
                             d_output->get_sizeof_item() / d_row_bytes / travelling;
    const std::size_t samples = std::size_t(d_input->bufsize()) *
                                d_input->get_sizeof_item() / d_sample_bytes /
                                (travelling + 1);
    const std::size_t frames = std::min({ bytes / frame_bytes,
                                          std::max<std::size_t>(rows, 1) * what.average,
                                          samples / hop,
                                          most_averaged(what) });
    return std::max(frames / together, std::size_t(1)) * together;
}

void chunked_stream::fill(const window& now, framer& frames)
{
    const std::size_t most = stream_device::SLOTS * turns();
    while (d_chunks.size() < most) {
        chunk next;
        if (!cut(now, frames, next))
            break;
        d_chunks.push_back(next);
        queue(d_chunks.back());
        if (stays_on_card())
            break; // there is nothing to wait for: the call returns it at once
    }
}

// Makes a chunk of the next frames. Returns false, with the framer unchanged, if there
// are none, or too few for a transfer while others are in flight.
bool chunked_stream::cut(const window& now, framer& frames, chunk& next)
{
    const plan& with = d_plan.on(d_next % turns());
    const std::size_t whole = whole_chunk(with, now.together);
    const std::size_t most =
        std::min(whole, frames_for(with, left_of(now.rows, d_rows_in_flight)));
    if (most == 0 || now.samples < d_samples_in_flight)
        return false;
    const char* samples =
        static_cast<const char*>(now.input) + d_samples_in_flight * d_sample_bytes;
    next.position = frames.position();
    next.returns.average = with.what().average;
    next.returns.frames_in_row = next.returns.average - with.frames_to_next_row();
    framer::run& run = next.returns.run;
    run = frames.take(samples,
                      now.samples - d_samples_in_flight,
                      with.what().effective_hop(),
                      most,
                      now.together,
                      now.ends);
    if ((run.consumed == 0 && run.frames == 0) ||
        (run.frames < whole && !d_chunks.empty())) {
        frames.set_position(next.position);
        return false;
    }
    move_to_frames(run, with, now.tail, d_sample_bytes);
    next.returns.consumed = run.consumed;
    next.returns.rows = with.output_rows(run.frames);
    next.output = static_cast<char*>(now.output) + d_rows_in_flight * d_row_bytes;
    next.output_begin = now.bytes_written + d_rows_in_flight * d_row_bytes;
    next.output_end = next.output_begin + next.returns.rows * d_row_bytes;
    if (run.frames > 0) {
        const std::uint64_t begin =
            now.bytes_read +
            (static_cast<const char*>(run.samples) - static_cast<const char*>(now.input));
        const std::uint64_t end = begin + with.input_samples(run.frames) * d_sample_bytes;
        next.lead = std::max(now.history, begin) - begin;
        next.input_begin = begin + next.lead - now.history;
        next.input_end = std::max(end, now.history) - now.history;
        next.in_stream = position_of(now, with, d_samples_in_flight, run);
    }
    return true;
}

// Nothing may throw after the chunk has left the list: it would be neither returned nor
// computed again.
chunked_stream::result chunked_stream::take_oldest()
{
    if (d_chunks.empty())
        return result();
    limit_outstanding(MOST_OUTSTANDING);
    chunk& oldest = d_chunks.front();
    if (const auto& done = oldest.downloaded ? oldest.downloaded : oldest.uploaded)
        d_devices[oldest.device]->device->synchronize(*done);
    if (oldest.staged)
        std::memcpy(
            oldest.output, oldest.staged, oldest.output_end - oldest.output_begin);
    {
        const std::lock_guard<std::mutex> lock(d_mutex);
        d_statistics.most_in_flight =
            std::max(d_statistics.most_in_flight, d_chunks.size());
        d_statistics.in_flight = d_chunks.size() - 1;
    }
    const result returns = oldest.returns;
    if (oldest.computed) {
        d_mean = oldest.mean;
        d_outstanding.push_back(oldest);
    }
    d_chunks.pop_front();
    d_samples_in_flight -= returns.consumed;
    d_rows_in_flight -= returns.rows;
    return returns;
}

// Discards the chunks in flight: their samples are still in the input buffer.
void chunked_stream::recover(const cuda_error& error, framer& frames)
{
    if (!d_chunks.empty()) {
        frames.set_position(d_chunks.front().position);
        if (d_output_edge && d_output_edge->ring())
            d_output_edge->ring()->forget_from(d_chunks.front().output_begin);
    }
    drop_all();
    if (!d_plan.goes_on_with_cpu())
        throw; // rethrows `error`
    leave_to_hung();
    d_plan.fall_back(error.what());
}

void chunked_stream::drop_all() noexcept
{
    for (const std::unique_ptr<stream_device>& each : d_devices)
        each->finish(); // so that nothing writes to host memory later, except devices
                        // that hang, see host_buffer
    d_chunks.clear();
    d_outstanding.clear();
    d_samples_in_flight = d_rows_in_flight = 0;
    const std::lock_guard<std::mutex> lock(d_mutex);
    d_statistics.in_flight = 0;
}

} // namespace gpufft
} // namespace gr
