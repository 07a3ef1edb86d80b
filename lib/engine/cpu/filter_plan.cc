// SPDX-License-Identifier: GPL-3.0-or-later
//
// Filters parts of the stream by FFTW.

#include "filter_plan.h"
#include "planner/filters/filter.h"
#include "planner/filters/filter_length.h"

#include <algorithm>
#include <cstring>
#include <volk/volk.h>

namespace gr {
namespace gpufft {

namespace {

// Outputs of a part, rounded down so that the next part begins where SIMD code can read
// it. FFTW can then read parts that take all samples in place.
std::size_t aligned_outputs(std::size_t outputs, bool takes_all)
{
    constexpr std::size_t ALIGNED = 8, LEAST = 8 * ALIGNED; // below, rounding costs much
    constexpr std::size_t ALIGNED_FOR_FFTW = 2;
    const bool is_fine =
        outputs < LEAST || (takes_all && outputs % ALIGNED_FOR_FFTW == 0);
    return is_fine ? outputs : outputs / ALIGNED * ALIGNED;
}

} // namespace

filter_plan::filter_plan(const problem& what, int threads)
    : filter_plan(what, threads, filter_length(what.n, what.effective_hop(), what.batch))
{
}

filter_plan::filter_plan(const problem& what, int threads, std::size_t length)
    : overlap_plan(what,
                   length,
                   aligned_outputs(outputs_of_part(what, length),
                                   what.output == output_kind::complex &&
                                       what.effective_hop() == 1)),
      d_inverse(folds(length, d_hop) ? length / d_hop : length),
      d_bins(d_is_real ? length / 2 + 1 : length),
      d_backward(d_is_real ? transform_kind::c2r : transform_kind::c2c,
                 direction::inverse,
                 d_inverse,
                 1,
                 false),
      d_filter(d_bins)
{
    filter_plan::make_responses();
    set_threads(threads);
}

void filter_plan::allocate(std::size_t threads)
{
    std::vector<scratch> all;
    for (std::size_t thread = 0; thread < threads; ++thread)
        all.push_back({ aligned_buffer<float>(2 * d_length + 2),
                        aligned_buffer<complex>(d_bins + d_inverse) });
    d_scratch = std::move(all);
}

void filter_plan::make_responses()
{
    const auto spectrum = spectrum_of(cyclic_filter(d_problem, d_taps, d_length));
    const double factor = d_scale / double(d_length);
    for (std::size_t k = 0; k < d_bins; ++k)
        d_filter[k] = complex(spectrum[k] * factor);
}

// The inverse may write past the part's rows, to rows that the thread writes later.
void filter_plan::run_part(const part& what, std::size_t thread)
{
    float* const rows = reinterpret_cast<float*>(what.rows); // if these are floats
    const bool in_place = stores_floats() && !picks() && d_inverse <= what.room &&
                          fftw_lines<float>::is_aligned(rows);
    float* const samples = d_scratch[thread].samples.data();
    float* const filtered = in_place ? rows : samples;
    complex* const spectrum = d_scratch[thread].spectrum.data();
    transform(what, samples, spectrum);
    volk_32fc_x2_multiply_32fc(spectrum, spectrum, d_filter.data(), unsigned(d_bins));
    d_backward.execute(fold(spectrum), filtered);
    if (in_place)
        return;
    if (picks() && !stores_floats())
        store(filtered, samples, what.row_count); // forwards: each later than its place
    if (stores_floats())
        store(filtered, rows, what.row_count);
    else
        store_rows(samples, what.row_count, what.rows);
}

// The spectrum of every d_hop-th output: the sum of the bins that are d_inverse apart.
// For real outputs, bins of the upper half are conjugates of bins of the lower half.
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
        std::complex<double> sum = 0; // of possibly thousands of bins
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

std::string filter_plan::describe_transform() const
{
    const std::string decimation = decimation_text(d_hop, d_length / d_inverse);
    return "overlap-save(" + std::to_string(d_problem.n) + " taps: fftw(" +
           std::to_string(d_length) + "), " + std::to_string(d_outputs) + " outputs" +
           (decimation.empty() ? "" : ", ") + decimation + ")";
}

} // namespace gpufft
} // namespace gr
