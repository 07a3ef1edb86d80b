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

// Limits of a group: its frames, so that a sum in single precision has an error near
// 1e-7, and its points, so that a block's chunk has enough groups for all threads (see
// CPU_LOAD_BYTES).
constexpr std::size_t MOST_FRAMES_PER_GROUP = 32;
constexpr std::size_t POINTS_PER_GROUP = 32768;

// Parts of a wave per thread, if there are several threads: enough to even out their
// speeds; above LONGEST_WITH_SPARE_PARTS points just one, to save memory.
constexpr std::size_t PARTS_PER_THREAD = 4;
constexpr std::size_t LONGEST_WITH_SPARE_PARTS = std::size_t(1) << 18;

// Points in a wave for each of those parts, so that short transforms make long waves.
constexpr std::size_t POINTS_PER_PART = 8192;

// Fewest bins worth a task for another thread, and bins stored in one piece: a bin's
// logarithm depends on its place in the piece.
constexpr std::size_t BINS_PER_SLICE = 2048;

std::size_t parts_for(std::size_t n, std::size_t threads)
{
    if (threads == 1 || n > LONGEST_WITH_SPARE_PARTS)
        return threads;
    return PARTS_PER_THREAD * threads;
}

std::size_t ceil_divide(std::size_t a, std::size_t b) { return a / b + (a % b != 0); }

} // namespace

void averaged_rows::allocate(const problem& what, std::size_t threads)
{
    const std::size_t n = what.row_bins();
    const std::size_t parts =
        parts_for(n, threads) * std::max<std::size_t>(1, POINTS_PER_PART / n);
    if (n > std::numeric_limits<std::size_t>::max() / parts)
        throw std::bad_alloc();
    std::vector<aligned_buffer<float>> power;
    for (std::size_t thread = 0; thread < threads; ++thread)
        power.emplace_back(n);
    if (d_traces.empty())
        for (std::size_t i = 0; i < what.row_traces(); ++i) {
            d_traces.push_back({ trace_detectors(what)[i], {}, {} });
            d_traces.back().average.allocate(n, d_traces.back().detector);
        }
    for (trace& each : d_traces)
        each.parts = aligned_buffer<float>(parts * n);
    if (what.has_density())
        d_density.allocate(what, threads);
    if (what.detector == detector_kind::kurtosis)
        d_squares = aligned_buffer<double>(parts * n);
    d_most_parts = parts;
    d_group = std::clamp(POINTS_PER_GROUP / n, std::size_t(1), MOST_FRAMES_PER_GROUP);
    d_wave.reserve(parts);
    d_power = std::move(power);
}

void averaged_rows::reset()
{
    for (trace& each : d_traces)
        each.average.reset();
    d_density.reset();
    d_is_smoothing = false;
}

void averaged_rows::execute(const problem& what,
                            const char* input,
                            float* output,
                            std::size_t frames,
                            std::size_t frames_in_row,
                            thread_pool& pool)
{
    const std::size_t threads = d_power.size();
    if (what.has_density())
        d_density.prepare(what, d_store.place_of(0));
    const std::size_t slices = ceil_divide(what.row_bins(), BINS_PER_SLICE);
    const std::size_t slice = BINS_PER_SLICE * ceil_divide(slices, threads);
    for (std::size_t done = 0; done < frames;) {
        done = plan_wave(what, done, frames, frames_in_row);
        if (d_wave.front().goes_on)
            take_kept(what.row_bins());
        const std::size_t parts_per_task =
            ceil_divide(d_transform.frames_per_task(), std::min(d_group, what.average));
        pool.run(ceil_divide(d_wave.size(), parts_per_task),
                 [&](std::size_t task, std::size_t thread) {
                     const std::size_t first = task * parts_per_task;
                     sum_parts(what,
                               input,
                               first,
                               std::min(first + parts_per_task, d_wave.size()),
                               thread);
                 });
        pool.run(ceil_divide(what.row_bins(), slice), [&](std::size_t task, std::size_t) {
            const std::size_t first = task * slice;
            finish_slice(what, output, first, std::min(first + slice, what.row_bins()));
        });
        if (what.has_density() && d_wave.back().ends_row)
            finish_density(what, output);
        for (const part& p : d_wave)
            output += p.ends_row ? what.row_items() : 0;
    }
}

// Cuts the frames from first_frame on into the parts of a wave, and returns the first
// frame that is left. With a density a wave ends with its row, because counts are those
// of one row.
std::size_t averaged_rows::plan_wave(const problem& what,
                                     std::size_t first_frame,
                                     std::size_t last_frame,
                                     std::size_t frames_in_row)
{
    d_wave.clear();
    while (first_frame < last_frame && d_wave.size() < d_most_parts) {
        const std::size_t in_row = (frames_in_row + first_frame) % what.average;
        const std::size_t left = frames_left_of_group(in_row, what.average, d_group);
        const std::size_t frames = std::min(left, last_frame - first_frame);
        const bool ends_row = in_row + frames == what.average;
        d_wave.push_back({ first_frame,
                           frames,
                           is_in_group(in_row, d_group),
                           frames == left,
                           ends_row,
                           !d_is_smoothing });
        if (ends_row)
            d_is_smoothing = what.keeps_rows();
        first_frame += frames;
        if (ends_row && what.has_density())
            break;
    }
    return first_frame;
}

