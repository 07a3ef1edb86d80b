// SPDX-License-Identifier: GPL-3.0-or-later
//
// A plan on a card that passes everything on to another one: base of plans that make
// trouble.

#ifndef INCLUDED_GPUFFT_PASSING_PLAN_H
#define INCLUDED_GPUFFT_PASSING_PLAN_H

#include "test_devices.h"
#include <gnuradio/gpufft/plan.h>
#include <utility>

namespace gr {
namespace gpufft {

class passing_plan : public plan
{
public:
    explicit passing_plan(plan::uptr inner)
        : plan(inner->what(), engine_kind::cuda),
          d_inner(std::move(inner))
    {
    }
    std::string describe() const override { return "passing"; }

protected:
    void do_execute(const void* input, void* output, std::size_t frames) override
    {
        d_inner->execute(input, output, frames);
    }
    void do_enqueue(const void* dev_input,
                    void* dev_output,
                    std::size_t frames,
                    void* stream) override
    {
        d_inner->enqueue(dev_input, dev_output, frames, stream);
    }
    void do_set_window(const std::vector<float>& taps) override
    {
        d_inner->set_window(taps);
    }
    void do_reset_average() override { d_inner->reset_average(); }

private:
    const plan::uptr d_inner;
};

// For live_plan::s_make: a Troubled around the plan of a card, the CPU's as it is.
template <class Troubled>
plan::uptr make_troubled(const problem& what, const plan_options& options)
{
    plan::uptr made = test_devices::make_plan(what, options);
    if (options.engine != engine_kind::cuda)
        return made;
    return std::make_unique<Troubled>(std::move(made));
}

} // namespace gpufft
} // namespace gr

#endif
