// SPDX-License-Identifier: GPL-3.0-or-later
//
// The cpu engine's plan for complex transforms of one axis in single precision, and for
// rows of powers from any transform: FFTW for the transform, VOLK for the steps before
// and after it. Threads share the frames; one transform is never split. (general_plan has
// the other problems.)

#ifndef INCLUDED_GPUFFT_CPU_PLAN_H
#define INCLUDED_GPUFFT_CPU_PLAN_H

#include "averaged_rows.h"
#include "frame_bins.h"
#include "store_step.h"
#include "thread_pool.h"
#include <gnuradio/gpufft/plan.h>
#include <memory>

namespace gr {
namespace gpufft {

class cpu_plan : public plan
{
public:
    cpu_plan(const problem& what, int threads);

    std::string describe() const override;
    void set_threads(int threads) override;

private:
    void do_execute(const void* input, void* output, std::size_t frames) override;
    void do_set_window(const std::vector<float>& taps) override;
    void do_set_map() override { d_store.set_map(d_map); }
    void do_reset_average() override;
    bool do_save_mean(double* sums, float* smoothed, void* stream) override;
    void do_restore_mean(const double* sums,
                         const float* smoothed,
                         bool is_smoothing) override;

    // For problems where each frame gives a row: all frames, and those of one group.
    void execute_rows(const char* input, char* output, std::size_t frames);
    void execute_group(const char* input,
                       char* rows,
                       std::size_t position,
                       std::size_t frames,
                       std::size_t thread);

    std::unique_ptr<frame_bins> d_transform;
    store_step d_store;
    averaged_rows d_averaged;
    std::unique_ptr<thread_pool> d_pool;
};

} // namespace gpufft
} // namespace gr

#endif
