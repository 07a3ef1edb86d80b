// SPDX-License-Identifier: GPL-3.0-or-later
//
// The host engine: a plan that executes the GPU kernels on the CPU, for tests. The
// kernels it can run are those that the build instantiated (host_kernels.h).

#ifndef INCLUDED_GPUFFT_HOST_PLAN_H
#define INCLUDED_GPUFFT_HOST_PLAN_H

#include "engine/step_arguments.h"
#include "host/guarded_memory.h"
#include "host/host_launch.h"
#include "planner/algorithm.h"
#include <gnuradio/gpufft/plan.h>

namespace gr {
namespace gpufft {

class host_plan : public plan
{
public:
    // Uses `how`, which make_recipe(what) or a test provides.
    host_plan(const problem& what, const recipe& how);

    std::string describe() const override;
    std::size_t frames_together() const override { return d_program.frames_together; }
    std::uint64_t saturated() const override { return d_saturated; }
    void set_order(thread_order order) { d_order = order; }

protected:
    void do_execute(const void* input, void* output, std::size_t frames) override;
    void do_set_window(const std::vector<float>& taps) override;
    void do_set_double_window(const std::vector<double>& taps) override;
    void do_set_rotations() override;
    void do_set_map() override;
    void do_reset_average() override { d_first = true; }

private:
    void guard_window();
    void execute_guarded(const void* input, void* output, std::size_t frames);
    void launch(const kernel_instance& kernel,
                const kernels::transform_arguments& arguments,
                std::size_t frames) const;
    void transform(const problem& what,
                   const program& steps,
                   const void* input,
                   void* output,
                   std::size_t frames);
    void launch_all(const program& steps,
                    const kernels::transform_arguments& common,
                    const void* input,
                    void* output,
                    std::size_t first,
                    std::size_t frames) const;
    void execute_averaged(const void* input, void* output, std::size_t frames);
    void join(const kernel_instance& kernel,
              const kernels::average_arguments& means) const;
    void count(const kernels::average_arguments& means) const;

    recipe d_recipe;
    program d_program;
    std::vector<double> d_taps;
    std::vector<rotation> d_made_for;
    std::vector<guarded_vector<unsigned char>> d_tables;
    std::vector<unsigned char> d_window;            // taps in the working precision
    guarded_vector<unsigned char> d_guarded_window; // the same, for the kernels
    guarded_vector<int> d_slots;                    // of picked bins
    guarded_vector<double> d_sum, d_next_sum;
    guarded_vector<float> d_smoothed;
    bool d_first = true;
    thread_order d_order = thread_order::rising;
    unsigned long long d_saturated = 0;
};

} // namespace gpufft
} // namespace gr

#endif
