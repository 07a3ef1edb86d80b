// SPDX-License-Identifier: GPL-3.0-or-later
//
// A plan on an NVIDIA GPU: this module's kernels, compiled for the card.

#ifndef INCLUDED_GPUFFT_CUDA_PLAN_H
#define INCLUDED_GPUFFT_CUDA_PLAN_H

#include "engine/chunked_execution.h"
#include "frame_kernels.h"
#include "planner/algorithm.h"
#include <gnuradio/gpufft/plan.h>

namespace gr {
namespace gpufft {

class cuda_plan : public plan
{
public:
    cuda_plan(const problem& what, int device, const recipe& how);

    // If threads spill registers, which estimates cannot know before the kernels are
    // compiled, changes to the next best recipe whose threads do not.
    void avoid_spills();

    std::string describe() const override;
    std::size_t frames_together() const override { return d_kernels.need().together; }

    std::size_t scratch_bytes() const override;
    std::uint64_t saturated() const override
    {
        return d_kernels.saturated() +
               (d_plain_kernels ? d_plain_kernels->saturated() : 0);
    }

    // The kernels that now compute the transform.
    std::vector<const kernel*> kernels() const
    {
        return d_kernels.kernels_for(d_problem);
    }

protected:
    void do_execute(const void* input, void* output, std::size_t frames) override;
    void do_enqueue(const void* dev_input,
                    void* dev_output,
                    std::size_t frames,
                    void* stream,
                    std::size_t hop) override;
    void do_set_window(const std::vector<float>& taps) override;
    void do_set_double_window(const std::vector<double>& taps) override;
    void do_set_rotations() override;
    void do_set_map() override;
    void do_set_parameters() override { d_kernels.set_parameters(parameters()); }
    void do_reset_average() override;
    bool do_save_mean(double* sums, float* smoothed, void* stream) override;
    void do_restore_mean(const double* sums,
                         const float* smoothed,
                         bool is_smoothing) override;

private:
    int spilled_bytes() const; // of the thread that spills most
    void reserve(chunked_run& run);
    void reserve_for_kernels(std::size_t frames);

    const device_context& d_context;
    recipe d_recipe;
    frame_kernels d_kernels;
    std::unique_ptr<frame_kernels> d_plain_kernels; // if the CPU applies rows' strides
    chunk_pipeline d_pipeline;
};

} // namespace gpufft
} // namespace gr

#endif
