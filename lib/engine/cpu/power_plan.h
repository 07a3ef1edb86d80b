// SPDX-License-Identifier: GPL-3.0-or-later
//
// The cpu engine's plan for rows of powers from any transform in single precision.
// Threads share the frames; one transform is never split.

#ifndef INCLUDED_GPUFFT_POWER_PLAN_H
#define INCLUDED_GPUFFT_POWER_PLAN_H

#include "averaged_rows.h"
#include "cpu_plan.h"

namespace gr {
namespace gpufft {

class power_plan : public cpu_plan
{
public:
    power_plan(const problem& what, int threads);

private:
    std::string describe_transform() const override { return transform_text(d_problem); }
    void allocate(std::size_t threads) override;
    void do_execute(const void* input, void* output, std::size_t frames) override;
    void do_set_window(const std::vector<float>& taps) override
    {
        d_transform.set_window(taps);
    }
    void do_set_double_window(const std::vector<double>& taps) override
    {
        d_transform.set_window(taps);
    }
    void do_reset_average() override { d_averaged.reset(); }
    bool do_save_mean(double* sums, float* smoothed, void* stream) override;
    void do_restore_mean(const double* sums,
                         const float* smoothed,
                         bool is_smoothing) override;

    void execute_floats(const char* in, float* rows, std::size_t frames);
    void execute_rows(const char* input, float* output, std::size_t frames);
    void allocate_averaged(); // if a setter has just switched averaging on

    frame_transform<float> d_transform;
    power_store d_store;
    averaged_rows d_averaged;
    std::vector<float> d_rows; // before they are converted
};

} // namespace gpufft
} // namespace gr

#endif
