// SPDX-License-Identifier: GPL-3.0-or-later
//
// Cuts the stream into parts.

#include "overlap_plan.h"
#include "task_size.h"

namespace gr {
namespace gpufft {

overlap_plan::overlap_plan(const problem& what, std::size_t length, std::size_t outputs)
    : cpu_plan(what),
      d_is_real(!is_complex(what.input)),
      d_numbers(d_is_real ? 1 : 2),
      d_hop(what.effective_hop()),
      d_length(length),
      d_outputs(outputs),
      d_samples((outputs - 1) * d_hop + what.n),
      d_taps(what.window_numbers(), 1.0),
      d_scale(what.scale),
      d_forward(d_is_real ? transform_kind::r2c : transform_kind::c2c,
                direction::forward,
                length,
                1,
                !d_is_real),
      d_exact(transform_kind::c2c, direction::forward, length, 1, false)
{
}

void overlap_plan::do_set_double_window(const std::vector<double>& taps)
{
    d_taps = taps;
    make_responses();
}

void overlap_plan::do_execute(const void* input, void* output, std::size_t frames)
{
    if (d_problem.scale != d_scale) {
        d_scale = d_problem.scale;
        make_responses();
    }
    const std::size_t samples = (frames - 1) * d_hop + d_problem.n;
    const std::size_t row = d_numbers * d_problem.row_bins();
    share_out((frames + d_outputs - 1) / d_outputs,
              std::max<std::size_t>(POINTS_PER_TASK / d_length, 1),
              [&](std::size_t index, std::size_t last, std::size_t thread) {
                  const std::size_t end = std::min(last * d_outputs, frames);
                  for (; index < last; ++index) {
                      const std::size_t first = index * d_outputs, begin = first * d_hop;
                      run_part({ static_cast<const float*>(input) + begin * d_numbers,
                                 std::min(samples - begin, d_samples),
                                 d_position + begin,
                                 static_cast<float*>(output) + first * row,
                                 std::min(d_outputs, frames - first),
                                 end - first },
                               thread);
                  }
              });
}

void overlap_plan::transform(const part& what, float* points, complex* spectrum) const
{
    const float* from = what.samples;
    if (what.count < d_length || !fftw_lines<float>::is_aligned(from) || d_is_real) {
        float* const end = std::copy_n(what.samples, what.count * d_numbers, points);
        std::fill(end, points + d_length * d_numbers, 0.0f);
        from = points;
    }
    d_forward.execute(from, spectrum);
}

aligned_buffer<std::complex<double>>
overlap_plan::spectrum_of(const std::vector<std::complex<double>>& taps) const
{
    aligned_buffer<std::complex<double>> in(d_length), out(d_length);
    std::copy(taps.begin(), taps.end(), in.data());
    d_exact.execute(in.data(), out.data());
    return out;
}

} // namespace gpufft
} // namespace gr
