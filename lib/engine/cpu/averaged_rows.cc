// SPDX-License-Identifier: GPL-3.0-or-later
//
// Cuts frames into waves of parts, sums the parts and finishes the rows.

#include "averaged_rows.h"
#include "problem/density_row.h"
#include "problem/frame_groups.h"

#include <algorithm>
#include <limits>
#include <new>
#include <utility>
#include <volk/volk.h>

namespace gr {
namespace gpufft {

namespace {

// Limits of a group: of its frames, so that a sum in single precision has an error near
// 1e-7, and of its points, so that a block's chunk has enough groups for all threads (see
// CPU_LOAD_BYTES).
constexpr std::size_t MOST_FRAMES_OF_GROUP = 32;
constexpr std::size_t POINTS_OF_GROUP = 32768;

// Parts of a wave for each of several threads: enough to even out the threads' speeds,
// but one above LONGEST_WITH_SPARE_PARTS points, to save memory.
constexpr std::size_t PARTS_PER_THREAD = 4;
constexpr std::size_t LONGEST_WITH_SPARE_PARTS = std::size_t(1) << 18;

// Points of a wave for each of these parts, so that short transforms make long waves.
constexpr std::size_t POINTS_PER_PART = 8192;

// Fewest bins worth a task for another thread. They are stored in one piece, because a
// bin's logarithm depends on its place in the piece.
constexpr std::size_t BINS_PER_SLICE = 2048;

std::size_t parts_for(std::size_t n, std::size_t threads)
{
    if (threads == 1 || n > LONGEST_WITH_SPARE_PARTS)
        return threads;
    return PARTS_PER_THREAD * threads;
}

std::size_t ceil_divide(std::size_t a, std::size_t b) { return a / b + (a % b != 0); }

} // namespace

void averaged_rows::allocate(std::size_t threads)
{
    const std::size_t parts =
        parts_for(d_n, threads) * std::max<std::size_t>(1, POINTS_PER_PART / d_n);
    if (d_n > std::numeric_limits<std::size_t>::max() / parts)
        throw std::bad_alloc();
    std::vector<aligned_buffer<float>> power;
    for (std::size_t thread = 0; thread < threads; ++thread)
        power.emplace_back(d_n);
    while (d_traces.size() < d_now.row_traces())
        d_traces.emplace_back(trace_detectors(d_now)[d_traces.size()], d_n);
    for (row_trace& each : d_traces)
        each.allocate(parts);
    if (d_now.has_density())
        d_density.allocate(d_now, threads);
    d_most_parts = parts;
    d_group = std::clamp(POINTS_OF_GROUP / d_n, std::size_t(1), MOST_FRAMES_OF_GROUP);
    d_wave.reserve(parts);
    d_power = std::move(power);
}

void averaged_rows::reset()
{
    for (row_trace& each : d_traces)
        each.reset();
    d_density.reset();
    d_is_smoothing = false;
}

bool averaged_rows::save(double* sums, float* smoothed, std::size_t frames_in_row) const
{
    const bool in_group = is_in_group(frames_in_row, d_group);
    double* const kept = sums + kept_begin(d_now);
    for (std::size_t k = 0; k < d_n; ++k) {
        const std::size_t j = d_store.place_of(k);
        const auto save = [&](std::size_t at, const row_trace::joined& value) {
            sums[at] = value.closed;
            kept[at] = value.kept;
        };
        smoothed[j] = static_cast<float>(d_traces[0].smoothed(k));
        for (std::size_t i = 0; i < d_traces.size(); ++i)
            save(i * d_n + j, d_traces[i].sum(k, in_group));
        if (d_now.detector == detector_kind::kurtosis)
            save(d_n + j, d_traces[0].squares(k, in_group));
    }
    for (std::size_t cell = 0; cell < d_now.density.cells(); ++cell)
        sums[cells_begin(d_now) + cell] = d_density.total(cell);
    return d_is_smoothing;
}

void averaged_rows::restore(const double* sums,
                            const float* smoothed,
                            std::size_t frames_in_row)
{
    reset();
    d_is_smoothing = smoothed != nullptr;
    const bool in_group = is_in_group(frames_in_row, d_group);
    const double* const kept = sums + kept_begin(d_now);
    for (std::size_t k = 0; k < d_n; ++k) {
        const std::size_t j = d_store.place_of(k);
        if (d_is_smoothing)
            d_traces[0].restore_smoothed(k, smoothed[j]);
        if (frames_in_row == 0)
            continue;
        for (std::size_t i = 0; i < d_traces.size(); ++i)
            d_traces[i].restore_sum(
                k, { sums[i * d_n + j], kept[i * d_n + j] }, in_group);
        if (d_now.detector == detector_kind::kurtosis)
            d_traces[0].restore_squares(k, { sums[d_n + j], kept[d_n + j] }, in_group);
    }
    if (frames_in_row > 0)
        for (std::size_t cell = 0; cell < d_now.density.cells(); ++cell)
            d_density.restore(cell, sums[cells_begin(d_now) + cell]);
}

void averaged_rows::execute(const char* input,
                            float* output,
                            std::size_t frames,
                            std::size_t frames_in_row,
                            thread_pool& pool)
{
    if (d_now.has_density())
        d_density.prepare(d_now, d_store.place_of(0));
    const std::size_t slices = ceil_divide(d_n, BINS_PER_SLICE);
    const std::size_t slice = BINS_PER_SLICE * ceil_divide(slices, d_power.size());
    const std::size_t parts_per_task =
        ceil_divide(d_transform.frames_per_task(), std::min(d_group, d_now.average));
    for (std::size_t done = 0; done < frames;) {
        done = plan_wave(done, frames, frames_in_row);
        pool.run(ceil_divide(d_wave.size(), parts_per_task),
                 [&](std::size_t task, std::size_t thread) {
                     const std::size_t first = task * parts_per_task;
                     const std::size_t last =
                         std::min(first + parts_per_task, d_wave.size());
                     sum_parts(input, first, last, thread);
                 });
        pool.run(ceil_divide(d_n, slice), [&](std::size_t task, std::size_t) {
            const std::size_t first = task * slice;
            finish_slice(output, first, std::min(first + slice, d_n));
        });
        if (d_now.has_density() && d_wave.back().ends_row)
            finish_density(output);
        for (const part& p : d_wave)
            output += p.ends_row ? d_now.row_items() : 0;
    }
}

// Cuts the frames from first_frame on into the parts of a wave, and returns the first
// frame that is left. With a density a wave ends with its row, because counts belong to
// one row.
std::size_t averaged_rows::plan_wave(std::size_t first_frame,
                                     std::size_t last_frame,
                                     std::size_t frames_in_row)
{
    d_wave.clear();
    while (first_frame < last_frame && d_wave.size() < d_most_parts) {
        const std::size_t in_row = (frames_in_row + first_frame) % d_now.average;
        const std::size_t left = frames_left_of_group(in_row, d_now.average, d_group);
        const std::size_t frames = std::min(left, last_frame - first_frame);
        const bool ends_row = in_row + frames == d_now.average;
        d_wave.push_back({ first_frame,
                           frames,
                           is_in_group(in_row, d_group),
                           frames == left,
                           ends_row,
                           !d_is_smoothing });
        if (ends_row)
            d_is_smoothing = d_now.keeps_rows();
        first_frame += frames;
        if (ends_row && d_now.has_density())
            break;
    }
    return first_frame;
}

// Sums the frames of the parts first ... last-1, which are contiguous.
void averaged_rows::sum_parts(const char* input,
                              std::size_t first,
                              std::size_t last,
                              std::size_t thread)
{
    const std::size_t hop = d_now.effective_hop();
    const std::size_t end = d_wave[last - 1].first_frame + d_wave[last - 1].frames;
    std::size_t index = first, in_part = 0;
    for (std::size_t frame = d_wave[first].first_frame; frame < end;) {
        const std::size_t count = std::min(d_transform.group(), end - frame);
        const std::complex<float>* const bins = d_transform.bins_of(
            input + d_now.input_bytes(frame * hop), hop, count, thread);
        for (std::size_t i = 0; i < count; ++i) {
            const part& p = d_wave[index];
            add_frame(index, in_part == 0 && !p.goes_on, bins + i * d_n, thread);
            if (++in_part == p.frames) {
                ++index;
                in_part = 0;
            }
        }
        frame += count;
    }
}

// Joins a frame's powers to the part of each trace, and counts them into the density.
void averaged_rows::add_frame(std::size_t index,
                              bool is_first,
                              const std::complex<float>* bins,
                              std::size_t thread)
{
    float* const power = is_first ? d_traces[0].part(index) : d_power[thread].data();
    volk_32fc_magnitude_squared_32f_u(
        power, bins, unsigned(d_n)); // rounds the same way at any alignment
    if (d_now.has_density())
        d_density.count(power, thread);
    for (row_trace& each : d_traces)
        each.join(index, power, is_first);
}

// Adds bins first ... last-1 of the wave's parts, and writes these bins of finished rows.
void averaged_rows::finish_slice(float* output, std::size_t first, std::size_t last)
{
    for (std::size_t index = 0; index < d_wave.size(); ++index) {
        const part& p = d_wave[index];
        for (row_trace& each : d_traces)
            if (p.ends_group)
                each.add(index, first, last);
            else
                each.keep(index, first, last);
        if (!p.ends_row)
            continue;
        for (std::size_t i = 0; i < d_traces.size(); ++i)
            finish_trace(i, p.is_first, output + i * d_n, first, last);
        output += d_now.row_items();
    }
}

// Only the first trace is smoothed or held.
void averaged_rows::finish_trace(std::size_t trace,
                                 bool is_first,
                                 float* output,
                                 std::size_t first,
                                 std::size_t last)
{
    const row_trace::ending how = { d_now.scale,
                                    double(d_now.average),
                                    d_now.smoothing,
                                    d_now.hold,
                                    is_first || trace > 0 };
    const auto finish = [&](std::size_t from, std::size_t count, float* row) {
        d_traces[trace].finish(row, how, from, count);
    };
    for (; first < last; first += BINS_PER_SLICE)
        d_store.store_range(
            first, std::min(first + BINS_PER_SLICE, last), output, finish);
}

// Writes what follows the traces in a row.
void averaged_rows::finish_density(float* row)
{
    float* const facts = row + cells_begin(d_now) + d_now.density.cells();
    d_density.finish(row + cells_begin(d_now));
    const auto values = density_facts(d_now);
    std::fill(
        std::copy(values.begin(), values.end(), facts), row + d_now.row_items(), 0.0f);
}

} // namespace gpufft
} // namespace gr
