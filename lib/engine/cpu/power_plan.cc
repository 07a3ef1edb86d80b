// SPDX-License-Identifier: GPL-3.0-or-later
//
// Makes rows of one frame; averaged_rows makes rows of several.

#include "power_plan.h"

namespace gr {
namespace gpufft {

power_plan::power_plan(const problem& what, int threads)
    : cpu_plan(what),
      d_transform(what),
      d_store(what, d_transform.shifts_output()),
      d_averaged(d_problem, d_transform, d_store)
{
    set_threads(threads);
}

void power_plan::allocate(std::size_t threads)
{
    d_transform.allocate(threads);
    if (d_problem.has_mean() || d_averaged.is_allocated())
        d_averaged.allocate(threads);
}

void power_plan::allocate_averaged()
{
    if (!d_averaged.is_allocated())
        d_averaged.allocate(threads());
}

bool power_plan::do_save_mean(double* sums, float* smoothed, void*)
{
    allocate_averaged();
    return d_averaged.save(sums, smoothed, d_frames_in_row);
}

void power_plan::do_restore_mean(const double* sums,
                                 const float* smoothed,
                                 bool is_smoothing)
{
    allocate_averaged();
    d_averaged.restore(sums, is_smoothing ? smoothed : nullptr, d_frames_in_row);
}

void power_plan::do_execute(const void* input, void* output, std::size_t frames)
{
    if (d_problem.stored == number_format::working) {
        execute_floats(
            static_cast<const char*>(input), static_cast<float*>(output), frames);
        return;
    }
    const std::size_t values = output_rows(frames) * d_problem.row_items();
    d_rows.resize(values);
    execute_floats(static_cast<const char*>(input), d_rows.data(), frames);
    saturation_count none{ 0 }; // halves do not saturate
    store_numbers(d_problem.stored, d_rows.data(), values, output, none);
}

void power_plan::execute_floats(const char* in, float* rows, std::size_t frames)
{
    if (!d_problem.has_mean()) {
        d_averaged.reset_smoothing();
        execute_rows(in, rows, frames);
        return;
    }
    allocate_averaged();
    d_averaged.execute(in, rows, frames, d_frames_in_row, *d_pool);
}

// For problems where each frame gives a row.
void power_plan::execute_rows(const char* input, float* output, std::size_t frames)
{
    const std::size_t hop = d_problem.effective_hop(), n = d_problem.row_bins();
    const std::size_t hop_bytes = d_problem.input_bytes(hop);
    const float scale = static_cast<float>(d_problem.scale);
    share_out(frames,
              d_transform.frames_per_task(),
              [&](std::size_t first, std::size_t last, std::size_t thread) {
                  for (std::size_t f = first; f < last; f += d_transform.group()) {
                      const std::size_t count = std::min(d_transform.group(), last - f);
                      const std::complex<float>* const bins =
                          d_transform.bins_of(input + f * hop_bytes, hop, count, thread);
                      for (std::size_t i = 0; i < count; ++i)
                          d_store.store(bins + i * n, scale, output + (f + i) * n);
                  }
              });
}

} // namespace gpufft
} // namespace gr
