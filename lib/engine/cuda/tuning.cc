// SPDX-License-Identifier: GPL-3.0-or-later
//
// Times a problem's recipes, and makes the fastest wisdom.

#include "choose_recipe.h"
#include "cuda_plan.h"
#include "engine/wisdom_file.h"
#include "measure.h"
#include "planner/planner.h"
#include <gnuradio/gpufft/tuning.h>

namespace gr {
namespace gpufft {

// The recipe in wisdom, if it can run here, then the planner's candidates.
static std::vector<recipe>
recipes_to_time(const device_context& context, const problem& what, std::size_t limit)
{
    const device_traits& card = context.traits();
    std::vector<recipe> all = recipe_candidates(what, card, limit);
    const std::optional<recipe> known = find_wisdom(context.name(), what);
    if (!known || !obstacle_of(find_algorithm(known->algorithm), what, card).empty())
        return all;
    for (const recipe& each : all)
        if (each.to_text() == known->to_text())
            return all;
    all.insert(all.begin(), *known);
    return all;
}

std::vector<std::string> recipes(const problem& what, int device, std::size_t candidates)
{
    what.validate();
    std::vector<std::string> texts;
    for (const recipe& each :
         recipes_to_time(device_context::get(device), what, candidates))
        texts.push_back(each.to_text());
    return texts;
}

plan::uptr make_plan_by(const std::string& text, const problem& what, int device)
{
    what.validate();
    return std::make_unique<cuda_plan>(what, device, recipe::from_text(text));
}

std::vector<timed_recipe> tune(const problem& what, int device, std::size_t candidates)
{
    what.validate();
    if (candidates == 0)
        throw std::invalid_argument("candidates is 0, but must be at least 1");
    const device_context& context = device_context::get(device);
    const std::string before = choose_recipe(context, what).to_text();
    std::vector<timed_recipe> timed;
    for (const measured_recipe& each :
         measure_recipes(context, what, recipes_to_time(context, what, candidates))) {
        if (timed.empty())
            add_wisdom(context.name(), what, each.how);
        timed.push_back({ each.how.to_string(),
                          each.milliseconds,
                          wisdom_line(context.name(), what, each.how),
                          each.how.to_text() == before });
    }
    return timed;
}

} // namespace gpufft
} // namespace gr
