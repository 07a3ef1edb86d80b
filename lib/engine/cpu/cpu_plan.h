// SPDX-License-Identifier: GPL-3.0-or-later
//
// The base of the cpu engine's plans: their threads, and their description.

#ifndef INCLUDED_GPUFFT_CPU_PLAN_H
#define INCLUDED_GPUFFT_CPU_PLAN_H

#include "thread_pool.h"
#include <algorithm>
#include <gnuradio/gpufft/plan.h>
#include <memory>

namespace gr {
namespace gpufft {

class cpu_plan : public plan
{
public:
    explicit cpu_plan(const problem& what) : plan(what, engine_kind::cpu) {}

    std::string describe() const override;
    void set_threads(int threads) final; // constructors call it last

    // The plan's threads, for other work between its executions.
    thread_pool& pool() { return *d_pool; }

protected:
    void do_set_window(const std::vector<float>& taps) override
    {
        do_set_double_window({ taps.begin(), taps.end() });
    }
    void do_reset_average() override {}

    // e.g. "fftw(4096)"
    virtual std::string describe_transform() const = 0;

    // Allocates scratch for threads 0 ... threads-1.
    virtual void allocate(std::size_t threads) = 0;

    std::size_t threads() const { return d_pool->threads(); }

    // Calls run(first, last, thread) for pieces of 0 ... all-1, in all threads. Pieces
    // are multiples of `least`, several for each thread to even out the threads' speeds;
    // a single thread takes all at once.
    template <class Run>
    void share_out(std::size_t all, std::size_t least, const Run& run)
    {
        constexpr std::size_t TASKS_PER_THREAD = 4;
        const std::size_t share = all / (TASKS_PER_THREAD * threads());
        const std::size_t per_task =
            threads() == 1 ? all : std::max(share / least, std::size_t(1)) * least;
        share_evenly(all, per_task, run);
    }

    // The same with `per_task` at a time.
    template <class Run>
    void share_evenly(std::size_t all, std::size_t per_task, const Run& run)
    {
        d_pool->run((all + per_task - 1) / per_task,
                    [&](std::size_t task, std::size_t thread) {
                        const std::size_t first = task * per_task;
                        run(first, std::min(first + per_task, all), thread);
                    });
    }

    std::unique_ptr<thread_pool> d_pool;
};

} // namespace gpufft
} // namespace gr

#endif
