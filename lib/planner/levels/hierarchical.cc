// SPDX-License-Identifier: GPL-3.0-or-later
//
// The hierarchical transform of kernels/levels/hierarchical.cuh: the levels together, and
// their launches.

#include "hierarchical.h"
#include "level_shapes.h"
#include "planner/filters/polyphase_bank.h"

#include <algorithm>

namespace gr {
namespace gpufft {

namespace {

// Extends the recipes by every shape of the next level.
std::vector<std::pair<double, recipe>>
with_level(const std::vector<std::pair<double, recipe>>& recipes,
           const std::vector<std::pair<double, stockham_shape>>& shapes)
{
    std::vector<std::pair<double, recipe>> longer;
    for (const auto& [cost, how] : recipes)
        for (const auto& [more, shape] : shapes) {
            longer.emplace_back(cost + more, how);
            longer.back().second.shapes.push_back(shape);
        }
    return longer;
}

// The place of a recipe's level.
level_place place_of(const std::vector<std::size_t>& lengths,
                     std::size_t level,
                     const mirrored_levels& mirrored)
{
    if (level == 0)
        return { lengths, level, mirrored.first };
    return { lengths,
             level,
             level + 1 == lengths.size() ? mirrored.last : tile_kind::neighbours };
}

std::vector<recipe> candidates(const problem& what, const device_traits& card)
{
    return mirrored_candidates(what, {}, card);
}

double cost(const problem& what, const recipe& how, const device_traits& card)
{
    return mirrored_cost(what, how, {}, card) + bank_cost(what);
}

// The launch of a level from scratch to scratch.
launch_step level_step(const stockham_shape& shape, const char* level, std::size_t tiles)
{
    launch_step step;
    step.kernel = block_kernel(shape,
                               shape_text(shape),
                               shape.shared_bytes(),
                               "levels/hierarchical.cuh",
                               "hierarchical_kernel");
    step.kernel.inner = level;
    step.kernel.inner_shape = step.kernel.shape;
    step.kernel.blocks_per_frame = int(tiles);
    step.from = step.to = place::scratch_0;
    return step;
}

program build(const problem& what, const recipe& how)
{
    program made;
    made.scratch_points[0] = how.n;
    // Points of a vector and vectors of a frame at this level.
    std::size_t left = how.n, outer = 1;
    std::vector<int> lengths;
    for (const stockham_shape& shape : how.shapes) {
        const bool is_first = &shape == &how.shapes.front();
        const bool is_last = &shape == &how.shapes.back();
        const bool whole_lines =
            shape.columns * shape.point_bytes() < LINE_BYTES && !is_last;
        launch_step step = column_step(shape, left, outer);
        if (is_last) {
            const std::size_t first = how.shapes[0].n;
            step = level_step(
                shape, "row_level", tiles_across(first, shape.columns) * (outer / first));
            step.kernel.store = store_text(what);
            step.kernel.further = text_of("level_list", lengths);
            step.to = place::output;
        }
        step.kernel.load = is_first      ? load_text(what, whole_lines)
                           : whole_lines ? "load_scratch_of<true>"
                                         : "load_scratch";
        step.from = is_first ? place::input : place::scratch_0;
        step.twiddles = made.add(stockham_twiddles(shape));
        made.steps.push_back(step);
        lengths.push_back(shape.n);
        left /= shape.n;
        outer *= shape.n;
    }
    return made;
}

} // namespace

launch_step column_step(const stockham_shape& shape, std::size_t left, std::size_t outer)
{
    launch_step step = level_step(
        shape, "column_level", outer * tiles_across(left / shape.n, shape.columns));
    step.kernel.load = std::string("load_scratch");
    step.kernel.store = std::string("store_scratch");
    step.kernel.further = list_of(left, outer);
    return step;
}

// One launch per level. With partners, one more level may be faster than short rows.
std::vector<recipe> mirrored_candidates(const problem& what,
                                        const mirrored_levels& mirrored,
                                        const device_traits& card)
{
    constexpr std::size_t SPLITS = 5, KEPT = 40;
    const bool is_any =
        mirrored.first != tile_kind::neighbours || mirrored.last != tile_kind::neighbours;
    std::vector<std::pair<double, recipe>> all;
    const std::vector<std::vector<std::size_t>> splits =
        level_lengths(what, card, is_any ? 1 : 0);
    for (std::size_t i = 0; i < std::min(splits.size(), is_any ? 2 * SPLITS : SPLITS);
         ++i) {
        std::vector<std::pair<double, recipe>> recipes = {
            { 0.0, recipe{ "hierarchical", what.n } }
        };
        for (std::size_t level = 0; level < splits[i].size(); ++level)
            recipes = with_level(
                recipes, level_shapes(what, place_of(splits[i], level, mirrored), card));
        all.insert(all.end(), recipes.begin(), recipes.end());
    }
    return best_recipes(std::move(all), KEPT);
}

double mirrored_cost(const problem& what,
                     const recipe& how,
                     const mirrored_levels& mirrored,
                     const device_traits& card)
{
    double sum = 0;
    std::vector<std::size_t> lengths;
    for (const stockham_shape& shape : how.shapes)
        lengths.push_back(shape.n);
    for (std::size_t level = 0; level < lengths.size(); ++level)
        sum +=
            level_cost(what, how.shapes[level], place_of(lengths, level, mirrored), card);
    return sum;
}

algorithm hierarchical_algorithm()
{
    algorithm hierarchical = { "hierarchical", level_obstacle, candidates, cost,
                               build,          true,           2.0 };
    hierarchical.takes = is_c2c_or_bank;
    hierarchical.ends = end_use::of_direction;
    return hierarchical;
}

} // namespace gpufft
} // namespace gr
