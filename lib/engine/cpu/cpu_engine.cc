// SPDX-License-Identifier: GPL-3.0-or-later
//
// Chooses a plan's class.

#include "channel_plan.h"
#include "correlation_plan.h"
#include "engine/engines.h"
#include "filter_plan.h"
#include "power_plan.h"
#include "stepped_plan.h"
#include "synthesis_plan.h"
#include "transform_plan.h"

#include <optional>

namespace gr {
namespace gpufft {

plan::uptr make_cpu_plan(const problem& what, const plan_options& options)
{
    std::optional<quick_planning> quick;
    if (options.effort == planning_effort::quick)
        quick.emplace(0);
    if (!what.load.empty() || !what.store.empty())
        return std::make_unique<stepped_plan>(what, options);
    if (what.is_channel_bank())
        return std::make_unique<channel_plan>(what, options.threads);
    if (what.kind == transform_kind::filter)
        return std::make_unique<filter_plan>(what, options.threads);
    if (what.is_correlation())
        return std::make_unique<correlation_plan>(what, options.threads);
    if (what.kind == transform_kind::synthesis)
        return std::make_unique<synthesis_plan>(what, options.threads);
    if (what.is_power())
        return std::make_unique<power_plan>(what, options.threads);
    if (what.is_double())
        return std::make_unique<transform_plan<double>>(what, options.threads);
    return std::make_unique<transform_plan<float>>(what, options.threads);
}

} // namespace gpufft
} // namespace gr