// Moves what the previous call left of a group to the wave's first part.
void averaged_rows::take_kept(std::size_t n)
{
    for (trace& each : d_traces)
        each.average.take_kept(each.part(0, n), squares_of(0, n));
}

// Sums the frames of the parts first ... last-1, which are contiguous.
void averaged_rows::sum_parts(const problem& what,
                              const char* input,
                              std::size_t first,
                              std::size_t last,
                              std::size_t thread)
{
    const std::size_t n = what.row_bins();
    const std::size_t hop = what.effective_hop();
    const std::size_t end = d_wave[last - 1].first_frame + d_wave[last - 1].frames;
    std::size_t index = first, in_part = 0;
    for (std::size_t frame = d_wave[first].first_frame; frame < end;) {
        const std::size_t count = d_transform.together(end - frame);
        const std::complex<float>* bins =
            d_transform.transform(input + frame * hop * what.input_item_bytes(),
                                  hop,
                                  count,
                                  0,
                                  nullptr,
                                  thread);
        for (std::size_t i = 0; i < count; ++i) {
            const part& p = d_wave[index];
            add_frame(what, index, in_part == 0 && !p.goes_on, bins + i * n, thread);
            if (++in_part == p.frames) {
                ++index;
                in_part = 0;
            }
        }
        frame += count;
    }
}

// Each trace's part = sum over the group's frames of |X|^2, or the largest or the
// smallest; squares[index] = sum of |X|^4 for the kurtosis. The density counts every
// frame.
void averaged_rows::add_frame(const problem& what,
                              std::size_t index,
                              bool is_first,
                              const std::complex<float>* bins,
                              std::size_t thread)
{
    const std::size_t n = what.row_bins();
    double* const squares = squares_of(index, n);
    float* const power = is_first ? d_traces[0].part(index, n) : d_power[thread].data();
    volk_32fc_magnitude_squared_32f_u(power, bins, n); // rounds the same way at any
                                                       // alignment
    if (what.has_density())
        d_density.count(power, thread);
    join(index, power, is_first, n);
    if (squares == nullptr)
        return;
    if (is_first)
        std::fill_n(squares, n, 0.0);
    for (std::size_t k = 0; k < n; ++k)
        squares[k] += double(power[k]) * power[k];
}

// Joins a frame's powers to the traces' parts; the first frame's powers are already the
// first trace's part.
void averaged_rows::join(std::size_t index,
                         const float* power,
                         bool is_first,
                         std::size_t n)
{
    for (trace& each : d_traces) {
        float* const part = each.part(index, n);
        if (!is_first)
            join_powers(each.detector, part, power, n);
        else if (part != power)
            std::copy_n(power, n, part);
    }
}

// Adds bins first ... last-1 of the wave's parts, and writes these bins of finished rows.
void averaged_rows::finish_slice(const problem& what,
                                 float* output,
                                 std::size_t first,
                                 std::size_t last)
{
    const std::size_t n = what.row_bins();
    for (std::size_t index = 0; index < d_wave.size(); ++index) {
        const part& p = d_wave[index];
        for (trace& each : d_traces)
            if (p.ends_group)
                each.average.add(each.part(index, n), squares_of(index, n), first, last);
            else
                each.average.keep(each.part(index, n), squares_of(index, n), first, last);
        if (!p.ends_row)
            continue;
        for (std::size_t i = 0; i < d_traces.size(); ++i)
            finish_trace(what, i, p.is_first, output + i * n, first, last);
        output += what.row_items();
    }
}

// Only the first trace is smoothed or held.
void averaged_rows::finish_trace(const problem& what,
                                 std::size_t trace,
                                 bool is_first,
                                 float* output,
                                 std::size_t first,
                                 std::size_t last)
{
    const row_average::ending how = {
        what.scale, double(what.average), what.smoothing, what.hold, is_first || trace > 0
    };
    const auto finish = [&](std::size_t from, std::size_t count, float* row) {
        d_traces[trace].average.finish(row, how, from, count);
    };
    for (; first < last; first += BINS_PER_SLICE)
        d_store.store_range(
            first, std::min(first + BINS_PER_SLICE, last), output, finish);
}

// Writes what follows the traces in a row.
void averaged_rows::finish_density(const problem& what, float* row)
{
    float* const facts = row + cells_begin(what) + what.density.cells();
    d_density.finish(row + cells_begin(what));
    const auto values = density_facts(what);
    std::fill(
        std::copy(values.begin(), values.end(), facts), row + what.row_items(), 0.0f);
}

} // namespace gpufft
} // namespace gr
