// SPDX-License-Identifier: GPL-3.0-or-later
//
// Cuts the stream into parts.

#include "overlap_plan.h"
#include "line_load.h"
#include "task_size.h"

namespace gr {
namespace gpufft {

overlap_plan::overlap_plan(const problem& what, std::size_t length, std::size_t outputs)
    : cpu_plan(what),
      d_is_real(what.output == output_kind::real),
      d_reads_real(!is_complex(what.input)),
      d_numbers(d_is_real ? 1 : 2),
      d_sample_numbers(d_reads_real ? 1 : 2),
      d_hop(what.effective_hop()),
      d_length(length),
      d_outputs(outputs),
      d_samples((outputs - 1) * d_hop + what.n),
      d_taps(what.window_numbers(), 1.0),
      d_scale(what.scale),
      d_reads_floats(what.input == working_format(!d_reads_real, false)),
      d_forward(d_reads_real ? transform_kind::r2c : transform_kind::c2c,
                direction::forward,
                length,
                1,
                !d_reads_real),
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
    const char* const stream = static_cast<const char*>(input);
    const std::size_t row_bytes = d_problem.row_bins() * d_problem.output_item_bytes();
    share_out((frames + d_outputs - 1) / d_outputs,
              std::max<std::size_t>(POINTS_PER_TASK / d_length, 1),
              [&](std::size_t index, std::size_t last, std::size_t thread) {
                  const std::size_t end = std::min(last * d_outputs, frames);
                  for (; index < last; ++index) {
                      const std::size_t first = index * d_outputs, begin = first * d_hop;
                      run_part({ stream + d_problem.input_bytes(begin),
                                 std::min(samples - begin, d_samples),
                                 d_position + begin,
                                 static_cast<char*>(output) + first * row_bytes,
                                 std::min(d_outputs, frames - first),
                                 end - first },
                               thread);
                  }
              });
}

void overlap_plan::transform(const part& what, float* points, complex* spectrum) const
{
    const float* from = static_cast<const float*>(what.samples);
    if (!d_reads_floats || what.count < d_length ||
        !fftw_lines<float>::is_aligned(from) || d_reads_real) {
        if (d_reads_floats)
            std::copy_n(from, what.count * d_sample_numbers, points);
        else
            convert(what, points);
        std::fill(points + what.count * d_sample_numbers,
                  points + d_length * d_sample_numbers,
                  0.0f);
        from = points;
    }
    d_forward.execute(from, spectrum);
    if (d_reads_real && !d_is_real) // its users take all bins
        for (std::size_t k = 1; 2 * k < d_length; ++k)
            spectrum[d_length - k] = std::conj(spectrum[k]);
}

void overlap_plan::convert(const part& what, float* points) const
{
    const std::size_t place = 0;
    const line_source source = { d_problem.input, !d_reads_real, what.count, 1, 0 };
    load_lines<float>(
        source, what.samples, &place, 1, { nullptr, 1, nullptr }, points, 0);
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
