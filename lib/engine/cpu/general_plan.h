// SPDX-License-Identifier: GPL-3.0-or-later
//
// The cpu engine's plan for complex and real rows of any problem without a faster plan
// (cpu_plan): real transforms, DCT and DST, several axes, strides, double precision, 16-
// and 8-bit storage. Threads share the frames, or the lines of one frame if frames are
// long or few.

#ifndef INCLUDED_GPUFFT_GENERAL_PLAN_H
#define INCLUDED_GPUFFT_GENERAL_PLAN_H

#include "general_transform.h"
#include "thread_pool.h"
#include <gnuradio/gpufft/plan.h>
#include <memory>

namespace gr {
namespace gpufft {

// T is float, or double for problems in double precision.
template <class T>
class general_plan : public plan
{
public:
    general_plan(const problem& what, int threads);

    std::string describe() const override;
    void set_threads(int threads) override;

private:
    void do_execute(const void* input, void* output, std::size_t frames) override;
    void do_set_window(const std::vector<float>& taps) override;
    void do_set_double_window(const std::vector<double>& taps) override;
    void do_reset_average() override {} // cpu_plan has the rows of powers

    bool shares_out_frames(std::size_t frames) const;
    void execute_blocks(const frames_in_memory& data, std::size_t frames);
    void execute_lines(const frames_in_memory& data, std::size_t frames);
    frames_in_memory from_frame(std::size_t frame, const frames_in_memory& data) const;

    general_transform<T> d_transform;
    std::unique_ptr<thread_pool> d_pool;
};

} // namespace gpufft
} // namespace gr

#endif
