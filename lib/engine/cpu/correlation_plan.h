// SPDX-License-Identifier: GPL-3.0-or-later
//
// The cpu engine's plan for correlations with templates: frame after frame, first the
// spectra of its blocks, then each pair of template and shift, by all threads.

#ifndef INCLUDED_GPUFFT_CORRELATION_PLAN_H
#define INCLUDED_GPUFFT_CORRELATION_PLAN_H

#include "aligned_buffer.h"
#include "cpu_plan.h"
#include "fftw_transform.h"
#include "planner/filters/correlation.h"
#include "problem/expression.h"
#include <optional>

namespace gr {
namespace gpufft {

class correlation_plan : public cpu_plan
{
public:
    correlation_plan(const problem& what, int threads);

private:
    typedef std::complex<float> complex;
    struct cell {
        float power = -1; // the largest; -1 if all are NaN
        double sum = 0;   // of all
        std::size_t delay = 0;
    };
    struct scratch { // of a thread
        aligned_buffer<complex> samples, product, correlation;
        std::vector<float> powers;
    };

    std::string describe_transform() const override;
    void allocate(std::size_t threads) override;
    void do_execute(const void* input, void* output, std::size_t frames) override;
    void do_set_double_window(const std::vector<double>& templates) override;

    void multiply(const complex* spectrum,
                  const complex* response,
                  std::size_t count,
                  complex* product) const;
    void make_spectrum(const char* frame, std::size_t line, scratch& own);
    void correlate(std::size_t index, float* row, scratch& own);
    void choose(float* row) const;
    void write_peak(std::size_t which, std::size_t shift, float* to) const;

    const std::size_t d_n, d_templates, d_delays;
    const shift_places d_shifts;
    const std::optional<expression> d_product;
    const fftw_lines<float> d_forward, d_backward;
    aligned_buffer<complex> d_turns;     // [fraction][sample of a block]
    aligned_buffer<complex> d_responses; // [template][bin]
    aligned_buffer<complex> d_spectra;   // [block][fraction][bin] of a frame
    std::vector<cell> d_cells;           // [template][shift] of a frame
    std::vector<scratch> d_scratch;      // one for each thread
};

} // namespace gpufft
} // namespace gr

#endif
