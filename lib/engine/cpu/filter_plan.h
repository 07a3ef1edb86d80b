// SPDX-License-Identifier: GPL-3.0-or-later
//
// The cpu engine's plan for filters: overlap-save by FFTW, as kernels/filters/filter.cuh. If the
// decimation divides a part's length, the spectrum is folded for a shorter inverse; else
// outputs are picked. Threads share the parts.

#ifndef INCLUDED_GPUFFT_FILTER_PLAN_H
#define INCLUDED_GPUFFT_FILTER_PLAN_H

#include "aligned_buffer.h"
#include "fftw_transform.h"
#include "thread_pool.h"
#include <complex>
#include <gnuradio/gpufft/plan.h>
#include <memory>
#include <vector>

namespace gr {
namespace gpufft {

class filter_plan : public plan
{
public:
    filter_plan(const problem& what, int threads);

    std::string describe() const override;
    void set_threads(int threads) override;
    std::size_t frames_together() const override { return d_outputs; }

private:
    typedef std::complex<float> complex;
    struct scratch {
        aligned_buffer<float> samples;    // of a part, then its outputs
        aligned_buffer<complex> spectrum; // of the part, then the folded one
    };

    void do_execute(const void* input, void* output, std::size_t frames) override;
    void do_set_window(const std::vector<float>& taps) override;
    void do_set_double_window(const std::vector<double>& taps) override;
    void do_reset_average() override {} // there is none

    void make_spectrum();
    bool picks() const { return d_hop > 1 && d_inverse == d_length; }
    void
    filter(const float* samples, std::size_t count, scratch& own, float* filtered) const;
    const complex* fold(complex* spectrum) const;
    void store(const float* filtered, float* output, std::size_t outputs) const;

    const bool d_is_real;
    const std::size_t d_numbers; // of a sample: 1, or 2 of a complex one
    const std::size_t d_hop;     // the decimation
    const std::size_t d_length;  // of a part
    const std::size_t d_inverse; // points of the inverse
    const std::size_t d_bins;    // of a part's spectrum
    const std::size_t d_outputs; // of a part
    const std::size_t d_samples; // samples that they need: all others count as zero
    fftw_lines<float> d_forward, d_backward;
    std::vector<double> d_taps;
    aligned_buffer<complex> d_filter; // its spectrum, over the length, times d_scale
    double d_scale = 1.0;
    std::vector<scratch> d_scratch; // of each thread
    std::unique_ptr<thread_pool> d_pool;
};

} // namespace gpufft
} // namespace gr

#endif
