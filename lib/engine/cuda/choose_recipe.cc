// SPDX-License-Identifier: GPL-3.0-or-later
//
// Wisdom before measurement before estimate.

#include "choose_recipe.h"
#include "engine/wisdom_file.h"
#include "measure.h"
#include "planner/planner.h"

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t MEASURED = 24; // candidates

} // namespace

std::optional<recipe>
measured_recipe_for(const device_context& context, const problem& what, bool measure)
{
    const device_traits& card = context.traits();
    const std::optional<recipe> known = find_wisdom(context.name(), what);
    if (known && obstacle_of(find_algorithm(known->algorithm), what, card).empty())
        return known;
    if (!measure) {
        tell_if_unmeasured(context.name());
        return std::nullopt;
    }
    const recipe best =
        measure_recipes(context, what, recipe_candidates(what, card, MEASURED))
            .front()
            .how;
    add_wisdom(context.name(), what, best);
    return best;
}

recipe choose_recipe(const device_context& context, const problem& what)
{
    const std::optional<recipe> known = measured_recipe_for(context, what, false);
    return known ? *known : make_recipe(what, context.traits());
}

} // namespace gpufft
} // namespace gr
