// SPDX-License-Identifier: GPL-3.0-or-later
//
// The cpu engine's plan for one filter. If the decimation divides a part's length, the
// spectrum is folded for a shorter inverse; else outputs are picked.

#ifndef INCLUDED_GPUFFT_FILTER_PLAN_H
#define INCLUDED_GPUFFT_FILTER_PLAN_H

#include "overlap_plan.h"

namespace gr {
namespace gpufft {

class filter_plan : public overlap_plan
{
public:
    filter_plan(const problem& what, int threads);

private:
    struct scratch {
        aligned_buffer<float> samples;    // a part's samples, then its outputs
        aligned_buffer<complex> spectrum; // the part's spectrum, then the folded one
    };

    filter_plan(const problem& what, int threads, std::size_t length);

    std::string describe_transform() const override;
    void allocate(std::size_t threads) override;
    void make_responses() override;
    void run_part(const part& what, std::size_t thread) override;

    bool picks() const { return d_hop > 1 && d_inverse == d_length; }
    const complex* fold(complex* spectrum) const;
    void store(const float* filtered, float* output, std::size_t outputs) const;

    const std::size_t d_inverse; // points of the inverse
    const std::size_t d_bins;    // bins of a part's spectrum
    const fftw_lines<float> d_backward;
    aligned_buffer<complex> d_filter; // filter's spectrum times d_scale / length
    std::vector<scratch> d_scratch;   // one for each thread
};

} // namespace gpufft
} // namespace gr

#endif
