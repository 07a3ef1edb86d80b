// SPDX-License-Identifier: GPL-3.0-or-later
//
// Changes a plan's threads, and describes it.

#include "cpu_plan.h"
#include "engine/steps_text.h"

namespace gr {
namespace gpufft {

void cpu_plan::set_threads(int threads)
{
    plan::set_threads(threads); // checks the range
    const std::size_t count = count_threads(threads);
    if (d_pool && d_pool->threads() == count)
        return;
    auto pool = std::make_unique<thread_pool>(count);
    allocate(count);
    d_pool = std::move(pool);
}

std::string cpu_plan::describe() const
{
    return "cpu: " + describe_transform() + ", " + std::to_string(threads()) +
           (threads() == 1 ? " thread, " : " threads, ") + describe_steps(d_problem) +
           (d_problem.has_expressions() ? ", " + describe_expressions(d_problem) : "");
}

thread_pool* threads_of(plan& with)
{
    cpu_plan* const on_cpu = dynamic_cast<cpu_plan*>(&with);
    return on_cpu ? &on_cpu->pool() : nullptr;
}

} // namespace gpufft
} // namespace gr
