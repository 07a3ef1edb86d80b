// SPDX-License-Identifier: GPL-3.0-or-later
//
// Turns frames into rows, a chunk of transforms at a time.

#include "synthesis_plan.h"
#include "planner/filters/synthesis.h"
#include "rotation.h"

#include <algorithm>
#include <numeric>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t ALIGNED_POINTS = 8; // 64 bytes

// Transformed before they are summed: points of short rows, or as many long ones as there
// are taps, but no more than some, so that rows beside those that are kept take no room.
constexpr std::size_t CHUNK_POINTS = 2048, MOST_LONG_ROWS = 16;

// Each task repeats taps - 1 transforms of another one, so tasks have many frames.
constexpr std::size_t FRAMES_PER_TAP = 4, POINTS_PER_SYNTHESIS = 16384;

std::size_t quotient_up(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

// Frames, in whole groups.
std::size_t chunk_of(std::size_t n, std::size_t taps, std::size_t group)
{
    const std::size_t least =
        std::max(quotient_up(CHUNK_POINTS, n), std::min(taps, MOST_LONG_ROWS));
    return quotient_up(least, group) * group;
}

} // namespace

synthesis_plan::synthesis_plan(const problem& what, int threads)
    : cpu_plan(what),
      d_n(what.n),
      d_samples(what.row_bins()),
      d_taps(what.taps),
      d_inverse(inverse_of_synthesis(what)),
      d_chunk(chunk_of(what.n, what.taps, d_inverse.group())),
      d_before(quotient_up((d_taps - 1) * d_n, ALIGNED_POINTS) * ALIGNED_POINTS),
      d_window(what.window_numbers(), 1.0f)
{
    weigh();
    set_threads(threads);
}

void synthesis_plan::allocate(std::size_t threads)
{
    std::vector<scratch> all;
    for (std::size_t thread = 0; thread < threads; ++thread)
        all.push_back({ aligned_buffer<complex>(d_before + d_chunk * d_n),
                        aligned_buffer<complex>(
                            d_samples < d_n && sums_side_by_side() ? d_chunk * d_n : 0),
                        aligned_buffer<complex>(d_problem.stored == number_format::working
                                                    ? 0
                                                    : d_chunk * d_samples) });
    d_inverse.allocate(threads);
    d_scratch = std::move(all);
}

void synthesis_plan::do_set_double_window(const std::vector<double>& taps)
{
    d_window.assign(taps.begin(), taps.end());
    weigh();
}

void synthesis_plan::weigh()
{
    d_scale = d_problem.scale;
    d_weights = row_weights(d_taps, 2 * d_n, [this](std::size_t p, std::size_t i) {
        const double tap = d_window[(d_taps - 1 - p) * d_samples + i / 2 % d_samples];
        return static_cast<float>(tap * d_scale);
    });
}

bool synthesis_plan::sums_side_by_side() const
{
    return d_n % d_samples == 0 && d_weights.pays_side_by_side(d_n / d_samples);
}

void synthesis_plan::do_execute(const void* input, void* output, std::size_t frames)
{
    if (d_problem.scale != d_scale)
        weigh();
    const std::size_t least =
        std::max(FRAMES_PER_TAP * d_taps, quotient_up(POINTS_PER_SYNTHESIS, d_n));
    const std::size_t tasks = std::clamp(frames / least, std::size_t(1), threads());
    share_evenly(frames,
                 quotient_up(frames, tasks),
                 [&](std::size_t first, std::size_t last, std::size_t thread) {
                     synthesize(static_cast<const char*>(input),
                                first,
                                last,
                                thread,
                                static_cast<char*>(output));
                 });
}

// Computes frames first ... last-1. Frame f needs the rows f ... f+taps-1.
void synthesis_plan::synthesize(const char* input,
                                std::size_t first,
                                std::size_t last,
                                std::size_t thread,
                                char* output)
{
    const scratch& own = d_scratch[thread];
    const std::size_t frame_bytes = d_n * d_problem.input_item_bytes();
    const std::size_t row_bytes = d_samples * d_problem.output_item_bytes();
    complex* const fresh = own.rows.data() + d_before;
    const bool converts = own.output.size() > 0;
    std::size_t row = first, held = 0; // rows before `fresh`
    for (std::size_t frame = first; frame < last;) {
        const std::size_t count = std::min(d_chunk, last + d_taps - 1 - row);
        d_inverse.run(
            { input + row * frame_bytes, fresh, d_n, d_n, 0 }, count, 1.0, thread);
        row += count;
        const std::size_t kept = std::min(held + count, d_taps - 1);
        const std::size_t frames = held + count - kept;
        char* const to = output + frame * row_bytes;
        complex* const sums =
            converts ? own.output.data() : reinterpret_cast<complex*>(to);
        sum(fresh - held * d_n, frames, position_after(frame), thread, sums);
        if (converts)
            store_numbers(d_problem.stored,
                          reinterpret_cast<const float*>(sums),
                          2 * d_samples * frames,
                          to,
                          d_saturated);
        frame += frames;
        std::copy_n(fresh + (count - kept) * d_n, kept * d_n, fresh - kept * d_n);
        held = kept;
    }
}

// The first frame begins at `position` and needs the first row.
void synthesis_plan::sum(const complex* rows,
                         std::size_t frames,
                         std::size_t position,
                         std::size_t thread,
                         complex* output) const
{
    const float* const x = reinterpret_cast<const float*>(rows);
    const std::size_t turns = position / d_n + d_taps - 1;
    const auto turned = [&](std::size_t frame) {
        return (turns + frame) % d_n * d_samples % d_n;
    };
    if (sums_side_by_side()) {
        complex* const sums = d_samples < d_n ? d_scratch[thread].sums.data() : output;
        d_weights.sum_side_by_side(x, frames, reinterpret_cast<float*>(sums));
        for (std::size_t f = 0; sums != output && f < frames; ++f)
            std::copy_n(sums + f * d_n + turned(f), d_samples, output + f * d_samples);
        return;
    }
    // frames that are turned alike are summed together
    const std::size_t alike = d_n / std::gcd(d_n, d_samples);
    for (std::size_t f = 0; f < std::min(alike, frames); ++f)
        for_each_run(d_n,
                     d_n - turned(f),
                     0,
                     d_n,
                     [&](std::size_t from, std::size_t to, std::size_t count) {
                         if (to >= d_samples)
                             return;
                         sum_weighted_rows(
                             x + 2 * (f * d_n + from),
                             2 * d_n,
                             d_weights.data() + 2 * to,
                             d_weights.distance(),
                             d_taps,
                             2 * std::min(count, d_samples - to),
                             (frames - f + alike - 1) / alike,
                             2 * alike * d_n,
                             reinterpret_cast<float*>(output + f * d_samples + to),
                             2 * alike * d_samples);
                     });
}

std::string synthesis_plan::describe_transform() const
{
    return "synthesis(" + std::to_string(d_taps) + " taps: fftw(" + std::to_string(d_n) +
           chirp_lines<float>::text(transform_kind::c2c, d_n) + "), " +
           std::to_string(d_samples) + " samples)";
}

} // namespace gpufft
} // namespace gr
