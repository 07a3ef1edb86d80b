// SPDX-License-Identifier: GPL-3.0-or-later
//
// Cutting frames into waves of parts, summing the parts, finishing the rows.

#include "averaged_rows.h"
#include "plan/density_row.h"

#include <algorithm>
#include <limits>
#include <new>
#include <utility>
#include <volk/volk.h>

namespace gr {
namespace gpufft {

namespace {

// Frames summed in single precision; the error stays near 1e-7 of the sum.
constexpr std::size_t MOST_FRAMES_PER_PART = 32;

// Parts of a wave for each of several threads, enough to even out their speeds; above
// LONGEST_WITH_SPARE_PARTS points just one, to save memory.
constexpr std::size_t PARTS_PER_THREAD = 4;
constexpr std::size_t LONGEST_WITH_SPARE_PARTS = std::size_t(1) << 18;

// Points of a wave's parts for each part above, so that short transforms make long waves.
constexpr std::size_t POINTS_PER_PART = 8192;

// Fewest bins worth a task for another thread.
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
    const std::size_t frames_per_part =
        threads == 1 ? MOST_FRAMES_PER_PART
                     : std::clamp(ceil_divide(frames, PARTS_PER_THREAD * threads),
                                  std::size_t(1),
                                  MOST_FRAMES_PER_PART);
    const std::size_t slice =
        std::max(BINS_PER_SLICE, ceil_divide(what.row_bins(), threads));
    for (std::size_t done = 0; done < frames;) {
        done = plan_wave(what, done, frames, frames_in_row, frames_per_part);
        const std::size_t parts_per_task = ceil_divide(
            d_transform.frames_per_task(), std::min(frames_per_part, what.average));
        pool.run(ceil_divide(d_wave.size(), parts_per_task),
                 [&](std::size_t task, std::size_t thread) {
                     const std::size_t first = task * parts_per_task;
                     const std::size_t last =
                         std::min(first + parts_per_task, d_wave.size());
                     for (std::size_t index = first; index < last; ++index)
                         sum_part(what, input, index, thread);
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

// Cuts the frames from first_frame on into parts, as many as a wave has; returns the
// first frame that is left. What is counted is of one row, with which a wave ends then.
std::size_t averaged_rows::plan_wave(const problem& what,
                                     std::size_t first_frame,
                                     std::size_t last_frame,
                                     std::size_t frames_in_row,
                                     std::size_t frames_per_part)
{
    d_wave.clear();
    while (first_frame < last_frame && d_wave.size() < d_most_parts) {
        const std::size_t in_row = (frames_in_row + first_frame) % what.average;
        const std::size_t frames = std::min(
            { frames_per_part, what.average - in_row, last_frame - first_frame });
        const bool ends_row = in_row + frames == what.average;
        d_wave.push_back({ first_frame, frames, ends_row, !d_is_smoothing });
        if (ends_row)
            d_is_smoothing = what.keeps_rows();
        first_frame += frames;
        if (ends_row && what.has_density())
            break;
    }
    return first_frame;
}

// Each trace's part = sum over the part's frames of |X|^2, or the largest or the
// smallest; squares[index] = sum of |X|^4 for the kurtosis. The density counts every
// frame.
void averaged_rows::sum_part(const problem& what,
                             const char* input,
                             std::size_t index,
                             std::size_t thread)
{
    const std::size_t n = what.row_bins();
    const std::size_t hop = what.effective_hop();
    const part& p = d_wave[index];
    double* squares = squares_of(index, n);
    float* power = d_power[thread].data();
    if (squares != nullptr)
        std::fill_n(squares, n, 0.0);
    const char* frame = input + p.first_frame * hop * what.input_item_bytes();
    for (std::size_t f = 0; f < p.frames;) {
        const std::size_t group =
            p.frames - f < d_transform.group() ? 1 : d_transform.group();
        const std::complex<float>* bins =
            d_transform.transform(frame, hop, group, 0, nullptr, thread);
        for (std::size_t i = 0; i < group; ++i, ++f) {
            float* const now = f == 0 ? d_traces[0].part(index, n) : power;
            volk_32fc_magnitude_squared_32f(now, bins + i * n, n);
            if (what.has_density())
                d_density.count(now, thread);
            join(index, now, f == 0, n);
            if (squares != nullptr)
                for (std::size_t k = 0; k < n; ++k)
                    squares[k] += double(now[k]) * now[k];
        }
        frame += group * hop * what.input_item_bytes();
    }
}

// A frame's powers to the traces' parts; the first frame's are the first trace's part.
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

// Adds bins first ... last-1 of the wave's parts, and writes those of the rows that end.
void averaged_rows::finish_slice(const problem& what,
                                 float* output,
                                 std::size_t first,
                                 std::size_t last)
{
    const std::size_t n = what.row_bins();
    for (std::size_t index = 0; index < d_wave.size(); ++index) {
        const part& p = d_wave[index];
        for (trace& each : d_traces)
            each.average.add(each.part(index, n), squares_of(index, n), first, last);
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
    d_store.store_range(
        first, last, output, [&](std::size_t from, std::size_t count, float* row) {
            d_traces[trace].average.finish(row, how, from, count);
        });
}

// What lies behind the traces of a row.
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
