// SPDX-License-Identifier: GPL-3.0-or-later
//
// The hierarchical transform of kernels/levels/hierarchical.cuh: the levels together, and their
// launches.

#include "hierarchical.h"
#include "planner/filters/polyphase_bank.h"
#include "level_shapes.h"

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

// Of a recipe's level.
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

kernel_instance
level_kernel(const stockham_shape& shape, const std::string& level, std::size_t tiles)
{
    kernel_instance kernel;
    kernel.header = "levels/hierarchical.cuh";
    kernel.expression = "hierarchical_kernel<" + shape_text(shape) + ", " + level + ">";
    kernel.block_threads = shape.threads;
    kernel.blocks_per_frame = int(tiles);
    kernel.shared_bytes = shape.shared_bytes();
    return kernel;
}

program build(const problem& what, const recipe& how)
{
    return levels_program(what, how);
}

} // namespace

program levels_program(const problem& what, const recipe& how, const end_steps& ends)
{
    program made;
    made.scratch_points[0] = how.n;
    // Points of a vector and vectors of a frame at this level.
    std::size_t left = how.n, outer = 1;
    std::string lengths;
    for (std::size_t level = 0; level < how.shapes.size(); ++level) {
        const stockham_shape& shape = how.shapes[level];
        const bool is_first = level == 0, is_last = level + 1 == how.shapes.size();
        const bool lines = shape.columns * shape.point_bytes() < LINE_BYTES && !is_last;
        const std::string load = is_first ? ends.load(what, lines)
                                 : lines  ? "load_scratch_of<true>"
                                          : "load_scratch";
        launch_step step;
        step.from = is_first ? place::input : place::scratch_0;
        step.to = is_last ? place::output : place::scratch_0;
        step.twiddles = made.add(stockham_twiddles(shape));
        const std::string shape_and_load = shape_text(shape) + ", " + load + ", ";
        const std::string kind =
            is_last ? "row_level<" + shape_and_load + ends.store(what) + ", level_list<" +
                          lengths + ">>"
                    : "column_level<" + shape_and_load + "store_scratch, " +
                          std::to_string(left) + ", " + std::to_string(outer) + ">";
        const std::size_t tiles =
            is_last ? groups(how.shapes[0].n, shape.columns) * (outer / how.shapes[0].n)
                    : outer * groups(left / shape.n, shape.columns);
        step.kernel = level_kernel(shape, kind, tiles);
        made.steps.push_back(step);
        lengths += (is_first ? "" : ", ") + std::to_string(shape.n);
        left /= shape.n;
        outer *= shape.n;
    }
    return made;
}

// One launch per level. With partners one more level may be better than short rows.
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
        recipe how;
        how.algorithm = "hierarchical";
        how.n = what.n;
        std::vector<std::pair<double, recipe>> recipes = { { 0.0, how } };
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
    hierarchical.build_with = levels_program;
    return hierarchical;
}

} // namespace gpufft
} // namespace gr
