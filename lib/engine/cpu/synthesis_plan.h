// SPDX-License-Identifier: GPL-3.0-or-later
//
// The cpu engine's plan for polyphase synthesis: inverse transforms by FFTW into a ring
// of rows, and weighted sums over it. Each thread takes successive frames.

#ifndef INCLUDED_GPUFFT_SYNTHESIS_PLAN_H
#define INCLUDED_GPUFFT_SYNTHESIS_PLAN_H

#include "cpu_plan.h"
#include "frame_transform.h"
#include "weighted_rows.h"

namespace gr {
namespace gpufft {

class synthesis_plan : public cpu_plan
{
public:
    synthesis_plan(const problem& what, int threads);

    std::uint64_t saturated() const override { return d_saturated; }

private:
    typedef std::complex<float> complex;
    struct scratch {
        aligned_buffer<complex> rows;   // of d_taps - 1 frames, and those of d_chunk more
        aligned_buffer<complex> sums;   // of frames that were summed side by side
        aligned_buffer<complex> output; // before it is converted
    };

    std::string describe_transform() const override;
    void allocate(std::size_t threads) override;
    void do_execute(const void* input, void* output, std::size_t frames) override;
    void do_set_double_window(const std::vector<double>& taps) override;

    void weigh();
    bool sums_side_by_side() const;
    void synthesize(const char* input,
                    std::size_t first,
                    std::size_t last,
                    std::size_t thread,
                    char* output);
    void sum(const complex* rows,
             std::size_t frames,
             std::size_t position,
             std::size_t thread,
             complex* output) const;

    const std::size_t d_n, d_samples, d_taps;
    frame_transform<float> d_inverse;
    const std::size_t d_chunk;  // frames transformed at a time
    const std::size_t d_before; // points before them, for those that are kept
    std::vector<float> d_window;
    saturation_count d_saturated{ 0 };
    double d_scale = 1.0;           // scale included in the weights
    row_weights d_weights;          // oldest transform's first, each value twice
    std::vector<scratch> d_scratch; // one for each thread
};

} // namespace gpufft
} // namespace gr

#endif
