// SPDX-License-Identifier: GPL-3.0-or-later
//
// A plan that passes everything on to another one: base of plans that make trouble on a
// card, or take longer.

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
    explicit passing_plan(plan::uptr inner, engine_kind engine = engine_kind::cuda)
        : plan(inner->what(), engine),
          d_inner(std::move(inner))
    {
    }
    std::string describe() const override { return d_inner->describe(); }
    std::uint64_t saturated() const override { return d_inner->saturated(); }

protected:
    void do_execute(const void* input, void* output, std::size_t frames) override
    {
        d_inner->set_hop(d_problem.effective_hop());
        d_inner->execute(input, output, frames);
    }
    void do_enqueue(const void* dev_input,
                    void* dev_output,
                    std::size_t frames,
                    void* stream,
                    std::size_t hop) override
    {
        d_inner->set_hop(hop);
        d_inner->enqueue(dev_input, dev_output, frames, stream);
    }
    void do_set_window(const std::vector<float>& taps) override
    {
        d_inner->set_window(taps);
    }
    void do_reset_average() override { d_inner->reset_average(); }
    bool do_save_mean(double* sums, float*, void* stream) override
    {
        return d_inner->save_mean(sums, stream).is_smoothing;
    }

private:
    const plan::uptr d_inner;
};

// ... and makes trouble in the call after SOUND_CALLS.
class plan_with_trouble : public passing_plan
{
public:
    static constexpr int SOUND_CALLS = 5;

    using passing_plan::passing_plan;

protected:
    virtual void make_trouble(void*& dev_output, void* stream) = 0;

    void do_enqueue(const void* dev_input,
                    void* dev_output,
                    std::size_t frames,
                    void* stream,
                    std::size_t hop) override
    {
        if (d_calls++ == SOUND_CALLS)
            make_trouble(dev_output, stream);
        passing_plan::do_enqueue(dev_input, dev_output, frames, stream, hop);
    }

private:
    int d_calls = 0;
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
