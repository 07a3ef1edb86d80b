// SPDX-License-Identifier: GPL-3.0-or-later
//
// The base of the cpu engine's plans for filters: overlap-save by FFTW, as in
// kernels/filters/filter.cuh. Threads share the parts of the stream.

#ifndef INCLUDED_GPUFFT_OVERLAP_PLAN_H
#define INCLUDED_GPUFFT_OVERLAP_PLAN_H

#include "aligned_buffer.h"
#include "cpu_plan.h"
#include "fftw_transform.h"
#include "line_store.h"
#include <complex>
#include <vector>

namespace gr {
namespace gpufft {

class overlap_plan : public cpu_plan
{
public:
    std::size_t frames_together() const override { return d_outputs; }
    std::uint64_t saturated() const override { return d_saturated; }

protected:
    typedef std::complex<float> complex;

    // Parts of `length` points, which give `outputs` rows.
    overlap_plan(const problem& what, std::size_t length, std::size_t outputs);

    // One part of a call.
    struct part {
        const void* samples;
        std::size_t count;      // number of samples; later ones count as zero
        std::uint64_t position; // stream position of the first sample
        char* rows;
        std::size_t row_count;
        std::size_t room; // rows that this thread writes from here on
    };

    // Makes all frequency responses anew, from d_taps and d_scale.
    virtual void make_responses() = 0;
    virtual void run_part(const part& what, std::size_t thread) = 0;

    // The part's spectrum; `points` is scratch for d_length samples.
    void transform(const part& what, float* points, complex* spectrum) const;

    // Stores rows of this thread's own in the plan's format.
    void store_rows(const float* values, std::size_t rows, char* to)
    {
        store_numbers(d_problem.stored,
                      values,
                      rows * d_problem.row_bins() * d_numbers,
                      to,
                      d_saturated);
    }
    bool stores_floats() const { return d_problem.stored == number_format::working; }

    // Spectrum of d_length taps, in double precision.
    aligned_buffer<std::complex<double>>
    spectrum_of(const std::vector<std::complex<double>>& taps) const;

    const bool d_is_real;
    const bool d_reads_real;
    const std::size_t d_numbers;        // numbers of a row's value: 1, or 2 if complex
    const std::size_t d_sample_numbers; // the same of a sample
    const std::size_t d_hop;            // the decimation
    const std::size_t d_length;         // points of a part
    const std::size_t d_outputs;        // rows of a part
    const std::size_t d_samples;        // samples that these rows need
    std::vector<double> d_taps;
    double d_scale;

private:
    void do_execute(const void* input, void* output, std::size_t frames) override;
    void do_set_double_window(const std::vector<double>& taps) override;
    void convert(const part& what, float* points) const;

    const bool d_reads_floats;
    saturation_count d_saturated{ 0 };
    const fftw_lines<float> d_forward;
    const fftw_lines<double> d_exact; // transform for responses
};

} // namespace gpufft
} // namespace gr

#endif
