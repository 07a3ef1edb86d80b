// SPDX-License-Identifier: GPL-3.0-or-later
//
// Filters parts of the stream by FFTW.

#include "filter_plan.h"
#include "cpu_threads.h"
#include "planner/filters/filter.h"
#include "planner/filters/filter_length.h"
#include "task_size.h"

#include <algorithm>
#include <cstring>
#include <sstream>
#include <volk/volk.h>

namespace gr {
namespace gpufft {

namespace {

// Outputs of a part, rounded down so that the next part begins where SIMD code can read
// it. A part that takes all of the samples can then be read in place.
std::size_t aligned_outputs(std::size_t outputs, bool takes_all)
{
    constexpr std::size_t ALIGNED = 8, LEAST = 8 * ALIGNED; // rounding costs little from
                                                            // here on
    constexpr std::size_t ALIGNED_FOR_FFTW = 2;
    const bool is_fine =
        outputs < LEAST || (takes_all && outputs % ALIGNED_FOR_FFTW == 0);
    return is_fine ? outputs : outputs / ALIGNED * ALIGNED;
}

transform_kind forward_kind(bool is_real)
{
    return is_real ? transform_kind::r2c : transform_kind::c2c;
}

transform_kind inverse_kind(bool is_real)
{
    return is_real ? transform_kind::c2r : transform_kind::c2c;
}

} // namespace

filter_plan::filter_plan(const problem& what, int threads)
    : plan(what, engine_kind::cpu),
      d_is_real(!is_complex(what.input)),
      d_numbers(d_is_real ? 1 : 2),
      d_hop(what.effective_hop()),
      d_length(filter_length(what.n, d_hop, what.batch)),
      d_inverse(folds(d_length, d_hop) ? d_length / d_hop : d_length),
      d_bins(d_is_real ? d_length / 2 + 1 : d_length),
      d_outputs(
          aligned_outputs(outputs_of_part(what, d_length), !d_is_real && d_hop == 1)),
      d_samples((d_outputs - 1) * d_hop + what.n),
      d_forward(forward_kind(d_is_real), direction::forward, d_length, 1, !d_is_real),
      d_backward(inverse_kind(d_is_real), direction::inverse, d_inverse, 1, false),
      d_taps(what.window_numbers(), 1.0),
      d_filter(d_bins)
{
    make_spectrum();
    filter_plan::set_threads(threads);
}

void filter_plan::set_threads(int threads)
{
    plan::set_threads(threads); // checks the range
    const std::size_t count = count_threads(threads);
    if (d_pool && d_pool->threads() == count)
        return;
    auto pool = std::make_unique<thread_pool>(count);
    std::vector<scratch> all;
    for (std::size_t thread = 0; thread < count; ++thread)
        all.push_back({ aligned_buffer<float>(2 * d_length + 2),
                        aligned_buffer<complex>(d_bins + d_inverse) });
    d_scratch = std::move(all);
    d_pool = std::move(pool);
}

void filter_plan::do_set_window(const std::vector<float>& taps)
{
    do_set_double_window({ taps.begin(), taps.end() });
}

void filter_plan::do_set_double_window(const std::vector<double>& taps)
{
    d_taps = taps;
    make_spectrum();
}

// In double precision.
void filter_plan::make_spectrum()
{
    d_scale = d_problem.scale;
    const double factor = d_scale / double(d_length);
    const auto times = cyclic_filter(d_problem, d_taps, d_length);
    const fftw_lines<double> transform(
        transform_kind::c2c, direction::forward, d_length, 1, false);
    aligned_buffer<std::complex<double>> in(d_length), out(d_length);
    std::copy(times.begin(), times.end(), in.data());
    transform.execute(in.data(), out.data());
    for (std::size_t k = 0; k < d_bins; ++k)
        d_filter[k] = complex(out[k] * factor);
}

void filter_plan::do_execute(const void* input, void* output, std::size_t frames)
{
    if (d_problem.scale != d_scale)
        make_spectrum();
    const std::size_t parts = (frames + d_outputs - 1) / d_outputs;
    const std::size_t samples = (frames - 1) * d_hop + d_problem.n;
    const std::size_t per_task = share_of(
        parts, std::max<std::size_t>(POINTS_PER_TASK / d_length, 1), d_pool->threads());
    d_pool->run((parts + per_task - 1) / per_task,
                [&](std::size_t task, std::size_t thread) {
                    scratch& own = d_scratch[thread];
                    const std::size_t last = std::min((task + 1) * per_task, parts);
                    const std::size_t end = std::min(last * d_outputs, frames);
                    for (std::size_t part = task * per_task; part < last; ++part) {
                        const std::size_t first = part * d_outputs;
                        const std::size_t begin = first * d_hop;
                        float* to = static_cast<float*>(output) + first * d_numbers;
                        // the next parts overwrite what is written past this one's
                        // outputs
                        const bool in_place = !picks() && first + d_inverse <= end &&
                                              fftw_lines<float>::is_aligned(to);
                        float* filtered = in_place ? to : own.samples.data();
                        filter(static_cast<const float*>(input) + begin * d_numbers,
                               std::min(samples - begin, d_samples),
                               own,
                               filtered);
                        if (!in_place)
                            store(filtered, to, std::min(d_outputs, frames - first));
                    }
                });
}

// Filters `count` samples, padded with zeros; gives the inverse's result.
void filter_plan::filter(const float* samples,
                         std::size_t count,
                         scratch& own,
                         float* filtered) const
{
    const float* points = samples;
    if (count < d_length || !fftw_lines<float>::is_aligned(samples) || d_is_real) {
        std::memcpy(own.samples.data(), samples, count * d_numbers * sizeof(float));
        std::fill(own.samples.data() + count * d_numbers,
                  own.samples.data() + d_length * d_numbers,
                  0.0f);
        points = own.samples.data();
    }
    d_forward.execute(points, own.spectrum.data());
    volk_32fc_x2_multiply_32fc(own.spectrum.data(),
                               own.spectrum.data(),
                               d_filter.data(),
                               static_cast<unsigned>(d_bins));
    d_backward.execute(fold(own.spectrum.data()), filtered);
}

// The spectrum of every d_hop-th output: the sum of the bins that are d_inverse apart.
// For real outputs, bins past the half are conjugates of bins before it.
const filter_plan::complex* filter_plan::fold(complex* spectrum) const
{
    if (d_inverse == d_length)
        return spectrum;
    if (!d_is_real) {
        for (std::size_t q = 1; q < d_hop; ++q)
            volk_32f_x2_add_32f(reinterpret_cast<float*>(spectrum),
                                reinterpret_cast<const float*>(spectrum),
                                reinterpret_cast<const float*>(spectrum + q * d_inverse),
                                static_cast<unsigned>(2 * d_inverse));
        return spectrum;
    }
    complex* folded = spectrum + d_bins;
    for (std::size_t k = 0; k <= d_inverse / 2; ++k) {
        std::complex<double> sum = 0; // perhaps of thousands
        for (std::size_t bin = k; bin < d_length; bin += d_inverse)
            sum += bin < d_bins ? spectrum[bin] : std::conj(spectrum[d_length - bin]);
        folded[k] = complex(sum);
    }
    std::copy_n(folded, d_inverse / 2 + 1, spectrum);
    return spectrum;
}

void filter_plan::store(const float* filtered, float* output, std::size_t outputs) const
{
    if (!picks()) {
        std::memcpy(output, filtered, outputs * d_numbers * sizeof(float));
        return;
    }
    for (std::size_t j = 0; j < outputs; ++j)
        for (std::size_t part = 0; part < d_numbers; ++part)
            output[j * d_numbers + part] = filtered[j * d_hop * d_numbers + part];
}

std::string filter_plan::describe() const
{
    std::ostringstream text;
    text << "cpu: overlap-save(" << d_problem.n << " taps: fftw(" << d_length << "), "
         << d_outputs << " outputs), " << d_pool->threads()
         << (d_pool->threads() == 1 ? " thread" : " threads") << ", load "
         << to_string(d_problem.input);
    if (d_hop > 1)
        text << ", " << decimation_text(d_hop, d_length / d_inverse);
    if (d_scale != 1.0)
        text << ", scale " << d_scale;
    return text.str();
}

} // namespace gpufft
} // namespace gr
