// SPDX-License-Identifier: GPL-3.0-or-later
//
// Turns frames into rows, a group of transforms at a time.

#include "synthesis_plan.h"
#include "planner/filters/synthesis.h"
#include "rotation.h"
#include "weighted_rows.h"


namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t ALIGNED_POINTS = 8; // 64 bytes

// Each task repeats taps - 1 transforms of another one, so tasks have many frames.
constexpr std::size_t FRAMES_PER_TAP = 4, POINTS_PER_SYNTHESIS = 16384;

std::size_t quotient_up(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

std::size_t pitch_of(std::size_t points)
{
    return quotient_up(points, ALIGNED_POINTS) * ALIGNED_POINTS;
}

} // namespace

synthesis_plan::synthesis_plan(const problem& what, int threads)
    : cpu_plan(what),
      d_n(what.n),
      d_samples(what.row_bins()),
      d_taps(what.taps),
      d_inverse(inverse_of_synthesis(what)),
      d_group_pitch(pitch_of(d_inverse.group() * d_n)),
      d_groups(quotient_up(d_taps - 1, d_inverse.group()) + 1),
      d_window(what.window_numbers(), 1.0f),
      d_weights(2 * d_window.size())
{
    weigh();
    set_threads(threads);
}

void synthesis_plan::allocate(std::size_t threads)
{
    std::vector<scratch> all;
    for (std::size_t thread = 0; thread < threads; ++thread)
        all.push_back({ aligned_buffer<complex>(d_groups * d_group_pitch),
                        std::vector<const float*>(d_taps),
                        aligned_buffer<complex>(d_problem.stored == number_format::working
                                                    ? 0
                                                    : d_samples) });
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
    for (std::size_t p = 0; p < d_taps; ++p)
        for (std::size_t i = 0; i < d_samples; ++i) {
            const double tap = d_window[(d_taps - 1 - p) * d_samples + i];
            float* const weight = &d_weights[2 * (p * d_samples + i)];
            weight[0] = weight[1] = static_cast<float>(tap * d_scale);
        }
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

// Computes frames first ... last-1. The first one needs rows 0 ... taps-1 of the ring.
void synthesis_plan::synthesize(const char* input,
                                std::size_t first,
                                std::size_t last,
                                std::size_t thread,
                                char* output)
{
    const std::size_t rows = last - first + d_taps - 1, group = d_inverse.group();
    const std::size_t frame_bytes = d_n * d_problem.input_item_bytes();
    const std::size_t row_bytes = d_samples * d_problem.output_item_bytes();
    complex* const own = d_scratch[thread].row.data();
    std::size_t frame = 0;
    for (std::size_t row = 0; row < rows; row += group) {
        const std::size_t count = std::min(group, rows - row);
        d_inverse.run(
            { input + (first + row) * frame_bytes, row_at(row, thread), d_n, d_n, 0 },
            count,
            1.0,
            thread);
        for (; frame + d_taps <= row + count; ++frame) {
            char* const to = output + (first + frame) * row_bytes;
            sum(frame,
                position_after(first + frame),
                thread,
                own != nullptr ? own : reinterpret_cast<complex*>(to));
            if (own != nullptr)
                store_numbers(d_problem.stored,
                              reinterpret_cast<const float*>(own),
                              2 * d_samples,
                              to,
                              d_saturated);
        }
    }
}

synthesis_plan::complex* synthesis_plan::row_at(std::size_t row, std::size_t thread) const
{
    const std::size_t group = d_inverse.group();
    return d_scratch[thread].ring.data() + row / group % d_groups * d_group_pitch +
           row % group * d_n;
}

// The row of a frame that begins at `position`.
void synthesis_plan::sum(std::size_t frame,
                         std::size_t position,
                         std::size_t thread,
                         complex* output)
{
    std::vector<const float*>& rows = d_scratch[thread].rows;
    const std::size_t turned = (position / d_n + d_taps - 1) % d_n * d_samples % d_n;
    for_each_run(d_n,
                 d_n - turned,
                 0,
                 d_n,
                 [&](std::size_t from, std::size_t to, std::size_t count) {
                     if (to >= d_samples)
                         return;
                     for (std::size_t q = 0; q < d_taps; ++q)
                         rows[q] = reinterpret_cast<const float*>(
                             row_at(frame + q, thread) + from);
                     sum_weighted_rows(rows.data(),
                                       d_weights.data() + 2 * to,
                                       2 * d_samples,
                                       d_taps,
                                       2 * std::min(count, d_samples - to),
                                       reinterpret_cast<float*>(output + to));
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
