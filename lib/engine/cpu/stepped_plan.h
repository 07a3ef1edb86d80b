// SPDX-License-Identifier: GPL-3.0-or-later
//
// The cpu engine's plan for problems with expressions in the load and in the store:
// evaluates them around the plan of the problem without them.

#ifndef INCLUDED_GPUFFT_STEPPED_PLAN_H
#define INCLUDED_GPUFFT_STEPPED_PLAN_H

#include "aligned_buffer.h"
#include "problem/expression.h"
#include <gnuradio/gpufft/plan.h>
#include <optional>

namespace gr {
namespace gpufft {

class stepped_plan : public plan
{
public:
    stepped_plan(const problem& what, const plan_options& options);

    std::string describe() const override;
    void set_threads(int threads) override { d_inner->set_threads(threads); }

protected:
    void do_execute(const void* input, void* output, std::size_t frames) override;
    void do_set_window(const std::vector<float>& taps) override;
    void do_set_rotations() override { d_inner->set_rotations(d_rotations); }
    void do_set_map() override { d_inner->set_map(d_map); }
    void do_set_parameters() override;
    void do_reset_average() override {}

private:
    typedef std::complex<float> complex;
    void run(const char* input, char* output, std::size_t frames);

    const std::vector<std::string> d_names; // of parameters
    std::optional<expression> d_load, d_store;
    plan::uptr d_inner;
    aligned_buffer<complex> d_samples, d_rows; // of some frames
};

} // namespace gpufft
} // namespace gr

#endif
