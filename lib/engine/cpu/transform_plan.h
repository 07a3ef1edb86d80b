// SPDX-License-Identifier: GPL-3.0-or-later
//
// The cpu engine's plan for complex and real rows of all transforms. Threads share the
// frames, or the lines of one frame if frames are long or few.

#ifndef INCLUDED_GPUFFT_TRANSFORM_PLAN_H
#define INCLUDED_GPUFFT_TRANSFORM_PLAN_H

#include "cpu_plan.h"
#include "frame_transform.h"

namespace gr {
namespace gpufft {

// T is float, or double for problems in double precision.
template <class T>
class transform_plan : public cpu_plan
{
public:
    transform_plan(const problem& what, int threads);

    std::uint64_t saturated() const override { return d_transform.saturated(); }

private:
    std::string describe_transform() const override { return transform_text(d_problem); }
    void allocate(std::size_t threads) override { d_transform.allocate(threads); }
    void do_execute(const void* input, void* output, std::size_t frames) override;
    void do_set_window(const std::vector<float>& taps) override
    {
        d_transform.set_window(taps);
    }
    void do_set_double_window(const std::vector<double>& taps) override
    {
        d_transform.set_window(taps);
    }
    void do_set_map() override { d_transform.set_map(d_map); }

    bool shares_out_frames(std::size_t frames) const;
    void execute_blocks(const frames_in_memory& data, std::size_t frames);
    void execute_lines(const frames_in_memory& data, std::size_t frames);
    frames_in_memory from_frame(std::size_t frame, const frames_in_memory& data) const;

    frame_transform<T> d_transform;
};

} // namespace gpufft
} // namespace gr

#endif
